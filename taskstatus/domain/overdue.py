"""What the clock alone says of an execution: not started, not moving, over time, silent for too long (ruling 15).

Silence itself is judged by the lease (domain/leases.py); everything here is read off the rows of task and step.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.lifecycle import Health, HealthReason, Lifecycle

# The worse comes later; of two reasons for one health the later tells more.
_WORSE_AND_WORSE: Final = (
    None,
    HealthReason.OPTIONAL_STEP_FAILED,
    HealthReason.OVER_TIME,
    HealthReason.NO_PROGRESS,
    HealthReason.NOT_STARTED,
    HealthReason.NO_HEARTBEAT,
)
RANK: Final[dict[HealthReason | None, int]] = {reason: rank for rank, reason in enumerate(_WORSE_AND_WORSE)}


def overdue_reason(step: StepFacts, task: TaskFacts, now: datetime) -> HealthReason | None:
    """Which deadline other than its lease's the execution has missed at `now`; of several the one that tells most."""
    return next((reason for reason, due in deadlines(step, task) if due <= now), None)


def next_look(step: StepFacts, task: TaskFacts) -> datetime | None:
    """When the step has to be looked at again though nothing is heard; None while no clock runs against it."""
    if not step.is_current:
        return None
    if step.health == Health.STALE:
        return escalation_due(step)
    told = RANK[HealthReason(step.health_reason) if step.health_reason else None]
    return min((due for reason, due in deadlines(step, task) if RANK[reason] > told), default=None)


def escalation_due(step: StepFacts) -> datetime | None:
    """When a STALE execution is to be told of once more, louder; None where it was, or nobody asked for it."""
    if step.stale_since is None or step.stale_escalated_at is not None:
        return None
    return _after(step.stale_since, step.stale_escalation_seconds)


def deadlines(step: StepFacts, task: TaskFacts) -> Iterator[tuple[HealthReason, datetime]]:
    """The deadlines that run now, the most telling first."""
    if step.lifecycle_status == Lifecycle.PENDING:
        start = _after(step.activated_at, step.start_deadline_seconds)
        if start is not None:
            yield HealthReason.NOT_STARTED, start
    elif step.lifecycle_status == Lifecycle.RUNNING:
        progress = _after(step.progress_moved_at or step.started_at, step.no_progress_seconds)
        if progress is not None:
            yield HealthReason.NO_PROGRESS, progress
        end = _after(task.started_at, task.max_duration_seconds)
        if end is not None:
            yield HealthReason.OVER_TIME, end


def _after(moment: datetime | None, seconds: int | None) -> datetime | None:
    if moment is None or seconds is None:
        return None
    try:
        return moment + timedelta(seconds=seconds)
    except OverflowError:  # past the year 9999: nobody will be there to look
        return None
