"""Reports of eight processes at once: every version is given once, and the log holds all of them (C18)."""

import random
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest

from outbox.models import OutboxMessage
from taskstatus.models import EventDedup, Task, TaskEvent
from tests.support.api import Answer, Api, fresh
from tests.support.cast import Coordinator, Worker, coordinator, step_body, task_body
from tests.support.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C18")]

PROCESSES = 8


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def send_all(api: Api, bodies: list[dict[str, Any]]) -> list[Answer]:
    """Send single reports one after the other."""
    return [api.post("/task-events", body) for body in bodies]


def assert_gapless(task_id: str, step_ids: Iterable[str] = ()) -> None:
    """The task's log holds 1..N, its outbox tells each of them twice, and each step's versions rise by one."""
    log = TaskEvent.objects.filter(task_id=task_id).order_by("pk")
    version = Task.objects.get(pk=task_id).version
    assert sorted(log.values_list("task_version", flat=True)) == list(range(1, version + 1))
    told = OutboxMessage.objects.filter(aggregate_id=task_id).values_list("aggregate_version", flat=True)
    assert sorted(told) == sorted([*range(1, version + 1)] * 2)
    for step_id in step_ids:
        of_step = log.filter(step_id=step_id).order_by("task_version").values_list("step_version", flat=True)
        assert list(of_step) == list(range(2, len(of_step) + 2)), step_id


def test_eight_workers_of_one_task_get_versions_of_their_own(carol):
    step_ids = [f"s{number}" for number in range(PROCESSES)]
    task_id = carol.task(*map(step_body, step_ids))["taskId"]
    workers = [carol.worker(task_id, step_id) for step_id in step_ids]
    calls = [partial(send_all, worker.api, a_whole_run(worker, phases=10)) for worker in workers]
    receipts = [[answer.ok() for answer in answers] for answers in together(calls)]
    of_reports = [int(receipt["taskVersion"]) for of_worker in receipts for receipt in of_worker]
    first = 1 + PROCESSES + 1  # after the creation and the activations
    assert sorted(of_reports) == list(range(first, first + PROCESSES * 12))
    for of_worker in receipts:
        assert {r["accepted"] and not r["duplicate"] and not r["stale"] for r in of_worker} == {True}
        versions = [int(receipt["taskVersion"]) for receipt in of_worker]
        assert versions == sorted(versions)
    assert_gapless(task_id, step_ids)
    assert {step["lifecycleStatus"] for step in carol.detail(task_id)["steps"]} == {"SUCCEEDED"}


def a_whole_run(worker: Worker, phases: int) -> list[dict[str, Any]]:
    """The events of a step from its start to its end; a new phase each time, so that none is coalesced."""
    start = worker.event("STEP_STARTED")
    middle = [worker.progress_event(current=n, phaseCode=f"PHASE_{n}") for n in range(1, phases + 1)]
    return [start, *middle, worker.event("STEP_COMPLETED")]


def test_eight_processes_of_one_execution_are_in_order_or_stale(carol):
    worker = carol.running()
    events = [worker.progress_event(current=n, total=80, phaseCode=f"P{n}") for n in range(80)]
    shares = [events[start::PROCESSES] for start in range(PROCESSES)]
    answers = together([partial(send_all, worker.api, share) for share in shares])
    seq_of = {event["eventId"]: event["sourceSeq"] for event in events}
    receipts = [answer.ok() for of_process in answers for answer in of_process]
    kept = sorted((int(r["taskVersion"]), seq_of[r["eventId"]]) for r in receipts if r["accepted"])
    late = [receipt for receipt in receipts if not receipt["accepted"]]
    assert [seq for _, seq in kept] == sorted(seq for _, seq in kept)
    assert [version for version, _ in kept] == list(range(4, 4 + len(kept)))
    assert {(receipt["stale"], receipt["reason"]) for receipt in late} <= {(True, "STALE_SEQUENCE")}
    assert len(kept) + len(late) == 80
    assert kept[-1][1] == worker.source_seq  # the last of the stream can't be late
    assert_gapless(worker.context["taskId"], ["s1"])


def test_eight_processes_with_batches_over_fifty_tasks_in_any_order(carol):
    created = carol.workflow(*[task_body() for _ in range(50)])
    task_ids = [task["taskId"] for task in created["tasks"]]
    batches = [[a_batch(task_ids, random.Random(seed * 3 + n)) for n in range(3)] for seed in range(PROCESSES)]
    answers = together([partial(send_batches, carol.api, of_process) for of_process in batches])
    items = [item for of_process in answers for item in of_process]
    assert {(item["accepted"], item["duplicate"], item["reason"]) for item in items} == {(True, False, None)}
    for task_id in task_ids:
        versions = sorted(int(item["taskVersion"]) for item in items if item["taskId"] == task_id)
        assert versions == list(range(2, 2 + PROCESSES * 3))
        assert_gapless(task_id)
    assert EventDedup.objects.count() == 50 * PROCESSES * 3


def a_batch(task_ids: list[str], order: random.Random) -> dict[str, Any]:
    """A status event for each task, in an order of its own."""
    shuffled = order.sample(task_ids, len(task_ids))
    common = {"eventType": "TASK_STATUS_CHANGED", "businessStatus": "RUNNING", "taskAttempt": 1}
    return {"events": [{"eventId": fresh(), "taskId": task_id, **common} for task_id in shuffled]}


def send_batches(api: Api, batches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send the batches one after the other; the outcomes of all."""
    return [item for batch in batches for item in api.post("/task-events:batch", batch).ok()["results"]]
