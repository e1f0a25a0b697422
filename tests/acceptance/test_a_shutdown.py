"""A07, and C01 across processes: a web server that is told to end finishes what it began, and nothing else."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from taskstatus.config.gunicorn import graceful_timeout
from taskstatus.models import TaskEvent
from tests.support.api import fresh
from tests.support.cast import coordinator
from tests.support.server import BROKEN, REQUEST_SECONDS, serving
from tests.support.waiting import eventually

EVENTS = 500
# Between the signal's sending and its arrival a request or two may still be taken.
MOST_TAKEN_LATE = 5


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
    """Report about a task, each time on a new connection, until none is taken: the answered and the unanswered ids."""
    answered = []
    while True:
        body = {"eventId": fresh(), "eventType": "TASK_STATUS_CHANGED", "businessStatus": "RUNNING"}
        try:
            status, _ = server.post("/task-events", carol.api.token, {**body, "taskId": task_id, "taskAttempt": 1})
        except BROKEN:
            return answered, [body["eventId"]]
        assert status == 200
        answered.append(body["eventId"])


@pytest.mark.accepts("A07")
@pytest.mark.accepts("C01")
def test_a_server_told_to_end_finishes_its_batch_and_a_later_one_knows_it(carol, tmp_path):
    """SIGTERM amid a batch: nothing new is begun, all of it becomes facts and is answered in time; it repeats later."""
    worker, other_task = carol.running(), carol.task()["taskId"]
    token, body = worker.context["executionToken"], batch(worker)
    with serving(tmp_path) as server, ThreadPoolExecutor() as pool:
        call = pool.submit(server.post, "/task-events:batch", token, body)
        eventually(lambda: reported() > 0, REQUEST_SECONDS, "the first transaction")
        server.terminate()
        assert reported() < EVENTS, "the batch was over too soon to be interrupted"
        answered, unanswered = report_until_refused(server, carol, other_task)
        status, answer = call.result(REQUEST_SECONDS)
        assert server.wait(graceful_timeout) == 0
        assert not server.listens()
    assert (status, [result["accepted"] for result in answer["results"]]) == (200, [True] * EVENTS)
    assert reported() == EVENTS
    assert len(answered) <= MOST_TAKEN_LATE
    late = TaskEvent.objects.filter(event_id__in=answered + unanswered).values_list("event_id", flat=True)
    assert sorted(late) == sorted(answered)
    with serving(tmp_path) as server:
        _, again = server.post("/task-events:batch", token, body)
    assert again["results"] == [{**result, "duplicate": True} for result in answer["results"]]
    assert reported() == EVENTS
