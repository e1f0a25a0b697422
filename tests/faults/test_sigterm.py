"""SIGTERM to the whole service amid a transaction: it is finished and answered, and every process ends (A07)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from taskstatus.models import Task, TaskEvent
from tests.support.api import fresh
from tests.support.cast import coordinator, task_body
from tests.support.rival import rival
from tests.support.server import WHOLE_SERVICE, serving
from tests.support.waiting import PATIENCE_SECONDS, eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.accepts("A07"),
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("row_locks"),
]

# The service takes a batch in transactions of 100 reports: each task here is one of them.
TASKS, REPORTS_A_TASK = 5, 100


def test_a_batch_that_runs_at_sigterm_is_answered_whole_and_every_process_ends(tmp_path: Path) -> None:
    carol = coordinator()
    task_ids = [task["taskId"] for task in carol.workflow(*[task_body() for _ in range(TASKS)])["tasks"]]
    with serving(tmp_path, WHOLE_SERVICE) as server, rival() as other, ThreadPoolExecutor(1) as pool:
        other.lock_task(task_ids[2])
        answer = pool.submit(server.post, "/task-events:batch", carol.api.token, a_batch(task_ids))
        eventually(lambda: versions(task_ids) == [101, 101, 1, 1, 1], PATIENCE_SECONDS, "the first two transactions")
        all_processes = len(server.processes())
        server.terminate()
        eventually(lambda: len(server.processes()) < all_processes, PATIENCE_SECONDS, "the end of what was idle")
        other.let_go()
        status, body = answer.result(PATIENCE_SECONDS)
        assert server.wait(PATIENCE_SECONDS) == 0
        assert server.processes() == []
    assert (status, len(body["results"])) == (200, TASKS * REPORTS_A_TASK)
    assert {(item["accepted"], item["duplicate"]) for item in body["results"]} == {(True, False)}
    assert versions(task_ids) == [1 + REPORTS_A_TASK] * TASKS
    assert TaskEvent.objects.count() == TASKS * (1 + REPORTS_A_TASK)


def a_batch(task_ids: list[str]) -> dict[str, Any]:
    """The largest batch: all reports of the first task, then of the second, and so on."""
    common = {"eventType": "TASK_STATUS_CHANGED", "businessStatus": "RUNNING", "taskAttempt": 1}
    return {"events": [{"eventId": fresh(), "taskId": t, **common} for t in task_ids for _ in range(REPORTS_A_TASK)]}


def versions(task_ids: list[str]) -> list[int]:
    """The committed versions of the tasks, in their order."""
    found = dict(Task.objects.filter(pk__in=task_ids).values_list("pk", "version"))
    return [found[task_id] for task_id in task_ids]
