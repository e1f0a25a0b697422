"""A07, and C01 across processes: a web server that is told to end finishes what it began, and nothing else."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from taskstatus.models import TaskEvent
from tests.support.api import fresh
from tests.support.cast import coordinator
from tests.support.halting import GO_ON, STANDING
from tests.support.server import BROKEN, serving
from tests.support.waiting import PATIENCE_SECONDS, eventually

EVENTS = 500
STANDING_STILL = ("-m", "gunicorn", "-c", "python:tests.support.halting")


@pytest.fixture
def carol(transactional_db):
    """Return a coordinator whose work other processes see."""
    return coordinator()


def batch(worker):
    """Reports that each become a version, for several transactions."""
    return {"events": [worker.progress_event(current=n, total=EVENTS, phaseCode=f"P{n}") for n in range(EVENTS)]}


def reported():
    """How many of the reports have become facts."""
    return TaskEvent.objects.filter(event_type="STEP_PROGRESS").count()


def report_until_refused(server, carol, task_id):
    """Report about a task, each time on a new connection, until none is taken: the answered and the unanswered ids.

    Between the signal's sending and its arrival some are still taken.
    """
    answered = []
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        body = {"eventId": fresh(), "eventType": "TASK_STATUS_CHANGED", "businessStatus": "RUNNING"}
        try:
            status, _ = server.post("/task-events", carol.api.token, {**body, "taskId": task_id, "taskAttempt": 1})
        except BROKEN:
            return answered, [body["eventId"]]
        assert status == 200
        answered.append(body["eventId"])
    pytest.fail("the server goes on to take reports")


@pytest.mark.accepts("A07")
@pytest.mark.accepts("C01")
def test_a_server_told_to_end_finishes_its_batch_and_a_later_one_knows_it(carol, tmp_path):
    """SIGTERM amid a batch: soon nothing new is begun, all of it becomes facts and is answered; it repeats later."""
    worker, other_task = carol.running(), carol.task()["taskId"]
    token, body = worker.context["executionToken"], batch(worker)
    with serving(tmp_path, STANDING_STILL) as server, ThreadPoolExecutor() as pool:
        call = pool.submit(server.post, "/task-events:batch", token, body)
        eventually((tmp_path / STANDING).exists, what="the first transaction")
        assert 0 < reported() < EVENTS
        server.terminate()
        answered, unanswered = report_until_refused(server, carol, other_task)
        (tmp_path / GO_ON).touch()
        status, answer = call.result(PATIENCE_SECONDS)
        assert server.wait(PATIENCE_SECONDS) == 0
        assert not server.listens()
    assert (status, [result["accepted"] for result in answer["results"]]) == (200, [True] * EVENTS)
    assert reported() == EVENTS
    late = TaskEvent.objects.filter(event_id__in=answered + unanswered).values_list("event_id", flat=True)
    assert sorted(late) == sorted(answered)
    with serving(tmp_path) as server:
        _, again = server.post("/task-events:batch", token, body)
    assert again["results"] == [{**result, "duplicate": True} for result in answer["results"]]
    assert reported() == EVENTS
