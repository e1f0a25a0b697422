"""How well an execution and its task are: what a report or a beat proves, and which state is the worst (ruling 15)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.errors import invalid_field
from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.lifecycle import FailurePolicy, Health, HealthReason, Lifecycle
from taskstatus.domain.overdue import RANK, overdue_reason

# A sign of life disproves these.
_CLEARED_BY_LIFE: Final = frozenset({HealthReason.NO_HEARTBEAT, HealthReason.NOT_STARTED})


@dataclass(frozen=True, slots=True)
class HealthState:
    """Health and its reason; the reason is None exactly when HEALTHY."""

    health: Health
    reason: HealthReason | None

    def is_worse_than(self, other: "HealthState") -> bool:
        """Whether a user should rather hear of this one."""
        return RANK[self.reason] > RANK[other.reason]


HEALTHY: Final = HealthState(Health.HEALTHY, None)
OPTIONAL_FAILED: Final = HealthState(Health.DEGRADED, HealthReason.OPTIONAL_STEP_FAILED)
SILENT: Final = HealthState(Health.STALE, HealthReason.NO_HEARTBEAT)


def reported_health(health: str, reason: str | None) -> HealthState:
    """The state a health reporter names; a reason that contradicts it raises INVALID_FIELD (protocol 4.4)."""
    if health == Health.HEALTHY:
        if reason is not None:
            raise invalid_field("/healthReason", "HEALTHY has no reason.")
        return HEALTHY
    if health == Health.STALE:
        if reason not in (None, HealthReason.NO_HEARTBEAT):
            raise invalid_field("/healthReason", "STALE has the reason NO_HEARTBEAT.")
        return SILENT
    if reason in (None, HealthReason.NO_HEARTBEAT):
        raise invalid_field("/healthReason", "DEGRADED needs a reason other than NO_HEARTBEAT.")
    return HealthState(Health.DEGRADED, HealthReason(reason))


def state_of(step: StepFacts) -> HealthState:
    """The state that the step is in."""
    return HealthState(Health(step.health), HealthReason(step.health_reason) if step.health_reason else None)


def after_report(step: StepFacts, lifecycle: Lifecycle, *, moved: bool) -> HealthState:
    """The step's health after an accepted report of its worker left it in `lifecycle`.

    `moved` says that its progress went on. What clocks alone find out is left to the reconciler.
    """
    if lifecycle is Lifecycle.FAILED and step.failure_policy == FailurePolicy.CONTINUE_WITH_WARNING:
        return OPTIONAL_FAILED
    if lifecycle.is_terminal or is_disproved(step, moved=moved):
        return HEALTHY
    return state_of(step)


def is_disproved(step: StepFacts, *, moved: bool) -> bool:
    """Whether an accepted report of the step's worker makes it healthy again (protocol 4.4)."""
    return step.health_reason in _CLEARED_BY_LIFE or (moved and step.health_reason == HealthReason.NO_PROGRESS)


def after_beat(step: StepFacts, task: TaskFacts, now: datetime) -> HealthState:
    """The health of an execution that was silent and beats again: alive, though it may be stuck or over its time."""
    return found_by_clock(step, task, HEALTHY, now)


def found_by_clock(step: StepFacts, task: TaskFacts, known: HealthState, now: datetime) -> HealthState:
    """What the clock says of an execution that is not silent, if it is worse than what is known of it."""
    reason = overdue_reason(step, task, now)
    found = HEALTHY if reason is None else HealthState(Health.DEGRADED, reason)
    return found if found.is_worse_than(known) else known


def health_columns(step: StepFacts, state: HealthState, now: datetime) -> dict[str, object]:
    """The columns by which the step comes into this state; none where it is in it already."""
    if (step.health, step.health_reason) == (state.health, state.reason):
        return {}
    is_stale = state.health is Health.STALE
    return {
        "health": state.health,
        "health_reason": state.reason,
        "health_since": now,
        "stale_since": now if is_stale else None,
        "stale_escalated_at": None,
    }


def worst(healths: Iterable[Health]) -> Health:
    """The worst of them; HEALTHY without any."""
    return max(healths, key=list(Health).index, default=Health.HEALTHY)


def of_steps(steps: Iterable[StepFacts]) -> HealthState:
    """The task's health: the worst of these steps', the first of equals; HEALTHY without any."""
    return max(map(state_of, steps), key=lambda state: RANK[state.reason], default=HEALTHY)


def notice_of_change(before: str, after: HealthState, step: StepFacts | None) -> NoticeType | None:
    """What a task's users are told when its health went from `before` to `after` by a change of this step.

    An execution that was replaced has not come back, so that is no recovery.
    """
    if (before == Health.STALE) is (after.health is Health.STALE):
        return None
    if after.health is Health.STALE:
        return NoticeType.TASK_STALE
    return NoticeType.TASK_RECOVERED if step is not None and step.is_current else None
