"""What is known when somebody asks why a task does not move: plain values and structural types (ruling 17)."""

# ruff: noqa: D102 - the members are named as on the wire and described in protocol 4

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.outages import Outage, Signs, outage_now


class LeaseFacts(Protocol):
    """A running execution's lease; without a deadline its execution is STALE."""

    @property
    def last_heartbeat_at(self) -> datetime: ...
    @property
    def timeout_seconds(self) -> int: ...
    @property
    def deadline_at(self) -> datetime | None: ...


class ExplainedTask(TaskFacts, Protocol):
    """What of a task tells why it does not move."""

    @property
    def cancel_requested_at(self) -> datetime | None: ...
    @property
    def finished_at(self) -> datetime | None: ...
    @property
    def updated_at(self) -> datetime: ...


class ExplainedStep(StepFacts, Protocol):
    """What of a step attempt tells why its task does not move."""

    @property
    def execution_id(self) -> str | None: ...
    @property
    def producer_id(self) -> str | None: ...
    @property
    def expected_producer(self) -> str | None: ...
    @property
    def operation_code(self) -> str: ...
    @property
    def heartbeat_interval_seconds(self) -> int: ...
    @property
    def last_heartbeat_at(self) -> datetime | None: ...
    @property
    def progress_updated_at(self) -> datetime | None: ...
    @property
    def finished_at(self) -> datetime | None: ...
    @property
    def error_code(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class StepWithLease:
    """A current step, and its lease while it runs."""

    step: ExplainedStep
    lease: LeaseFacts | None = None

    @property
    def last_heard_at(self) -> datetime | None:
        """Its worker's last sign of life, as far as beats and reports tell."""
        return self.lease.last_heartbeat_at if self.lease else self.step.last_heartbeat_at


@dataclass(frozen=True, slots=True)
class Refused:
    """Reports of one producer that were refused for one reason."""

    code: str
    producer_id: str
    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Unpublished:
    """The task's messages that no screen has seen: how many wait or are dead, and since when the oldest is there."""

    waiting: int = 0
    waiting_since: datetime | None = None
    dead: int = 0
    dead_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnState:
    """How the service itself is: its last signs, the outage that lasts, if one does, and those that are over."""

    signs: Signs = Signs(None, None)  # noqa: RUF009 - frozen
    lasting: Outage | None = None
    ended: Sequence[Outage] = ()
    scan_seconds: float = 1.0

    def deaf_since(self, now: datetime) -> datetime | None:
        """Since when nobody takes reports, so that silence proves nothing; None while somebody does."""
        found = outage_now(Signs(None, self.signs.web), self.lasting, now, self.scan_seconds)
        return found.began_at if found is not None and found.ended_at is None else None


@dataclass(frozen=True, slots=True)
class Situation:
    """A task at one moment of the database's clock; `steps` are the current ones, `refused` is what came of late."""

    task: ExplainedTask
    steps: Sequence[StepWithLease]
    now: datetime
    refused: Sequence[Refused] = ()
    unpublished: Unpublished = field(default_factory=Unpublished)
    own: OwnState = field(default_factory=OwnState)

    @property
    def live_steps(self) -> list[StepWithLease]:
        """Those that have not ended."""
        return [one for one in self.steps if not Lifecycle(one.step.lifecycle_status).is_terminal]


def last_reported_at(task: ExplainedTask, steps: Sequence[ExplainedStep]) -> datetime | None:
    """When a coordinator or a worker was last believed, as far as the rows tell; what the service found out is none."""
    moments = [task.started_at, task.finished_at]
    for step in steps:
        moments += [step.activated_at, step.started_at, step.progress_updated_at, step.finished_at]
    return max((moment for moment in moments if moment is not None), default=None)
