"""What a health reporter may say, what a report disproves, and that the worst step counts (ruling 15)."""

import pytest

from taskstatus.domain import health
from taskstatus.domain.errors import DomainError
from taskstatus.domain.health import HEALTHY, OPTIONAL_FAILED, HealthState
from taskstatus.domain.lifecycle import FailurePolicy, Health, HealthReason, Lifecycle
from tests.support.plain import PlainStep, running_step

STALE = HealthState(Health.STALE, HealthReason.NO_HEARTBEAT)
WARNING = FailurePolicy.CONTINUE_WITH_WARNING


def degraded(reason: str) -> HealthState:
    return HealthState(Health.DEGRADED, HealthReason(reason))


def unwell(state: HealthState) -> PlainStep:
    return running_step(health=state.health, health_reason=state.reason)


# Of each word with each reason, and without one: the state, or nothing where the two contradict each other.
REPORTED = {
    "HEALTHY": {None: HEALTHY},
    "STALE": {None: STALE, "NO_HEARTBEAT": STALE},
    "DEGRADED": {
        reason: degraded(reason) for reason in ("NO_PROGRESS", "NOT_STARTED", "OVER_TIME", "OPTIONAL_STEP_FAILED")
    },
}


@pytest.mark.parametrize("reason", [None, *HealthReason])
@pytest.mark.parametrize("word", list(Health))
def test_a_reporters_word_and_reason_have_to_fit(word, reason):
    expected = REPORTED[word].get(reason)
    if expected is not None:
        assert health.reported_health(word, reason) == expected
        return
    with pytest.raises(DomainError) as caught:
        health.reported_health(word, reason)
    assert caught.value.code == "INVALID_FIELD"
    assert caught.value.errors[0].pointer == "/healthReason"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HEALTHY, HEALTHY),
        (STALE, HEALTHY),  # any report is a sign of life
        (degraded("NOT_STARTED"), HEALTHY),
        (degraded("NO_PROGRESS"), degraded("NO_PROGRESS")),  # alive was never the question
        (degraded("OVER_TIME"), degraded("OVER_TIME")),
    ],
)
def test_a_report_disproves_silence_and_nothing_else(before, after):
    assert health.after_report(unwell(before), Lifecycle.RUNNING, FailurePolicy.FAIL_TASK) == after
    assert health.is_disproved_by_report(unwell(before)) is (before != after)


@pytest.mark.parametrize("before", [HEALTHY, STALE, degraded("NO_PROGRESS"), degraded("OVER_TIME")])
@pytest.mark.parametrize("ended", ["SUCCEEDED", "FAILED", "CANCELLED"])
def test_an_ended_step_is_unwell_only_by_an_optional_failure(before, ended):
    lifecycle = Lifecycle(ended)
    assert health.after_report(unwell(before), lifecycle, FailurePolicy.FAIL_TASK) == HEALTHY
    expected = OPTIONAL_FAILED if lifecycle is Lifecycle.FAILED else HEALTHY
    assert health.after_report(unwell(before), lifecycle, WARNING) == expected


@pytest.mark.parametrize(
    ("states", "worst"),
    [
        ([], HEALTHY),
        ([HEALTHY, HEALTHY], HEALTHY),
        ([HEALTHY, degraded("OVER_TIME")], degraded("OVER_TIME")),
        ([degraded("OVER_TIME"), STALE, HEALTHY], STALE),
        ([degraded("NO_PROGRESS"), degraded("OVER_TIME")], degraded("NO_PROGRESS")),  # the first of equals
    ],
)
def test_a_task_is_as_well_as_its_worst_step(states, worst):
    assert health.worst(states) == worst
    assert health.of_steps([unwell(state) for state in states]) == worst
