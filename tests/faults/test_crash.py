"""kill -9 under load: whoever got no answer sends again, and every report counts once (A01)."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from taskstatus.models import Task, TaskEvent
from tests.support.cast import Worker, coordinator, step_body, task_body
from tests.support.rival import others_at, rival
from tests.support.server import BROKEN, Server, serving
from tests.support.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("A01"), pytest.mark.timeout(900)]

TASKS, STEPS, PHASES = 2, 4, 30
# For the load as a whole, and for an answer where the service is started again before it.
PATIENCE_SECONDS = 240

Events = list[dict[str, Any]]


class Outbox:
    """A worker's own outbox: it sends each event until it has an answer, and keeps what it was told."""

    def __init__(self, server: Server, worker: Worker) -> None:
        self._server, self._token = server, worker.context["executionToken"]
        self.events: Events = [worker.event("STEP_STARTED")]
        self.events += [worker.progress_event(phaseCode=f"PHASE_{number}") for number in range(PHASES)]
        self.events.append(worker.event("STEP_COMPLETED"))
        self.receipts: Events = []
        self.unanswered = 0

    def deliver(self) -> None:
        """Send all events in order."""
        for event in self.events:
            eventually(partial(self._try, event), PATIENCE_SECONDS, "an answer")

    def _try(self, event: dict[str, Any]) -> bool:
        try:
            status, body = self._server.post("/task-events", self._token, event)
        except BROKEN:
            self.unanswered += 1
            return False
        assert status == 503 or body["accepted"], body
        if status == 200:
            self.receipts.append(body)
        return status == 200


def kill_a_worker(server: Server) -> None:
    """End the web worker with most requests; the master starts another."""
    eventually(server.workers, what="a worker")
    os.kill(max(server.workers(), key=open_sockets), signal.SIGKILL)


def open_sockets(pid: int) -> int:
    """How many connections a process holds: its listener, its database's, and one for each request."""
    found = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found += descriptor.readlink().name.startswith("socket:")
    return found


def kill_all_and_restart(server: Server) -> None:
    """End every process of the service, and start it again."""
    server.kill_everything()
    server.start()


@pytest.mark.parametrize(("kill", "times"), [(kill_a_worker, 5), (kill_all_and_restart, 2)])
def test_reports_that_a_crash_left_unanswered_count_once_when_sent_again(
    tmp_path: Path, kill: Callable[[Server], None], times: int
) -> None:
    with serving(tmp_path) as server, ThreadPoolExecutor(TASKS * STEPS) as pool:
        outboxes = [Outbox(server, worker) for worker in workers()]
        deliveries = [pool.submit(outbox.deliver) for outbox in outboxes]
        for number in range(1, times + 1):
            wait_for_receipts(outboxes, TASKS * STEPS * PHASES * number // (times + 1))
            # By turns while a request is surely in mid-transaction, and at any moment.
            with a_request_in_mid_transaction() if number % 2 else nullcontext():
                kill(server)
        for delivery in deliveries:
            delivery.result(PATIENCE_SECONDS)
        assert sum(outbox.unanswered for outbox in outboxes) > 0, "no request was hit"
        assert_each_counted_once(outboxes)
        first = [outbox.receipts for outbox in outboxes]
        assert [unmarked(receipts) for receipts in sent_again(outboxes)] == [unmarked(receipts) for receipts in first]
        assert all(receipt["duplicate"] for outbox in outboxes for receipt in outbox.receipts)
        assert_each_counted_once(outboxes)


def test_workers_end_with_a_master_that_was_killed(tmp_path: Path) -> None:
    """Otherwise they would go on beside the next master's, whose port they hold."""
    with serving(tmp_path) as server:
        eventually(lambda: len(server.workers()) == 2, what="both workers")
        os.kill(server.pid, signal.SIGKILL)
        server.wait(PATIENCE_SECONDS)
        eventually(lambda: not server.workers(), what="the workers' end")
        server.start()


def workers() -> list[Worker]:
    """Workers with an execution each, on two tasks of four steps."""
    carol = coordinator()
    steps = [step_body(f"s{number}") for number in range(STEPS)]
    created = carol.workflow(*[task_body(*steps) for _ in range(TASKS)])
    return [carol.worker(task["taskId"], step["stepId"]) for task in created["tasks"] for step in steps]


def wait_for_receipts(outboxes: list[Outbox], number: int) -> None:
    """Wait until that many reports were answered."""
    eventually(lambda: sum(len(o.receipts) for o in outboxes) >= number, PATIENCE_SECONDS, "the load")


@contextmanager
def a_request_in_mid_transaction() -> Iterator[None]:
    """Hold the locks of all tasks until a request waits for one, and on; SQLite has no such lock to hold."""
    if not connection.features.has_select_for_update_skip_locked:
        yield
        return
    with rival() as other:
        for task_id in Task.objects.order_by("pk").values_list("pk", flat=True):
            other.lock_task(task_id)
        # Nobody gets such a lock now.
        eventually(partial(others_at, "FOR UPDATE"), PATIENCE_SECONDS, "the wait for the lock")
        yield


def sent_again(outboxes: list[Outbox]) -> list[Events]:
    """The receipts of all events, sent once more."""
    for outbox in outboxes:
        outbox.receipts = []
        outbox.deliver()
    return [outbox.receipts for outbox in outboxes]


def unmarked(receipts: Events) -> Events:
    """The receipts without the mark of a duplicate."""
    return [{**receipt, "duplicate": None} for receipt in receipts]


def assert_each_counted_once(outboxes: list[Outbox]) -> None:
    """Every event is one version, in its sender's order; each task's log holds 1..N and nothing else."""
    for outbox in outboxes:
        ids = [event["eventId"] for event in outbox.events]
        log = TaskEvent.objects.filter(event_id__in=ids).order_by("task_version")
        assert list(log.values_list("event_id", flat=True)) == ids
    for task in Task.objects.all():
        versions = TaskEvent.objects.filter(task_id=task.pk).order_by("task_version")
        assert task.version == 1 + STEPS + STEPS * (PHASES + 2)
        assert list(versions.values_list("task_version", flat=True)) == list(range(1, task.version + 1))
