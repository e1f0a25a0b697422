"""What the reconciler makes of one execution at one moment: pure, so that it can be foretold (rulings 15, 29, 45)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.health import SILENT, HealthState, found_by_clock, state_of
from taskstatus.domain.leases import believed_until, deadline
from taskstatus.domain.lifecycle import Health
from taskstatus.domain.outages import Outage, graced_deadline
from taskstatus.domain.overdue import escalation_due
from taskstatus.domain.situation import LeaseFacts


class Verdict(StrEnum):
    """What is to be done about an execution."""

    NOTHING = "NOTHING"
    CHANGE = "CHANGE"
    ESCALATE = "ESCALATE"
    GRACE = "GRACE"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict; the state that the execution is in then, and until when it is believed because of an outage."""

    verdict: Verdict
    state: HealthState
    until: datetime | None = None


def judge(
    step: StepFacts, task: TaskFacts, lease: LeaseFacts | None, outages: Sequence[Outage], now: datetime
) -> Judgement:
    """Judge a current step of a live task; what it misses is judged by the clock, silence by its lease."""
    known = state_of(step)
    if step.health == Health.STALE:
        due = escalation_due(step)
        return Judgement(Verdict.ESCALATE if due is not None and due <= now else Verdict.NOTHING, known)
    until = None
    found = found_by_clock(step, task, known, now)
    if lease is not None and is_overdue(lease, now):
        until = grace(lease, outages)
        if until is None or until <= now:
            found, until = SILENT, None
    if found != known:
        return Judgement(Verdict.CHANGE, found, until)
    return Judgement(Verdict.GRACE if until is not None else Verdict.NOTHING, known, until)


def is_overdue(lease: LeaseFacts, now: datetime) -> bool:
    """Whether the execution has been silent for its whole timeout; outages are not asked for."""
    if lease.deadline_at is None:
        return False
    return believed_until(lease.last_heartbeat_at, lease.deadline_at, lease.timeout_seconds) <= now


def later_deadline(lease: LeaseFacts, outages: Sequence[Outage]) -> datetime | None:
    """A deadline later than the stored one that the lease has by its last beat or by an outage, if it has one."""
    known = grace(lease, outages) or deadline(lease.last_heartbeat_at, lease.timeout_seconds)
    return known if lease.deadline_at is not None and known > lease.deadline_at else None


def grace(lease: LeaseFacts, outages: Sequence[Outage]) -> datetime | None:
    """The later deadline that outages give a lease, if they do; one without a deadline gets none."""
    until = graced_deadline(lease.last_heartbeat_at, lease.timeout_seconds, outages)
    return until if until is not None and lease.deadline_at is not None and until > lease.deadline_at else None
