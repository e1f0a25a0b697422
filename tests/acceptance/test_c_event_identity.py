"""C01, C02: an eventId stands for one fact, whoever repeats it and however late."""

import json

import pytest

from tests.support.api import fresh, service_api
from tests.support.cast import coordinator, error_body, step_body
from tests.support.unchanged import unchanged

CONTENT = {
    "sourceSeq": 9,
    "businessStatus": "RUNNING",
    "progress": {"current": 2, "total": 10, "unit": "page"},
    "progressSeq": 2,
    "phaseCode": "READ",
    "phaseLabel": "Reading",
    "message": "Half way",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "durationMs": 5,
    "requiresAction": True,
    "actions": ["LOOK"],
    "data": {"schema": "generic.progress.v1", "value": {"page": 2}},
}
OTHER = {
    "eventType": "STEP_STARTED",
    "sourceSeq": 10,
    "businessStatus": None,
    "progress": {"current": 3, "total": 10, "unit": "page"},
    "progressSeq": 3,
    "phaseCode": "WRITE",
    "phaseLabel": "reading",
    "message": "Half way ",
    "occurredAt": "2026-01-01T00:00:00.001Z",
    "durationMs": 6,
    "requiresAction": False,
    "actions": [],
    "data": {"schema": "generic.progress.v1", "value": {"page": "2"}},
    "stepId": "s1",
}


def again(receipt):
    return {**receipt, "duplicate": True}


@pytest.mark.accepts("C01")
def test_a_repeated_report_gets_its_first_receipt_whatever_happened_since(carol):
    """A report sent again is answered as it first was, and nothing moves: while its step runs, and after every end."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    body = worker.progress_event()
    first = worker.send(body).ok()

    def repeat():
        with unchanged():
            assert worker.send(body).ok() == again(first)

    repeat()
    worker.failed()
    repeat()
    carol.activate(task_id)
    repeat()
    carol.end(task_id)
    repeat()
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "once more"}).ok()
    repeat()
    assert carol.api.get(f"/events/{body['eventId']}").ok() == first


@pytest.mark.accepts("C01")
def test_the_same_content_may_be_spelled_otherwise_and_come_by_the_other_credential(carol):
    """Order, spacing, escapes, number spelling, nulls and the credential are no content."""
    worker = carol.running()
    body = worker.event("STEP_PROGRESS", progressSeq=1, progress={"current": 1.5, "total": 100}, phaseLabel="é")
    first = worker.send(body).ok()
    by_handle = service_api("worker-a", "worker")
    turned = {"message": None, **dict(reversed(body.items())), "tenantId": "acme"}
    turned["executionHandle"] = worker.context["executionHandle"]
    spelled = json.dumps(turned, indent=2).replace("1.5", "150e-2").replace(" 100", " 1.0E+2").replace("é", "\\u00e9")
    with unchanged():
        assert by_handle.post("/task-events", raw=spelled.encode()).ok() == again(first)


@pytest.mark.accepts("C01")
def test_a_duration_is_monotonic_said_or_unsaid(carol):
    """The default of durationSource is no content; an estimate is."""
    worker = carol.running()
    for phase, said in {"ONE": {}, "TWO": {"durationSource": "MONOTONIC"}}.items():
        body = worker.progress_event(phaseCode=phase, durationMs=5)
        first = worker.send(body | said).ok()
        with unchanged():
            for spelling in (body, {**body, "durationSource": "MONOTONIC"}):
                assert worker.send(spelling).ok() == {**first, "duplicate": True}
            worker.send({**body, "durationSource": "WALL_CLOCK_ESTIMATE"}).refused(409, "EVENT_ID_REUSED")


@pytest.mark.accepts("C01")
def test_a_report_doubled_in_one_batch_is_one_change(carol):
    """The second of two equal reports in one request gets the receipt of the first."""
    worker = carol.running()
    body = worker.progress_event()
    first, second = worker.api.post("/task-events:batch", {"events": [body, body]}).ok()["results"]
    assert (first["duplicate"], second) == (False, again(first))
    assert carol.detail(worker.context["taskId"])["version"] == first["taskVersion"]


@pytest.mark.accepts("C01")
def test_coordinators_words_are_taken_once_too(carol):
    """Events of tasks and workflows, and retries, answer a repetition with their first result."""
    task = carol.task(step_body())
    end = {"eventId": fresh(), "eventType": "TASK_COMPLETED", "taskId": task["taskId"], "taskAttempt": 1}
    retry = {"eventId": fresh(), "reason": "again"}
    seal = {"eventId": fresh(), "eventType": "WORKFLOW_SEALED"}
    paths = {"/task-events": end, f"/tasks/{task['taskId']}:retry": retry}
    paths[f"/workflows/{task['workflowId']}/events"] = seal
    first = {path: carol.api.post(path, body).ok() for path, body in paths.items()}
    with unchanged():
        for path, body in paths.items():
            repeated = carol.api.post(path, body).ok()
            assert repeated == (again(first[path]) if "duplicate" in first[path] else first[path])


@pytest.mark.accepts("C01")
def test_another_tenants_equal_event_id_is_another_event(carol):
    """Tenants don't share event ids: neither blocks the other, nor learns of it."""
    event_id = fresh()
    elsewhere = coordinator(tenant="umbrella")
    for teller in (carol, elsewhere):
        task = teller.task()
        assert teller.end(task["taskId"], eventId=event_id)["duplicate"] is False


@pytest.mark.accepts("C02")
@pytest.mark.parametrize("member", OTHER)
def test_an_event_id_with_any_other_content_is_refused(carol, member):
    """A known eventId with one member changed is refused, and nothing changes."""
    worker = carol.running()
    body = {"eventId": fresh(), "eventType": "STEP_PROGRESS", **CONTENT}
    worker.send(body).ok()
    changed = {**body, member: OTHER[member]}
    if member == "eventType":
        changed = {"eventId": body["eventId"], "eventType": "STEP_STARTED", "sourceSeq": 9}
    with unchanged():
        worker.send(changed).refused(409, "EVENT_ID_REUSED")


@pytest.mark.accepts("C02")
def test_an_event_id_of_another_execution_is_refused(carol):
    """The same words about another execution are another event, in the same task and in another."""
    task = carol.task(step_body("s1"), step_body("s2"))
    workers = [carol.worker(task["taskId"], "s1"), carol.worker(task["taskId"], "s2")]
    workers.append(carol.worker(carol.task(step_body())["taskId"]))
    body = workers[0].event("STEP_STARTED")
    workers[0].send(body).ok()
    with unchanged():
        for other in workers[1:]:
            other.send(body).refused(409, "EVENT_ID_REUSED")


@pytest.mark.accepts("C02")
def test_an_event_id_of_another_task_attempt_or_teller_is_refused(carol):
    """A task event's identity holds its task, the attempt and who told it; of a step's event nobody can make it."""
    worker = carol.running()
    step_event = worker.event("STEP_COMPLETED")
    worker.send(step_event).ok()
    task_id, other_task = worker.context["taskId"], carol.task()["taskId"]
    body = {"eventId": fresh(), "eventType": "TASK_FAILED", "taskId": task_id, "taskAttempt": 1, "error": error_body()}
    carol.api.post("/task-events", body).ok()
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    deputy = coordinator(name="deputy").api
    attempts = [
        (carol.api, "/task-events", {**body, "taskAttempt": 2}),
        (carol.api, "/task-events", {**body, "taskId": other_task}),
        (carol.api, "/task-events", {**body, "eventId": step_event["eventId"]}),
        (carol.api, "/task-events", {**body, "error": error_body(userMessage="It broke!")}),
        (deputy, "/task-events", body),
        (carol.api, f"/tasks/{task_id}:retry", {"eventId": body["eventId"], "reason": "again"}),
        (
            carol.api,
            f"/workflows/{worker.context['workflowId']}/events",
            {"eventId": body["eventId"], "eventType": "WORKFLOW_SEALED"},
        ),
    ]
    with unchanged():
        for api, path, sent in attempts:
            api.post(path, sent).refused(409, "EVENT_ID_REUSED")
