"""How many statements each use case sends, its BEGIN and COMMIT included; each budget lists them."""

import functools
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from taskstatus.queries import known_handles
from tests.faults.reports import with_progress_of_this_moment
from tests.support.api import Answer, fresh, service_api, user_api
from tests.support.beats import PATH, beat
from tests.support.cast import ALICE, BOB, Coordinator, Worker, coordinator, step_body, task_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("definitions_at_hand")]


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def statements(call: Callable[[], Answer]) -> tuple[Any, list[str]]:
    """The answer's body of an accepted request, and the beginnings of the statements that it sends."""
    with CaptureQueriesContext(connection) as captured:
        body = call().ok()
    return body, [query["sql"][:60] for query in captured]


# begin, lock the task, read its steps with their leases, read the eventIds, update task, step and lease (or open, or
# end it), log the event, remember the eventId, write two messages, commit. The contract's limit is 12.
SINGLE_REPORT = 11


@pytest.mark.parametrize("event_type", ["STEP_STARTED", "STEP_PROGRESS", "STEP_COMPLETED"])
def test_a_single_report(carol, event_type):
    worker = carol.worker(carol.task(step_body(), step_body("s2"))["taskId"])
    if event_type != "STEP_STARTED":
        worker.started()
    members: dict[str, Any] = {"progressSeq": 1, "progress": {"current": 1}} if event_type == "STEP_PROGRESS" else {}
    _, sent = statements(lambda: worker.report(event_type, **members))
    assert len(sent) <= SINGLE_REPORT, sent


# The same, and the lookup of the handle before the transaction.
def test_a_report_by_handle(carol):
    worker = carol.worker(carol.task(step_body())["taskId"], handle=True)
    _, sent = statements(lambda: worker.report("STEP_STARTED"))
    assert len(sent) <= SINGLE_REPORT + 1, sent


# begin, lock, steps, eventIds, update the step's pending columns and the lease, commit.
def test_coalesced_progress(carol):
    worker = with_progress_of_this_moment(carol)
    _, sent = statements(lambda: worker.send(worker.progress_event(current=2)))
    assert len(sent) <= 7, sent


# begin, lock, steps, eventIds, commit: a duplicate writes nothing.
def test_a_duplicate(carol):
    worker = carol.running()
    event = worker.event("STEP_COMPLETED")
    worker.send(event).ok()
    _, sent = statements(lambda: worker.send(event))
    assert len(sent) <= 5, sent


# The lookup of the handles, then one transaction as for a single report, with leases opened, renewed and ended:
# two more. A statement's rows are split where the database takes no more values (SQLite: eventIds, events, messages).
BATCH_OF_100 = {"mysql": 14, "sqlite": 18}


def test_a_batch_of_a_hundred_reports_on_a_hundred_tasks(carol):
    workers = a_hundred_workers(carol)
    starts, running = workers[:34], workers[34:]
    api = service_api("worker-a", "worker")
    api.post("/task-events:batch", {"events": [worker.event("STEP_STARTED") for worker in running]}).ok()
    events = [worker.event("STEP_STARTED") for worker in starts]
    events += [worker.progress_event() for worker in running[:33]]
    events += [worker.event("STEP_COMPLETED") for worker in running[33:]]
    body, sent = statements(lambda: api.post("/task-events:batch", {"events": events}))
    assert all(item["accepted"] for item in body["results"])
    assert len(sent) <= BATCH_OF_100[connection.vendor], sent


def a_hundred_workers(carol: Coordinator, *, started: bool = False) -> list[Worker]:
    """Workers of a hundred tasks, reporting by handle."""
    created = carol.workflow(*[task_body(step_body()) for _ in range(100)])
    workers = [carol.worker(task["taskId"], handle=True) for task in created["tasks"]]
    if started:
        starts = {"events": [worker.event("STEP_STARTED") for worker in workers]}
        service_api("worker-a", "worker").post("/task-events:batch", starts).ok()
    return workers


# The lookup of the handles, once in a process; begin; read the clock, and the executions with their leases and tasks;
# renew the leases; commit.
def test_a_batch_of_a_hundred_beats(carol):
    beats = [beat(worker) for worker in a_hundred_workers(carol, started=True)]
    known_handles.forget()
    for number, budget in enumerate((6, 5), start=1):
        batch = {"heartbeats": [{**one, "heartbeatSeq": number} for one in beats]}
        call = functools.partial(service_api("worker-a", "worker").post, PATH, batch)
        body, sent = statements(call)
        assert all(item["accepted"] and not item["duplicate"] for item in body["results"])
        assert len(sent) <= budget, sent


# begin; read the clock and the executions; commit: what is refused or known writes nothing.
def test_beats_that_renew_nothing(carol):
    worker = carol.running()
    beats = {"heartbeats": [beat(worker), beat(worker, executionToken="none")]}
    api = service_api("worker-a", "worker")
    api.post(PATH, beats).ok()
    body, sent = statements(lambda: api.post(PATH, beats))
    assert [item["reason"] for item in body["results"]] == [None, "TOKEN_INVALID"]
    assert len(sent) <= 4, sent


# begin; read clock and epoch, and the key; insert workflow and its grants; read outside numbers; insert tasks, steps,
# grants and outside numbers; log, messages; the workflow's log row, counts and message; commit.
def test_creating_a_workflow_with_tasks(carol):
    carol.workflow()  # the first in a fresh database makes the row of the epoch as well
    shared = [{"principalType": "USER", "principalId": BOB, "permission": "VIEW"}]
    tasks = [
        task_body(step_body(), sharedWith=shared, externalRefs=[{"refType": "ORDER", "refValue": str(number)}])
        for number in range(5)
    ]
    body = {"clientWorkflowKey": fresh(), "ownerId": ALICE, "title": "T", "sharedWith": shared, "initialTasks": tasks}
    _, sent = statements(lambda: carol.api.post("/workflows", body))
    assert len(sent) <= 16, sent


# begin; lock the workflow; read the key; insert task and steps; log, messages; update the workflow; its log row, counts
# and message; commit.
def test_adding_a_task(carol):
    path = f"/workflows/{carol.workflow()['workflowId']}/tasks"
    _, sent = statements(lambda: carol.api.post(path, task_body(step_body())))
    assert len(sent) <= 12, sent


# begin; lock the task; read its steps; read the command; insert the command; update task and step; log, messages;
# insert the handle; commit. A next attempt inserts its step too.
@pytest.mark.parametrize(("supersede", "budget"), [(False, 11), (True, 13)])
def test_activating_a_step(carol, supersede, budget):
    worker = carol.running() if supersede else None
    task_id = worker.context["taskId"] if worker else carol.task(step_body())["taskId"]
    body = {"producerId": "worker-a", "commandId": fresh(), "supersede": supersede}
    _, sent = statements(lambda: carol.api.post(f"/tasks/{task_id}/steps/s1:activate", body))
    assert len(sent) <= budget, sent


# begin; lock the task; read its steps; look for the attempt; count the dynamic ones; read the step's last version;
# insert the step; update the task; log, messages; insert the handle; commit.
def test_registering_an_execution(carol):
    task_id = carol.task()["taskId"]
    body = {"clientStepKey": "page-1", "operationCode": "OPS.RUN", "producerId": "worker-a"}
    _, sent = statements(lambda: carol.api.post(f"/tasks/{task_id}/executions:register", body))
    assert len(sent) <= 12, sent


# begin; whether the user sees the task; lock it; read its steps; read the user's grants, where it isn't their own; look
# for the first answer; insert the audit's entry; update the task; log, the answer, messages; commit.
@pytest.mark.parametrize(("user_id", "budget"), [(ALICE, 11), (BOB, 12)])
def test_asking_for_cancellation(carol, user_id, budget):
    task_id = carol.running(
        sharedWith=[{"principalType": "USER", "principalId": BOB, "permission": "OPERATE"}]
    ).context["taskId"]
    user, path = user_api(user_id), f"/tasks/{task_id}:requestCancel"
    first, sent = statements(lambda: user.post(path, {"reason": "Wrong file."}))
    assert len(sent) <= budget, sent
    again, sent = statements(lambda: user.post(path))
    assert first == again
    assert len(sent) <= budget - 5, sent
