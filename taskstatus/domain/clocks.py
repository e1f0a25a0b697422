"""The clocks that run against an execution, and what is left on each (ruling 15)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.overdue import deadlines, escalation_due
from taskstatus.domain.situation import LeaseFacts


class ClockName(StrEnum):
    """Which clock: those that are named as a health reason lead to it."""

    NO_HEARTBEAT = "NO_HEARTBEAT"
    NOT_STARTED = "NOT_STARTED"
    NO_PROGRESS = "NO_PROGRESS"
    OVER_TIME = "OVER_TIME"
    ESCALATION = "ESCALATION"


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock, when it runs out, and how long it has to run; negative once it has."""

    name: ClockName
    due: datetime
    left: timedelta

    @property
    def has_run_out(self) -> bool:
        """Whether nothing is left."""
        return self.left <= timedelta()


def running_clocks(step: StepFacts, task: TaskFacts, lease: LeaseFacts | None, now: datetime) -> list[Clock]:
    """The clocks that run against a current step of a live task at `now`."""
    return [Clock(name, due, due - now) for name, due in _clocks(step, task, lease)]


def _clocks(step: StepFacts, task: TaskFacts, lease: LeaseFacts | None) -> Iterator[tuple[ClockName, datetime]]:
    if lease is not None and lease.deadline_at is not None:
        yield ClockName.NO_HEARTBEAT, lease.deadline_at
    escalation = escalation_due(step)
    if escalation is not None:
        yield ClockName.ESCALATION, escalation
    for reason, due in deadlines(step, task):
        yield ClockName(reason.value), due
