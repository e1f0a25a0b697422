"""C24, C29: how long things took is what was measured, and adds up."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F

from taskstatus.models import Step, Task, TaskEvent
from tests.support.api import fresh
from tests.support.cast import step_body
from tests.support.unchanged import unchanged

MAX = 2**63 - 1


def between(detail, earlier, later):
    """The milliseconds between two times as a reader of the detail finds them."""
    return (datetime.fromisoformat(detail[later]) - datetime.fromisoformat(detail[earlier])) / timedelta(milliseconds=1)


def backdate(task_id, seconds, *columns):
    """Let so many seconds pass after these moments of the task."""
    earlier = {column: F(column) - timedelta(seconds=seconds) for column in columns}
    Task.objects.filter(pk=task_id).update(**earlier)


def numbers(detail):
    """queue, run and total, in ms."""
    return detail["queueDurationMs"], detail["durationMs"], detail["totalDurationMs"]


@pytest.mark.accepts("C24")
@pytest.mark.parametrize("duration_ms", [0, 1, 86_400_000, MAX])
def test_a_measured_duration_is_stored_as_sent(carol, duration_ms):
    """What the worker's monotonic clock says stays, however little it fits the wall clocks of anyone."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    worker.completed(durationMs=duration_ms, occurredAt="1970-01-01T00:00:00Z")
    (step,) = carol.detail(task_id)["steps"]
    assert (step["durationMs"], step["durationSource"]) == (duration_ms, "MONOTONIC")
    logged = TaskEvent.objects.get(task_id=task_id, event_type="STEP_COMPLETED")
    assert (logged.duration_ms, logged.duration_source) == (duration_ms, "MONOTONIC")
    carol.end(task_id, durationMs=duration_ms)
    assert carol.detail(task_id)["durationMs"] == duration_ms


@pytest.mark.accepts("C24")
def test_an_estimate_is_marked_as_one(carol):
    """A worker that lost its clock says that it estimates, and the mark is stored with the number."""
    worker = carol.running()
    worker.completed(durationMs=7, durationSource="WALL_CLOCK_ESTIMATE")
    (step,) = carol.detail(worker.context["taskId"])["steps"]
    assert (step["durationMs"], step["durationSource"]) == (7, "WALL_CLOCK_ESTIMATE")


@pytest.mark.accepts("C24")
def test_a_step_that_measured_nothing_has_no_duration(carol):
    """The difference of two clocks never stands in for a measurement."""
    worker = carol.running()
    Step.objects.update(started_at=F("started_at") - timedelta(hours=1))
    worker.completed()
    (step,) = carol.detail(worker.context["taskId"])["steps"]
    assert (step["durationMs"], step["durationSource"]) == (None, None)
    assert step["elapsedMs"] >= 3_600_000


@pytest.mark.accepts("C24")
@pytest.mark.parametrize(
    "members",
    [
        {"durationMs": -1},
        {"durationMs": MAX + 1},
        {"durationMs": 1.5},
        {"durationMs": "1"},
        {"durationSource": "MONOTONIC"},
        {"durationMs": 1, "durationSource": "GUESS"},
    ],
)
def test_no_other_duration_is_taken(carol, members):
    """Negative, too large, broken, or a source without a duration: refused."""
    worker = carol.running()
    with unchanged():
        worker.report("STEP_COMPLETED", **members).refused(400, "INVALID_FIELD")


@pytest.mark.accepts("C29")
def test_queue_run_and_total_add_up(carol):
    """Waiting counts to the first start, running from the start, the whole from the creation; unknown ones are null."""
    task_id = carol.task(step_body())["taskId"]
    assert numbers(carol.detail(task_id)) == (None, None, None)
    backdate(task_id, 10, "created_at")
    worker = carol.worker(task_id)
    worker.started()
    running = carol.detail(task_id)
    assert numbers(running) == (between(running, "createdAt", "startedAt"), None, None)
    backdate(task_id, 5, "created_at", "started_at", "first_started_at")
    carol.end(task_id)
    ended = carol.detail(task_id)
    queue, run, total = numbers(ended)
    assert queue == between(ended, "createdAt", "startedAt") >= 10_000
    assert run == between(ended, "startedAt", "finishedAt") >= 5_000
    assert total == between(ended, "createdAt", "finishedAt") == queue + run


@pytest.mark.accepts("C29")
def test_a_retry_goes_on_counting_the_users_wait(carol):
    """After a retry the run is the new attempt's alone, the queue still the first one's, and the total spans both."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED")
    first = carol.detail(task_id)
    backdate(task_id, 60, "created_at", "first_started_at", "started_at", "finished_at")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    waiting = carol.detail(task_id)
    assert numbers(waiting) == (first["queueDurationMs"], None, None)
    assert (waiting["startedAt"], waiting["finishedAt"], waiting["elapsedMs"]) == (None, None, None)
    carol.worker(task_id).started()
    carol.end(task_id, taskAttempt=2)
    ended = carol.detail(task_id)
    queue, run, total = numbers(ended)
    assert queue == first["queueDurationMs"]
    assert run == between(ended, "startedAt", "finishedAt") < 60_000
    assert total == between(ended, "createdAt", "finishedAt") >= 60_000


@pytest.mark.accepts("C29")
def test_a_reported_run_time_wins_over_the_services_clock(carol):
    """The ending event's own measurement is the run; queue and total stay the service's."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    carol.end(task_id, durationMs=1_234_567)
    _, run, total = numbers(carol.detail(task_id))
    assert run == 1_234_567
    assert total < 1_234_567


@pytest.mark.accepts("C29")
def test_a_task_that_never_ran_has_waited_only(carol):
    """Ended without a start, it has a total, and neither queue nor run."""
    task_id = carol.task()["taskId"]
    carol.end(task_id, "TASK_CANCELLED")
    queue, run, total = numbers(carol.detail(task_id))
    assert (queue, run) == (None, None)
    assert total >= 0


@pytest.mark.accepts("C29")
def test_a_clock_that_jumped_back_makes_no_duration_negative(carol):
    """After the database's clock was set back, durations are zero until it has caught up."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    task_id = worker.context["taskId"]
    ahead = datetime.now(UTC) + timedelta(hours=1)
    Task.objects.filter(pk=task_id).update(created_at=ahead, updated_at=ahead)
    worker.started()
    worker.completed()
    carol.end(task_id)
    detail = carol.detail(task_id)
    assert numbers(detail) == (0, 0, 0)
    assert detail["elapsedMs"] == 0
