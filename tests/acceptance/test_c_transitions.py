"""C19: the whole transition table, pair by pair, and no way back from an end."""

import pytest

from tests.support.api import fresh, service_api
from tests.support.cast import Worker, error_body, step_body
from tests.support.unchanged import unchanged

PENDING, RUNNING, SUCCEEDED, FAILED, CANCELLED = LIFECYCLES = (
    "PENDING",
    "RUNNING",
    "SUCCEEDED",
    "FAILED",
    "CANCELLED",
)
ENDS = (SUCCEEDED, FAILED, CANCELLED)

# Written out from protocol 4.3, apart from the service's own table: what each event makes of a live step or task.
STEP_TABLE = {
    "STEP_STARTED": {PENDING: RUNNING},
    "STEP_PROGRESS": {RUNNING: RUNNING},
    "STEP_COMPLETED": {RUNNING: SUCCEEDED},
    "STEP_FAILED": {PENDING: FAILED, RUNNING: FAILED},
    "STEP_CANCELLED": {PENDING: CANCELLED, RUNNING: CANCELLED},
    "STEP_HEARTBEAT": {RUNNING: RUNNING},
    "STEP_HEALTH_CHANGED": {RUNNING: RUNNING},
}
STEP_MEMBERS = {
    "STEP_PROGRESS": {"progressSeq": 5},
    "STEP_FAILED": {"error": error_body()},
    "STEP_HEARTBEAT": {"heartbeatSeq": 5},
    "STEP_HEALTH_CHANGED": {"health": "DEGRADED", "healthReason": "NO_PROGRESS"},
}
TASK_TABLE = {
    ("TASK_STATUS_CHANGED", PENDING): {PENDING: PENDING},
    ("TASK_STATUS_CHANGED", RUNNING): {PENDING: RUNNING, RUNNING: RUNNING},
    ("TASK_STATUS_CHANGED", SUCCEEDED): {},
    ("TASK_STATUS_CHANGED", FAILED): {},
    ("TASK_STATUS_CHANGED", CANCELLED): {},
    ("TASK_COMPLETED", None): {PENDING: SUCCEEDED, RUNNING: SUCCEEDED},
    ("TASK_FAILED", None): {PENDING: FAILED, RUNNING: FAILED},
    ("TASK_CANCELLED", None): {PENDING: CANCELLED, RUNNING: CANCELLED},
}
LEADING_TO = {RUNNING: (), SUCCEEDED: ("STEP_COMPLETED",), FAILED: ("STEP_FAILED",), CANCELLED: ("STEP_CANCELLED",)}


def brought_to(worker, lifecycle):
    """The worker, with its step in that lifecycle."""
    for event_type in () if lifecycle == PENDING else ("STEP_STARTED", *LEADING_TO[lifecycle]):
        worker.report(event_type, **STEP_MEMBERS.get(event_type, {})).ok()
    return worker


def step_report(worker, event_type):
    """Send the event to the worker's step: a health report as role health, all others by the worker's token."""
    body = worker.event(event_type, **STEP_MEMBERS.get(event_type, {}))
    if event_type != "STEP_HEALTH_CHANGED":
        return worker.send(body)
    return service_api("doctor", "health").post("/task-events", {**body, "executionId": worker.context["executionId"]})


@pytest.mark.accepts("C19")
@pytest.mark.parametrize("lifecycle", LIFECYCLES)
def test_every_event_on_a_step_of_every_lifecycle(carol, lifecycle):
    """A live step follows the table; an event without a place in it, or on an ended step, is refused and moves none."""
    steps = [step_body(f"s{number}") for number in range(len(STEP_TABLE))]
    task_id = carol.task(*steps)["taskId"]
    workers = [brought_to(carol.worker(task_id, step["stepId"]), lifecycle) for step in steps]
    refusal = "TERMINAL_STATE" if lifecycle in ENDS else "ILLEGAL_TRANSITION"
    for worker, (event_type, table) in zip(workers, STEP_TABLE.items(), strict=True):
        after = table.get(lifecycle)
        if after is None:
            with unchanged():
                problem = step_report(worker, event_type).refused(409, refusal)
            assert problem["current"] == {"lifecycleStatus": lifecycle}
        else:
            assert step_report(worker, event_type).ok()["stepLifecycleStatus"] == after, event_type


@pytest.mark.accepts("C19")
@pytest.mark.parametrize("lifecycle", LIFECYCLES)
@pytest.mark.parametrize(("event_type", "code"), TASK_TABLE)
def test_every_event_on_a_task_of_every_lifecycle(carol, event_type, code, lifecycle):
    """A live task follows the table, ends only by an ending event, and is never taken back to PENDING."""
    task_id = carol.task()["taskId"]
    if lifecycle == RUNNING:
        carol.report("TASK_STATUS_CHANGED", task_id, businessStatus=RUNNING).ok()
    elif lifecycle in ENDS:
        ending = {SUCCEEDED: "TASK_COMPLETED", FAILED: "TASK_FAILED", CANCELLED: "TASK_CANCELLED"}[lifecycle]
        carol.end(task_id, ending)
    members = {"businessStatus": code, "error": error_body() if event_type == "TASK_FAILED" else None}
    after = TASK_TABLE[event_type, code].get(lifecycle)
    if after is not None:
        receipt = carol.report(event_type, task_id, **members).ok()
        assert (receipt["lifecycleStatus"], receipt["businessStatus"]) == (after, after)
        return
    with unchanged():
        refusal = "TERMINAL_STATE" if lifecycle in ENDS else "ILLEGAL_TRANSITION"
        carol.report(event_type, task_id, **members).refused(409, refusal)


@pytest.mark.accepts("C19")
@pytest.mark.parametrize("ending", ["TASK_COMPLETED", "TASK_FAILED", "TASK_CANCELLED"])
def test_an_ended_task_takes_nothing_more_from_its_steps(carol, ending):
    """Steps keep the lifecycle in which the task left them; neither reports nor new executions are taken."""
    steps = [step_body(f"s{number}") for number in range(3)]
    task_id = carol.task(*steps, dynamicRegistrationPolicy=POLICY)["taskId"]
    pending, running = carol.worker(task_id, "s0"), brought_to(carol.worker(task_id, "s1"), RUNNING)
    carol.end(task_id, ending)
    assert [step["lifecycleStatus"] for step in carol.detail(task_id)["steps"]] == [PENDING, RUNNING, PENDING]
    with unchanged():
        for worker in (pending, running):
            for event_type in STEP_TABLE:
                step_report(worker, event_type).refused(409, "TERMINAL_STATE")
        for step_id, members in (("s1", {"supersede": True}), ("s2", {})):
            body = {"producerId": "worker-a", **members}
            carol.api.post(f"/tasks/{task_id}/steps/{step_id}:activate", body).refused(409, "TERMINAL_STATE")
        child = {"clientStepKey": "c", "operationCode": "SEARCH.WEB", "producerId": "searcher"}
        for api in (carol.api, running.api):
            api.post(f"/tasks/{task_id}/executions:register", child).refused(409, "TERMINAL_STATE")


POLICY = {"allowedParentOperations": ["*"], "allowedChildOperations": ["*"]}


@pytest.mark.accepts("C19")
def test_only_a_new_attempt_leaves_an_end(carol):
    """A retry opens a new attempt of the task with its known steps pending; the old end stays in the log."""
    worker = brought_to(carol.worker(carol.task(step_body())["taskId"]), FAILED)
    task_id = worker.context["taskId"]
    with unchanged():
        carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "now"}).refused(
            409, "ATTEMPT_STILL_RUNNING"
        )
    carol.end(task_id, "TASK_FAILED")
    answer = carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    assert answer["taskAttempt"] == 2
    detail = carol.detail(task_id)
    assert (detail["lifecycleStatus"], detail["finishedAt"], detail["failure"]) == (PENDING, None, None)
    (step,) = detail["steps"]
    assert (step["lifecycleStatus"], step["attempt"], step["executionId"]) == (PENDING, 1, None)
    assert Worker(carol.activate(task_id)).started()["lifecycleStatus"] == RUNNING


@pytest.mark.accepts("C19")
@pytest.mark.parametrize("ending", ["WORKFLOW_COMPLETED", "WORKFLOW_FAILED", "WORKFLOW_CANCELLED"])
def test_an_ended_workflow_stays_so(carol, ending):
    """No event about an ended workflow is taken."""
    workflow_id = carol.workflow()["workflowId"]
    path = f"/workflows/{workflow_id}/events"
    ended = carol.api.post(path, {"eventId": fresh(), "eventType": ending, "reason": "so"}).ok()
    assert ended["lifecycleStatus"] in ENDS
    with unchanged():
        for event_type in ("SEALED", "COMPLETED", "FAILED", "CANCELLED"):
            body = {"eventId": fresh(), "eventType": f"WORKFLOW_{event_type}"}
            carol.api.post(path, body).refused(409, "TERMINAL_STATE")
        body = {"eventId": fresh(), "eventType": "WORKFLOW_RETITLED", "title": "Other"}
        carol.api.post(path, body).refused(409, "TERMINAL_STATE")
