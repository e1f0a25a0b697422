"""C20, C21: business statuses come from the registries, and from the version that the task is bound to."""

import pytest

from tests.support.cast import Worker, error_body, step_body
from tests.support.definitions import define, operation, status, status_set
from tests.support.unchanged import unchanged

STEP_EVENTS = {
    "STEP_PROGRESS": {"progressSeq": 5},
    "STEP_COMPLETED": {},
    "STEP_FAILED": {"error": error_body()},
    "STEP_CANCELLED": {},
}


def first_version():
    """What papers go through, in version 1."""
    return status_set(
        status("QUEUED", "PENDING", "TASK", initial=True),
        status("READING", allowedFrom=["QUEUED", "@none"], displayName={"en": "Reading"}, severity="INFO"),
        status("WAITING", "RUNNING", "TASK", allowedFrom=["READING"]),
        status("READ", "SUCCEEDED", "STEP"),
        status("DONE", "SUCCEEDED", "TASK", allowedFrom=["READING"], severity="SUCCESS"),
        status("TORN", "FAILED", allowedFrom=["*"]),
        status("GONE", "CANCELLED", "TASK", allowedFrom=["*"]),
    )


@pytest.fixture
def reader(carol):
    """A running execution of a task of type PAPER, whose statuses are registered."""
    define(sets=[first_version()])
    return carol.running(taskType="PAPER")


@pytest.mark.accepts("C20")
def test_an_unregistered_status_is_refused(carol, reader):
    """A code that the set doesn't define for that kind of event is refused, in every event."""
    task_id = reader.context["taskId"]
    with unchanged():
        for event_type, members in STEP_EVENTS.items():
            for unknown in ("SHREDDED", "WAITING", "RUNNING", "RETRY_WAIT"):
                answer = reader.report(event_type, businessStatus=unknown, **members)
                answer.refused(422, "UNKNOWN_BUSINESS_STATUS")
        for unknown in ("SHREDDED", "READ", "SUCCEEDED"):
            for event_type in ("TASK_STATUS_CHANGED", "TASK_COMPLETED"):
                answer = carol.report(event_type, task_id, businessStatus=unknown)
                answer.refused(422, "UNKNOWN_BUSINESS_STATUS")


@pytest.mark.accepts("C20")
def test_a_status_of_another_meaning_or_out_of_reach_is_refused(carol, reader):
    """The code has to mean the lifecycle that the event leads to, and the task has to be able to come to it."""
    task_id = reader.context["taskId"]
    with unchanged():
        for event_type, code in (("STEP_COMPLETED", "TORN"), ("STEP_CANCELLED", "READ"), ("STEP_PROGRESS", "READ")):
            members = STEP_EVENTS[event_type]
            reader.report(event_type, businessStatus=code, **members).refused(422, "STATUS_NOT_REACHABLE")
        carol.report("TASK_COMPLETED", task_id, businessStatus="READING").refused(422, "STATUS_NOT_REACHABLE")
        carol.report("TASK_CANCELLED", task_id, businessStatus="TORN").refused(422, "STATUS_NOT_REACHABLE")
        carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="DONE").refused(409, "ILLEGAL_TRANSITION")
        carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="QUEUED").refused(409, "ILLEGAL_TRANSITION")
    carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="READING").ok()
    carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="WAITING").ok()
    with unchanged():
        carol.report("TASK_COMPLETED", task_id, businessStatus="DONE").refused(422, "STATUS_NOT_REACHABLE")
        carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="READING").refused(422, "STATUS_NOT_REACHABLE")


@pytest.mark.accepts("C20")
@pytest.mark.parametrize(
    "claim",
    [
        {"terminal": True},
        {"severity": "ERROR"},
        {"colorToken": "danger"},
        {"presentation": {"colorToken": "danger"}},
        {"statusDisplay": {"severity": "ERROR"}},
        {"lifecycleStatus": "SUCCEEDED"},
        {"stepLifecycleStatus": "SUCCEEDED"},
    ],
)
def test_a_caller_declares_no_end_no_severity_and_no_colour(carol, reader, claim):
    """What a status means and how it looks is no member of any event."""
    with unchanged():
        for answer in (
            reader.report("STEP_COMPLETED", businessStatus="READ", **claim),
            carol.report("TASK_STATUS_CHANGED", reader.context["taskId"], businessStatus="READING", **claim),
        ):
            problem = answer.refused(400, "UNKNOWN_FIELD")
            assert [error["pointer"] for error in problem["errors"]] == [f"/{name}" for name in claim]


@pytest.mark.accepts("C20")
def test_the_registry_says_what_a_status_looks_like_and_means(carol, reader):
    """Lifecycle, severity and name are the definition's; a step's code never ends its task."""
    task_id = reader.context["taskId"]
    reader.progress(businessStatus="READING")
    display = carol.detail(task_id)["statusDisplay"]
    assert (display["name"], display["severity"]) == ("Reading", "INFO")
    receipt = reader.failed(businessStatus="TORN")
    assert (receipt["stepBusinessStatus"], receipt["lifecycleStatus"]) == ("TORN", "RUNNING")
    assert receipt["businessStatus"] == "READING"
    receipt = carol.end(task_id, businessStatus="DONE")
    assert (receipt["lifecycleStatus"], receipt["businessStatus"]) == ("SUCCEEDED", "DONE")
    assert carol.detail(task_id)["statusDisplay"]["severity"] == "SUCCESS"


def second_version():
    """The same words with another meaning, one less, and one more."""
    return status_set(
        status("QUEUED", "PENDING", "TASK", initial=True),
        status("READING", allowedFrom=["QUEUED", "@none"], displayName={"en": "Devouring"}, severity="WARNING"),
        status("SKIMMED", "RUNNING", "TASK", allowedFrom=["READING"]),
        status("DONE", "FAILED", "TASK", allowedFrom=["READING", "SKIMMED"]),
        version=2,
    )


@pytest.mark.accepts("C21")
@pytest.mark.parametrize("first_state", ["published", "retired"])
def test_a_new_status_set_changes_nothing_for_bound_tasks(carol, reader, first_state):
    """A task goes on in the meaning it was created with, even once that is retired; a new one takes the new meaning."""
    bound = reader.context["taskId"]
    before = carol.detail(bound)["statusDefinitionVersion"]
    define(sets=[{**first_version(), "state": first_state}, second_version()])
    new = carol.task(step_body(), taskType="PAPER")["taskId"]
    reader.progress(businessStatus="READING")
    with unchanged():
        carol.report("TASK_STATUS_CHANGED", bound, businessStatus="SKIMMED").refused(422, "UNKNOWN_BUSINESS_STATUS")
    assert carol.report("TASK_STATUS_CHANGED", bound, businessStatus="WAITING").ok()["businessStatus"] == "WAITING"
    old, fresh_one = carol.detail(bound), carol.detail(new)
    assert (before, old["statusDefinitionVersion"], fresh_one["statusDefinitionVersion"]) == (1, 1, 2)
    carol.report("TASK_STATUS_CHANGED", new, businessStatus="READING").ok()
    assert carol.detail(new)["statusDisplay"]["name"] == "Devouring"
    assert carol.end(new, "TASK_FAILED", businessStatus="DONE")["lifecycleStatus"] == "FAILED"


@pytest.mark.accepts("C21")
def test_a_new_attempt_of_a_task_keeps_its_status_set(carol, reader):
    """Retrying begins with the bound version's first code, not with the newest set's."""
    task_id = reader.context["taskId"]
    carol.end(task_id, "TASK_CANCELLED", businessStatus="GONE")
    renamed = [{**row, "code": "NEW"} if row.get("initial") else row for row in second_version()["statuses"]]
    renamed = [{**row, "allowedFrom": ["NEW"]} if row["code"] == "READING" else row for row in renamed]
    define(sets=[{**second_version(), "statuses": renamed}])
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": f"{task_id}-again", "reason": "again"}).ok()
    detail = carol.detail(task_id)
    assert (detail["businessStatus"], detail["statusDefinitionVersion"]) == ("QUEUED", 1)


@pytest.mark.accepts("C21")
def test_a_new_operation_version_changes_nothing_for_a_bound_execution(carol):
    """Producer, events, schemas and policy of a running execution stay; the next one binds the new version."""
    schemas = [{"name": f"paper.v{n}", "schema": {"type": "object"}} for n in (1, 2)]
    old = operation(maxAttempts=2, allowedDataSchemas={"STEP_COMPLETED": ["paper.v1"]})
    define(schemas=schemas, operations=[old])
    task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
    running = carol.worker(task_id, "s1")
    new = {
        **operation(producerPattern="worker-b", failurePolicy="WAIT_FOR_USER", allowedEventTypes=["STEP_STARTED"]),
        "version": 2,
    }
    define(operations=[{**old, "state": "retired"}, new])
    running.started()
    with unchanged():
        running.report("STEP_COMPLETED", data={"schema": "paper.v2", "value": {}}).refused(422, "SCHEMA_NOT_ALLOWED")
        body = {"producerId": "worker-a"}
        carol.api.post(f"/tasks/{task_id}/steps/s2:activate", body).refused(403, "PRODUCER_MISMATCH")
    running.completed(data={"schema": "paper.v1", "value": {}})
    later = Worker(carol.activate(task_id, "s2", producerId="worker-b"))
    assert (running.context["operationDefinitionVersion"], later.context["operationDefinitionVersion"]) == (1, 2)
    assert (running.context["failurePolicy"], later.context["failurePolicy"]) == ("FAIL_TASK", "WAIT_FOR_USER")
    later.started()
    with unchanged():
        later.report("STEP_COMPLETED").refused(403, "EVENT_TYPE_NOT_ALLOWED")
