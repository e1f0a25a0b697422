"""How well an execution and its task are: the worst counts, and what a report proves (ruling 15)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from taskstatus.domain.errors import invalid_field
from taskstatus.domain.facts import StepFacts
from taskstatus.domain.lifecycle import FailurePolicy, Health, HealthReason, Lifecycle

_RANK: Final = {Health.HEALTHY: 0, Health.DEGRADED: 1, Health.STALE: 2}
# A sign of life disproves these.
_CLEARED_BY_REPORT: Final = frozenset({HealthReason.NO_HEARTBEAT, HealthReason.NOT_STARTED})


@dataclass(frozen=True, slots=True)
class HealthState:
    """Health and its reason; the reason is None exactly when HEALTHY."""

    health: Health
    reason: HealthReason | None


HEALTHY: Final = HealthState(Health.HEALTHY, None)
OPTIONAL_FAILED: Final = HealthState(Health.DEGRADED, HealthReason.OPTIONAL_STEP_FAILED)


def reported_health(health: str, reason: str | None) -> HealthState:
    """The state a health reporter names; a reason that contradicts it raises INVALID_FIELD (protocol 4.4)."""
    if health == Health.HEALTHY:
        if reason is not None:
            raise invalid_field("/healthReason", "HEALTHY has no reason.")
        return HEALTHY
    if health == Health.STALE:
        if reason not in (None, HealthReason.NO_HEARTBEAT):
            raise invalid_field("/healthReason", "STALE has the reason NO_HEARTBEAT.")
        return HealthState(Health.STALE, HealthReason.NO_HEARTBEAT)
    if reason in (None, HealthReason.NO_HEARTBEAT):
        raise invalid_field("/healthReason", "DEGRADED needs a reason other than NO_HEARTBEAT.")
    return HealthState(Health.DEGRADED, HealthReason(reason))


def after_report(step: StepFacts, lifecycle: Lifecycle, policy: str) -> HealthState:
    """The step's health after an accepted report of its worker left it in `lifecycle`."""
    if lifecycle is Lifecycle.FAILED and policy == FailurePolicy.CONTINUE_WITH_WARNING:
        return OPTIONAL_FAILED
    if lifecycle.is_terminal or step.health_reason is None or is_disproved_by_report(step):
        return HEALTHY
    return HealthState(Health(step.health), HealthReason(step.health_reason))


def is_disproved_by_report(step: StepFacts) -> bool:
    """Whether any accepted report of the step's worker would make it healthy again (protocol 4.4)."""
    return step.health_reason in _CLEARED_BY_REPORT


def worst(states: Iterable[HealthState]) -> HealthState:
    """The task's health: the worst of its current attempts', the first of equals; HEALTHY without any."""
    return max(states, key=lambda state: _RANK[state.health], default=HEALTHY)


def of_steps(steps: Iterable[StepFacts]) -> HealthState:
    """The worst health of these steps."""
    return worst(
        HealthState(Health(s.health), HealthReason(s.health_reason) if s.health_reason else None) for s in steps
    )
