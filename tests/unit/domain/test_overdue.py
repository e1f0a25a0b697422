"""What the clock alone says of an execution, and when it has to be asked again (ruling 15)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from taskstatus.domain.health import HEALTHY, HealthState, after_beat, found_by_clock
from taskstatus.domain.lifecycle import Health, HealthReason
from taskstatus.domain.overdue import escalation_due, next_look, overdue_reason
from tests.support.plain import NOW, PlainStep, PlainTask, running_step, running_task

NEVER = datetime(9999, 12, 31, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def waiting(since: float, **members: Any) -> PlainStep:
    """A step that was activated so many seconds ago and should have started within 10."""
    return PlainStep(activated_at=ago(since), start_deadline_seconds=10, **members)


def working(since: float, moved: float | None = None, **members: Any) -> PlainStep:
    """A step that started, and last moved, so many seconds ago; more than 10 without progress are too many."""
    return running_step(
        started_at=ago(since),
        progress_moved_at=None if moved is None else ago(moved),
        no_progress_seconds=10,
        **members,
    )


TASK = running_task(started_at=ago(100), max_duration_seconds=200)
LONG_TASK = running_task(started_at=ago(200), max_duration_seconds=200)


@pytest.mark.parametrize(
    ("step", "task", "reason"),
    [
        (waiting(9.999), TASK, None),
        (waiting(10), TASK, "NOT_STARTED"),
        (waiting(10), LONG_TASK, "NOT_STARTED"),
        (PlainStep(start_deadline_seconds=10), TASK, None),  # not activated
        (working(9.999), TASK, None),
        (working(10), TASK, "NO_PROGRESS"),
        (working(60, moved=9), TASK, None),
        (working(60, moved=10), LONG_TASK, "NO_PROGRESS"),
        (working(60, moved=9), LONG_TASK, "OVER_TIME"),
        (running_step(started_at=ago(60)), TASK, None),
        (running_step(started_at=ago(60)), LONG_TASK, "OVER_TIME"),
        (working(60, lifecycle_status="SUCCEEDED"), LONG_TASK, None),
        (running_step(started_at=ago(60)), PlainTask(max_duration_seconds=1), None),
    ],
)
def test_a_missed_deadline_has_a_reason_and_the_most_telling_is_named(step, task, reason):
    assert overdue_reason(step, task, NOW) == reason


def test_an_endless_deadline_is_never_missed():
    step = running_step(started_at=ago(60), no_progress_seconds=2**63 - 1)
    assert overdue_reason(step, running_task(max_duration_seconds=10**15), NEVER) is None
    assert next_look(step, running_task(max_duration_seconds=10**15)) is None


@pytest.mark.parametrize(
    ("step", "task", "seconds"),
    [
        (waiting(3), TASK, 7),
        (waiting(30, health="DEGRADED", health_reason="NOT_STARTED"), TASK, None),
        (working(3), TASK, 7),
        (working(3), running_task(started_at=ago(100), max_duration_seconds=105), 5),
        (working(30, health="DEGRADED", health_reason="NO_PROGRESS"), TASK, None),
        (working(3, health="DEGRADED", health_reason="OVER_TIME"), LONG_TASK, 7),
        (working(3, health="DEGRADED", health_reason="OPTIONAL_STEP_FAILED"), TASK, 7),
        (working(30, health="DEGRADED", health_reason="NOT_STARTED"), LONG_TASK, None),  # a reporter says worse
        (working(3, is_current=False), TASK, None),
        (working(3, health="STALE", health_reason="NO_HEARTBEAT", stale_since=ago(1)), TASK, None),
        (running_step(), running_task(), None),
    ],
)
def test_the_next_look_is_at_the_first_deadline_that_would_be_news(step, task, seconds):
    assert next_look(step, task) == (None if seconds is None else NOW + timedelta(seconds=seconds))


def test_a_long_silence_is_told_of_once_more():
    silent = {"health": "STALE", "health_reason": "NO_HEARTBEAT", "stale_since": ago(5), "stale_escalation_seconds": 8}
    assert (
        escalation_due(running_step(**silent)) == next_look(running_step(**silent), TASK) == NOW + timedelta(seconds=3)
    )
    assert next_look(running_step(**silent, stale_escalated_at=NOW), TASK) is None


def test_the_clock_makes_nothing_better_and_a_beat_only_ends_silence():
    known = HealthState(Health.DEGRADED, HealthReason.NO_PROGRESS)
    fine = running_step(started_at=ago(1))
    assert found_by_clock(fine, LONG_TASK, known, NOW) == known
    assert found_by_clock(fine, LONG_TASK, HEALTHY, NOW) == HealthState(Health.DEGRADED, HealthReason.OVER_TIME)
    assert after_beat(fine, TASK, NOW) == HEALTHY
    assert after_beat(working(10), TASK, NOW) == known
