"""Plain tasks and steps with all that tells why they don't move, and the situations that they are in."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.outages import Signs
from taskstatus.domain.situation import OwnState, Situation, StepWithLease
from tests.support.plain import EARLIER, NOW, PlainStep, PlainTask

WELL = OwnState(Signs(NOW, NOW))
"""A service whose parts are all there."""


@dataclass
class ExplainedPlainTask(PlainTask):
    """A task that was created a minute ago."""

    cancel_requested_at: datetime | None = None
    updated_at: datetime = EARLIER


@dataclass
class ExplainedPlainStep(PlainStep):
    """A step that nobody has activated."""

    execution_id: str | None = None
    producer_id: str | None = None
    expected_producer: str | None = None
    operation_code: str = "PAPER.READ"
    heartbeat_interval_seconds: int = 15
    last_heartbeat_at: datetime | None = None
    progress_updated_at: datetime | None = None
    finished_at: datetime | None = None
    error_code: str | None = None


@dataclass
class PlainLease:
    """A lease that was renewed right now."""

    last_heartbeat_at: datetime = NOW
    timeout_seconds: int = 60
    deadline_at: datetime | None = NOW + timedelta(seconds=60)


def activated(step_id: str = "s1", **members: Any) -> StepWithLease:
    """A step that was given to `reader` a minute ago."""
    known: dict[str, Any] = {"execution_id": f"exe-{step_id}", "producer_id": "reader", "activated_at": EARLIER}
    return StepWithLease(ExplainedPlainStep(step_id, **known | members))


def running(step_id: str = "s1", lease: PlainLease | None = None, **members: Any) -> StepWithLease:
    """A step that `reader` runs since a minute."""
    members = {"lifecycle_status": Lifecycle.RUNNING, "started_at": EARLIER, **members}
    return StepWithLease(activated(step_id, **members).step, lease or PlainLease())


def ended(step_id: str = "s1", lifecycle: Lifecycle = Lifecycle.SUCCEEDED, **members: Any) -> StepWithLease:
    """A step that ended a minute ago."""
    return activated(step_id, **{"lifecycle_status": lifecycle, "finished_at": EARLIER, **members})


def pending(step_id: str = "s1") -> StepWithLease:
    """A step that nobody has activated."""
    return StepWithLease(ExplainedPlainStep(step_id))


def under_way(**members: Any) -> ExplainedPlainTask:
    """A task that runs since a minute."""
    known: dict[str, Any] = {"lifecycle_status": Lifecycle.RUNNING, "business_status": "RUNNING", "started_at": EARLIER}
    return ExplainedPlainTask(**known | members)


def situation(*steps: StepWithLease, task: ExplainedPlainTask | None = None, **members: Any) -> Situation:
    """A running task with these steps, in a service that is well."""
    return Situation(task or under_way(), steps, NOW, **{"own": WELL, **members})
