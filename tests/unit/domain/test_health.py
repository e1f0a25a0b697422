"""What a health reporter may say, what a report disproves, and that the worst step counts (ruling 15)."""

from dataclasses import replace

import pytest

from taskstatus.domain import health
from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.errors import DomainError
from taskstatus.domain.health import HEALTHY, OPTIONAL_FAILED, HealthState
from taskstatus.domain.lifecycle import FailurePolicy, Health, HealthReason, Lifecycle
from tests.support.plain import NOW, PlainStep, running_step

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
    ("before", "after", "after_moving"),
    [
        (HEALTHY, HEALTHY, HEALTHY),
        (STALE, HEALTHY, HEALTHY),  # any report is a sign of life
        (degraded("NOT_STARTED"), HEALTHY, HEALTHY),
        (degraded("NO_PROGRESS"), degraded("NO_PROGRESS"), HEALTHY),  # alive was never the question
        (degraded("OVER_TIME"), degraded("OVER_TIME"), degraded("OVER_TIME")),
    ],
)
def test_a_report_disproves_silence_and_progress_standstill(before, after, after_moving):
    for moved, expected in ((False, after), (True, after_moving)):
        assert health.after_report(unwell(before), Lifecycle.RUNNING, moved=moved) == expected
        assert health.is_disproved(unwell(before), moved=moved) is (before != expected)


@pytest.mark.parametrize("before", [HEALTHY, STALE, degraded("NO_PROGRESS"), degraded("OVER_TIME")])
@pytest.mark.parametrize("ended", ["SUCCEEDED", "FAILED", "CANCELLED"])
def test_an_ended_step_is_unwell_only_by_an_optional_failure(before, ended):
    lifecycle = Lifecycle(ended)
    assert health.after_report(unwell(before), lifecycle, moved=False) == HEALTHY
    expected = OPTIONAL_FAILED if lifecycle is Lifecycle.FAILED else HEALTHY
    assert health.after_report(replace(unwell(before), failure_policy=WARNING), lifecycle, moved=False) == expected


@pytest.mark.parametrize(
    ("states", "worst"),
    [
        ([], HEALTHY),
        ([HEALTHY, HEALTHY], HEALTHY),
        ([HEALTHY, degraded("OVER_TIME")], degraded("OVER_TIME")),
        ([degraded("OVER_TIME"), STALE, HEALTHY], STALE),
        ([degraded("OVER_TIME"), degraded("NO_PROGRESS")], degraded("NO_PROGRESS")),  # it tells more
        ([degraded("OPTIONAL_STEP_FAILED"), degraded("OVER_TIME")], degraded("OVER_TIME")),
    ],
)
def test_a_task_is_as_well_as_its_worst_step(states, worst):
    assert health.of_steps([unwell(state) for state in states]) == worst
    assert health.worst(state.health for state in states) is worst.health


def test_the_same_state_again_changes_no_column():
    for state in (HEALTHY, STALE, degraded("OVER_TIME")):
        assert health.health_columns(unwell(state), state, NOW) == {}


def test_being_stale_begins_and_ends_with_its_moments():
    begins = health.health_columns(unwell(degraded("OVER_TIME")), STALE, NOW)
    assert (begins["health_since"], begins["stale_since"], begins["stale_escalated_at"]) == (NOW, NOW, None)
    ends = health.health_columns(unwell(STALE), HEALTHY, NOW)
    assert (ends["health_since"], ends["stale_since"], ends["stale_escalated_at"]) == (NOW, None, None)


@pytest.mark.parametrize(
    ("before", "after", "is_current", "notice"),
    [
        (HEALTHY, STALE, True, NoticeType.TASK_STALE),
        (degraded("OVER_TIME"), STALE, True, NoticeType.TASK_STALE),
        (STALE, STALE, True, None),
        (STALE, HEALTHY, True, NoticeType.TASK_RECOVERED),
        (STALE, degraded("NO_PROGRESS"), True, NoticeType.TASK_RECOVERED),
        (STALE, HEALTHY, False, None),  # another attempt took its place
        (HEALTHY, degraded("NO_PROGRESS"), True, None),
        (degraded("NO_PROGRESS"), HEALTHY, True, None),
    ],
)
def test_users_are_told_of_silence_and_of_its_end(before, after, is_current, notice):
    step = replace(unwell(after), is_current=is_current)
    assert health.notice_of_change(before.health, after, step) is notice
