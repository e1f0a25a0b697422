"""Deadlocks and lock waits: tried again within bounds, then told as DATABASE_BUSY (C32)."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from taskstatus.models import Task, TaskEvent
from tests.support.api import service_api
from tests.support.cast import Coordinator, Worker, coordinator
from tests.support.rival import Rival, after_first, at_first_error, rival
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C32"), pytest.mark.usefixtures("row_locks")]

WAIT_SECONDS = 60
DEDUP_ROW = (
    "INSERT INTO task_event_dedup"
    " (tenant_id, event_id, authority_scope, producer_id, aggregate_id, payload_hash, result, created_at)"
    " VALUES ('acme', %s, 's', 'p', 'a', 'h', '{}', NOW())"
)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def troubles(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What made use cases begin again, as they told the log."""
    return [record.getMessage() for record in caplog.records if record.name == "taskstatus.services.unit_of_work"]


def test_the_victim_of_a_deadlock_tries_again_and_is_accepted_once(carol, caplog):
    worker = carol.running()
    event = worker.event("STEP_COMPLETED")
    with rival() as other, ThreadPoolExecutor(1) as pool:
        make_heavy(other)
        other.run(DEDUP_ROW, event["eventId"])  # the service holds the task and will want this key
        task_is_locked = threading.Event()
        crossing = pool.submit(want_task, other, worker, task_is_locked)
        with after_first("FOR UPDATE", task_is_locked.set):
            receipt = worker.send(event).ok()
        crossing.result(WAIT_SECONDS)
    assert troubles(caplog) == ["use case met CONFLICT"]
    assert (receipt["accepted"], receipt["duplicate"], receipt["taskVersion"]) == (True, False, "4")
    assert TaskEvent.objects.filter(event_id=event["eventId"]).count() == 1


def make_heavy(other: Rival) -> None:
    """Change so much that of two deadlocked transactions the server gives up the service's."""
    for number in range(200):
        other.run(DEDUP_ROW, f"ballast-{number}")


def want_task(other: Rival, worker: Worker, task_is_locked: threading.Event) -> None:
    """Ask for the lock that the service holds, and let all go when it comes."""
    assert task_is_locked.wait(WAIT_SECONDS)
    other.lock_task(worker.context["taskId"])
    other.let_go()


@pytest.mark.usefixtures("impatient")
def test_a_lock_that_is_freed_in_time_costs_a_second_try(carol, caplog):
    worker = carol.running()
    with rival() as other:
        other.lock_task(worker.context["taskId"])
        with at_first_error(other.let_go):
            receipt = worker.completed()
    assert troubles(caplog) == ["use case met CONFLICT"]
    assert (receipt["duplicate"], receipt["taskVersion"]) == (False, "4")


@pytest.mark.usefixtures("impatient")
def test_a_lock_that_is_never_freed_is_told_as_busy_and_changes_nothing(carol, caplog):
    worker = carol.running()
    event = worker.event("STEP_COMPLETED")
    with rival() as other, unchanged():
        other.lock_task(worker.context["taskId"])
        answer = worker.send(event)
    problem = answer.refused(503, "DATABASE_BUSY")
    assert problem["retryable"] is True
    assert int(answer.headers["Retry-After"]) >= 1
    assert len(troubles(caplog)) == 4
    assert worker.send(event).ok()["duplicate"] is False
    assert Task.objects.get().version == 4


@pytest.mark.usefixtures("impatient")
def test_a_batch_whose_tasks_are_locked_tells_it_of_each_report_and_changes_nothing(carol):
    workers = [carol.running(), carol.running()]
    batch: dict[str, Any] = {"events": []}
    for worker in workers:
        event = worker.event("STEP_COMPLETED")
        batch["events"].append(event | {"executionHandle": worker.context["executionHandle"]})
    api = service_api("worker-a", "worker")
    with rival() as other, unchanged():
        other.lock_task(workers[1].context["taskId"])
        items = api.post("/task-events:batch", batch).ok()["results"]
    assert [(item["accepted"], item["error"]["code"]) for item in items] == [(False, "DATABASE_BUSY")] * 2
    again = api.post("/task-events:batch", batch).ok()["results"]
    assert [(item["accepted"], item["duplicate"]) for item in again] == [(True, False)] * 2
