"""Why does this task not move: findings from what is known, the one that tells most first (ruling 17).

Pure rules: the admin's page, its work list, `manage.py reconcile --explain` and alerts all say the same of a task.
The words for people are in projections/finding_words.py.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from taskstatus.domain.definitions import RETRY_WAIT, WAITING_USER_ACTION
from taskstatus.domain.lifecycle import FailurePolicy, Health, HealthReason, Lifecycle
from taskstatus.domain.situation import OwnState, Situation, StepWithLease

# Shorter waits are the ordinary way of a message, and of a scan.
WAIT_WORTH_TELLING: Final = timedelta(seconds=15)
BEATS_MISSED: Final = 2


class Weight(StrEnum):
    """What a finding means: nothing goes on by itself, something is not as it should be, or all is well."""

    STOPS = "STOPS"
    HINDERS = "HINDERS"
    WELL = "WELL"


class Kind(StrEnum):
    """What can be found; the earlier tells more."""

    ENDED = "ENDED"
    NOBODY_HEARS = "NOBODY_HEARS"
    NOBODY_JUDGES = "NOBODY_JUDGES"
    REFUSED = "REFUSED"
    SILENT = "SILENT"
    WAITS_FOR_USER = "WAITS_FOR_USER"
    CANCEL_ASKED = "CANCEL_ASKED"
    STEP_FAILED = "STEP_FAILED"
    NOT_STARTED = "NOT_STARTED"
    NO_PROGRESS = "NO_PROGRESS"
    OVER_TIME = "OVER_TIME"
    ALL_STEPS_ENDED = "ALL_STEPS_ENDED"
    NOT_ACTIVATED = "NOT_ACTIVATED"
    NO_STEPS = "NO_STEPS"
    MESSAGES_DEAD = "MESSAGES_DEAD"
    MESSAGES_WAIT = "MESSAGES_WAIT"
    OPTIONAL_FAILED = "OPTIONAL_FAILED"
    BEATS_MISSING = "BEATS_MISSING"
    RUNS = "RUNS"


OF_SERVICE: Final = frozenset({Kind.NOBODY_HEARS, Kind.NOBODY_JUDGES})
"""What is wrong with the service itself, and so the same for every task."""

WEIGHTS: Final[Mapping[Kind, Weight]] = dict.fromkeys(Kind, Weight.STOPS) | {
    Kind.NOBODY_JUDGES: Weight.HINDERS,
    Kind.CANCEL_ASKED: Weight.HINDERS,
    Kind.NO_PROGRESS: Weight.HINDERS,
    Kind.OVER_TIME: Weight.HINDERS,
    Kind.MESSAGES_DEAD: Weight.HINDERS,
    Kind.MESSAGES_WAIT: Weight.HINDERS,
    Kind.OPTIONAL_FAILED: Weight.HINDERS,
    Kind.BEATS_MISSING: Weight.HINDERS,
    Kind.ENDED: Weight.WELL,
    Kind.RUNS: Weight.WELL,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason; `about` is its step, `since` when it began, and `facts` what else its sentence names."""

    kind: Kind
    about: StepWithLease | None = None
    since: datetime | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def weight(self) -> Weight:
        """What it means for the task."""
        return WEIGHTS[self.kind]


def findings(situation: Situation) -> list[Finding]:
    """All that is found, at least one, the one that tells most first."""
    has_ended = Lifecycle(situation.task.lifecycle_status).is_terminal
    rules = _OF_ENDED if has_ended else _OF_LIVE
    found = [finding for rule in rules for finding in rule(situation)]
    order = list(Kind)
    return sorted(found, key=lambda finding: order.index(finding.kind)) or [_runs(situation)]


def _ended(situation: Situation) -> Iterator[Finding]:
    yield Finding(Kind.ENDED, since=situation.task.finished_at, facts={"lifecycle": situation.task.lifecycle_status})


def of_service(own: OwnState, now: datetime) -> Iterator[Finding]:
    """What is wrong with the service itself, so for every task: it takes no reports, or nobody judges health."""
    deaf_since = own.deaf_since(now)
    if deaf_since is not None:
        yield Finding(Kind.NOBODY_HEARS, since=deaf_since)
    seen = own.signs.reconciler
    if seen is None or now - seen > WAIT_WORTH_TELLING:
        yield Finding(Kind.NOBODY_JUDGES, since=seen)


def _service(situation: Situation) -> Iterator[Finding]:
    return of_service(situation.own, situation.now)


def _refused(situation: Situation) -> Iterator[Finding]:
    for one in sorted(situation.refused, key=lambda one: (-one.count, one.code, one.producer_id)):
        facts = {"code": one.code, "producer": one.producer_id, "count": one.count}
        yield Finding(Kind.REFUSED, since=one.last_at, facts=facts)


def _steps(situation: Situation) -> Iterator[Finding]:
    """What each current step shows of itself."""
    for one in situation.steps:
        lifecycle = Lifecycle(one.step.lifecycle_status)
        if lifecycle is Lifecycle.FAILED:
            yield from _failed(situation, one)
        elif lifecycle is Lifecycle.PENDING and one.step.execution_id is not None:
            late = one.step.health_reason == HealthReason.NOT_STARTED
            yield Finding(Kind.NOT_STARTED, one, one.step.activated_at, {"late": late})
        elif lifecycle is Lifecycle.RUNNING:
            yield from _running(situation, one)


def _failed(situation: Situation, one: StepWithLease) -> Iterator[Finding]:
    if one.step.failure_policy == FailurePolicy.CONTINUE_WITH_WARNING:
        yield Finding(Kind.OPTIONAL_FAILED, one, one.step.finished_at)
    elif situation.task.business_status != WAITING_USER_ACTION:
        waits = situation.task.business_status == RETRY_WAIT and one.step.attempt < one.step.max_attempts
        yield Finding(Kind.STEP_FAILED, one, one.step.finished_at, {"retry": waits, "code": one.step.error_code})


def _running(situation: Situation, one: StepWithLease) -> Iterator[Finding]:
    heard, missed = one.last_heard_at, BEATS_MISSED * timedelta(seconds=one.step.heartbeat_interval_seconds)
    if one.step.health == Health.STALE:
        told = one.step.stale_escalated_at is not None
        yield Finding(Kind.SILENT, one, heard or one.step.stale_since, {"told": told})
    elif heard is not None and situation.now - heard > missed:
        until = one.lease.deadline_at if one.lease else None
        yield Finding(Kind.BEATS_MISSING, one, heard, {"until": until})
    if one.step.health_reason == HealthReason.NO_PROGRESS:
        yield Finding(Kind.NO_PROGRESS, one, one.step.progress_moved_at or one.step.started_at)
    elif one.step.health_reason == HealthReason.OVER_TIME:
        yield Finding(Kind.OVER_TIME, one, situation.task.started_at, {"limit": situation.task.max_duration_seconds})


def _waits(situation: Situation) -> Iterator[Finding]:
    task = situation.task
    if task.requires_action or task.business_status == WAITING_USER_ACTION:
        yield Finding(Kind.WAITS_FOR_USER, since=task.updated_at)
    if task.cancel_requested_at is not None:
        yield Finding(Kind.CANCEL_ASKED, since=task.cancel_requested_at)


def _coordinator(situation: Situation) -> Iterator[Finding]:
    """What only the coordinator can do next, where no step is under way and none has failed."""
    if not situation.steps:
        yield Finding(Kind.NO_STEPS, since=situation.task.created_at)
        return
    live = situation.live_steps
    if not live:
        ends = [one.step.finished_at for one in situation.steps if one.step.finished_at is not None]
        yield Finding(Kind.ALL_STEPS_ENDED, since=max(ends, default=None))
    elif all(one.step.execution_id is None for one in live):
        names = [one.step.step_id for one in live]
        begun = len(live) < len(situation.steps)
        since = situation.task.updated_at if begun else situation.task.created_at
        yield Finding(Kind.NOT_ACTIVATED, live[0], since, {"steps": names, "begun": begun})


def _messages(situation: Situation) -> Iterator[Finding]:
    left = situation.unpublished
    if left.dead:
        yield Finding(Kind.MESSAGES_DEAD, since=left.dead_since, facts={"count": left.dead})
    if left.waiting_since is not None and situation.now - left.waiting_since > WAIT_WORTH_TELLING:
        yield Finding(Kind.MESSAGES_WAIT, since=left.waiting_since, facts={"count": left.waiting})


def _runs(situation: Situation) -> Finding:
    heard = [(one.last_heard_at, one) for one in situation.live_steps if one.last_heard_at is not None]
    if not heard:
        return Finding(Kind.RUNS, since=situation.task.updated_at)
    last, about = max(heard, key=lambda pair: pair[0])
    return Finding(Kind.RUNS, about, last)


_Rule = Callable[[Situation], Iterator[Finding]]
_OF_ENDED: Final[tuple[_Rule, ...]] = (_ended, _messages)
_OF_LIVE: Final[tuple[_Rule, ...]] = (_service, _refused, _steps, _waits, _coordinator, _messages)
