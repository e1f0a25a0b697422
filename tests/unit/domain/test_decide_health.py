"""STEP_HEALTH_CHANGED by a health reporter: it changes health, and nothing that a worker or coordinator said."""

import pytest

from taskstatus.domain.decide import decide_health
from taskstatus.domain.decisions import Apply, Stale, StaleReason
from taskstatus.domain.errors import DomainError
from tests.support.plain import EARLIER, NOW, PlainReport, PlainStep, running_step, running_task


def health(word, reason=None, source_seq=1):
    return PlainReport("STEP_HEALTH_CHANGED", source_seq=source_seq, health=word, health_reason=reason)


def decide(report, step=None, task=None, producer="watchdog"):
    return decide_health(report, step or running_step(), task or running_task(), producer, NOW)


def test_it_sets_health_and_the_place_in_the_reporters_own_stream():
    assert decide(health("DEGRADED", "NO_PROGRESS")) == Apply(
        step={
            "health": "DEGRADED",
            "health_reason": "NO_PROGRESS",
            "health_since": NOW,
            "stale_since": None,
            "stale_escalated_at": None,
            "health_source_seqs": {"watchdog": 1},
        }
    )


def test_a_stale_step_is_stale_since_it_was_first_said():
    assert decide(health("STALE")).step["stale_since"] == NOW
    silent = running_step(health="STALE", health_reason="NO_HEARTBEAT", stale_since=EARLIER)
    assert "stale_since" not in decide(health("STALE"), silent).step
    assert decide(health("HEALTHY"), silent).step["stale_since"] is None


def test_a_reporter_is_judged_by_its_own_stream_and_not_by_the_workers():
    step = running_step(source_seq=99, health_source_seqs={"other": 7})
    assert decide(health("STALE"), step).step["health_source_seqs"] == {"other": 7, "watchdog": 1}
    assert decide(health("STALE", source_seq=7), step, producer="other") == Stale(StaleReason.STALE_SEQUENCE)


@pytest.mark.parametrize(
    ("step", "task", "answer"),
    [
        (running_step(is_current=False), running_task(), "STALE_EXECUTION"),
        (running_step(), running_task(attempt=2), "STALE_ATTEMPT"),
        (running_step(), running_task(lifecycle_status="SUCCEEDED"), "TERMINAL_STATE"),
        (running_step(lifecycle_status="FAILED"), running_task(), "TERMINAL_STATE"),
        (PlainStep(), running_task(), "ILLEGAL_TRANSITION"),
    ],
)
def test_only_what_runs_now_has_health(step, task, answer):
    assert answer_to(health("STALE"), step, task) == answer


def test_a_word_that_contradicts_its_reason_is_refused():
    assert answer_to(health("HEALTHY", "NO_HEARTBEAT"), running_step(), running_task()) == "INVALID_FIELD"


def answer_to(report, step, task):
    try:
        decision = decide(report, step, task)
    except DomainError as refusal:
        return refusal.code
    return decision.reason if isinstance(decision, Stale) else decision
