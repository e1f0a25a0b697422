"""C05: envelope, registered step, execution, credential and current attempt agree, or nothing is accepted."""

from itertools import pairwise

import pytest

from tests.support.api import Api, fresh, service_api
from tests.support.cast import error_body, step_body
from tests.support.unchanged import unchanged

# Protocol 4.3 row 3, in its order: what a falsified member is refused with. Scope comes before all of them.
REFUSALS = {
    "workflowId": (404, "WORKFLOW_NOT_FOUND"),
    "taskId": (404, "TASK_NOT_FOUND"),
    "stepId": (404, "STEP_NOT_REGISTERED"),
    "executionId": (404, "EXECUTION_NOT_FOUND"),
    "operationCode": (403, "OPERATION_MISMATCH"),
    "producerId": (403, "PRODUCER_MISMATCH"),
    "taskAttempt": (403, "ATTEMPT_MISMATCH"),
    "stepAttempt": (403, "ATTEMPT_MISMATCH"),
    "taskType": (403, "TASK_TYPE_MISMATCH"),
}
FOREIGN = {
    "tenantId": "umbrella",
    "authorityScope": "billing",
    "workflowId": "wfl_000_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "taskId": "tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "stepId": "s9",
    "executionId": "exe_000_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "operationCode": "OPS.OTHER",
    "producerId": "worker-b",
    "taskAttempt": 2,
    "stepAttempt": 2,
    "taskType": "OTHER_TYPE",
}


@pytest.fixture
def pair(carol):
    """Two executions of one task, with nothing in common but the task; the second is the one that reports."""
    task = carol.task(step_body("s1", "OPS.READ"), step_body("s2", "OPS.WRITE"), taskType="PAPER")
    other = carol.worker(task["taskId"], "s1", producerId="worker-b")
    return other, carol.worker(task["taskId"], "s2")


def context_of(worker):
    """All that a report may repeat of its execution."""
    return {name: worker.context[name] for name in REFUSALS}


def with_credential(kind, worker):
    """How the worker's events are sent by token or by handle: the caller, and what joins the body."""
    if kind == "token":
        return Api(worker.context["executionToken"]), {}
    return service_api(worker.context["producerId"], "worker"), {"executionHandle": worker.context["executionHandle"]}


@pytest.mark.accepts("C05")
@pytest.mark.parametrize("kind", ["token", "handle"])
def test_each_member_of_the_context_is_compared_by_itself(pair, kind):
    """With all members true a report is accepted; with any single one falsified it is refused by that one's code."""
    _, worker = pair
    api, extra = with_credential(kind, worker)
    true = {**worker.event("STEP_STARTED"), **context_of(worker), "tenantId": "acme", **extra}
    true["authorityScope"] = "content-platform"
    refusals = REFUSALS | dict.fromkeys(("tenantId", "authorityScope"), (403, "SCOPE_MISMATCH"))
    assert set(FOREIGN) == set(refusals)
    with unchanged():
        for member, refusal in refusals.items():
            api.post("/task-events", {**true, member: FOREIGN[member]}).refused(*refusal)
    assert api.post("/task-events", true).ok()["accepted"] is True


@pytest.mark.accepts("C05")
@pytest.mark.parametrize("kind", ["token", "handle"])
def test_a_siblings_context_is_as_foreign_as_an_invented_one(pair, kind):
    """Values that exist, but of another execution of the same task, are refused alike."""
    other, worker = pair
    api, extra = with_credential(kind, worker)
    siblings = context_of(other)
    differing = [name for name in REFUSALS if siblings[name] != worker.context[name]]
    assert differing == ["stepId", "executionId", "operationCode", "producerId"]
    with unchanged():
        for member in differing:
            body = {**worker.event("STEP_STARTED"), **extra, member: siblings[member]}
            api.post("/task-events", body).refused(*REFUSALS[member])
        api.post("/task-events", {**worker.event("STEP_STARTED"), **siblings, **extra}).refused(
            404, "STEP_NOT_REGISTERED"
        )


@pytest.mark.accepts("C05")
def test_of_two_false_members_the_first_in_order_is_told(pair):
    """The order of the checks is fixed, so that every way in gives the same answer."""
    _, worker = pair
    with unchanged():
        for first, second in pairwise(REFUSALS):
            wrong = {first: FOREIGN[first], second: FOREIGN[second]}
            worker.report("STEP_STARTED", **wrong).refused(*REFUSALS[first])


@pytest.mark.accepts("C05")
def test_an_unclassified_task_has_no_type_to_name(carol):
    """A type that the task doesn't have is a mismatch too, for its steps and for itself."""
    worker = carol.running()
    with unchanged():
        worker.report("STEP_COMPLETED", taskType="PAPER").refused(403, "TASK_TYPE_MISMATCH")
        carol.report("TASK_COMPLETED", worker.context["taskId"], taskType="PAPER").refused(403, "TASK_TYPE_MISMATCH")


@pytest.mark.accepts("C05")
def test_two_credentials_of_different_executions_dont_mix(pair):
    """A token beside another execution's handle, or a handle in another producer's hands, proves nothing."""
    other, worker = pair
    body = worker.event("STEP_STARTED")
    foreign_handle = {**body, "executionHandle": other.context["executionHandle"]}
    with unchanged():
        worker.api.post("/task-events", foreign_handle).refused(401, "TOKEN_INVALID")
        service_api("worker-a", "worker").post("/task-events", foreign_handle).refused(403, "PRODUCER_MISMATCH")
        service_api("worker-a", "worker").post("/task-events", body).refused(401, "TOKEN_MISSING")


@pytest.mark.accepts("C05")
def test_a_task_event_agrees_with_its_task(carol):
    """Each member of a coordinator's event about a task, falsified alone, is refused by its own code."""
    task = carol.task(step_body(), taskType="PAPER")
    true = {
        "eventId": fresh(),
        "eventType": "TASK_FAILED",
        "error": error_body(),
        "tenantId": "acme",
        "authorityScope": "content-platform",
        "workflowId": task["workflowId"],
        "taskId": task["taskId"],
        "failedStepId": "s1",
        "producerId": "coordinator",
        "taskAttempt": 1,
        "taskType": "PAPER",
    }
    refusals = {name: REFUSALS[name] for name in true if name in REFUSALS}
    refusals |= dict.fromkeys(("tenantId", "authorityScope"), (403, "SCOPE_MISMATCH"))
    refusals["failedStepId"] = (404, "STEP_NOT_REGISTERED")
    with unchanged():
        for member, refusal in refusals.items():
            false = FOREIGN.get(member, "s9")
            carol.api.post("/task-events", {**true, member: false}).refused(*refusal)
    carol.api.post("/task-events", true).ok()


@pytest.mark.accepts("C05")
def test_a_health_report_agrees_with_its_execution(pair):
    """A health reporter names the execution; whatever else it says of it has to be true, its own name too."""
    _, worker = pair
    doctor = service_api("doctor", "health")
    true = {**worker.event("STEP_HEALTH_CHANGED"), **context_of(worker), "health": "HEALTHY", "producerId": "doctor"}
    worker.started()
    with unchanged():
        for member, refusal in REFUSALS.items():
            doctor.post("/task-events", {**true, member: FOREIGN[member]}).refused(*refusal)
        doctor.post("/task-events", {**true, "executionId": None}).refused(400, "INVALID_FIELD")
    doctor.post("/task-events", true).ok()
