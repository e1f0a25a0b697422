"""Ruling 35: which progress waits to become a version, and which may not."""

from datetime import timedelta

import pytest

from taskstatus.domain.decide import Rules, decide_step
from taskstatus.domain.decisions import Apply, Coalesce, Stale, StaleReason
from tests.support.plain import NOW, PAPERS, PlainProgress, PlainReport, operation, running_step, running_task

RULES = Rules(PAPERS, operation(progress_min_interval_seconds=2.0))


def reading(**members):
    """A step whose last progress became a version a second ago."""
    known = {"business_status": "READING", "phase_code": "OCR", "progress_seq": 4}
    return running_step(**{"progress_versioned_at": NOW - timedelta(seconds=1), **known, **members})


def progress(**members):
    return PlainReport("STEP_PROGRESS", **{"source_seq": 2, "progress_seq": 5, "progress": PlainProgress(5), **members})


def decide(report, step=None, task=None, rules=RULES):
    return decide_step(report, step or reading(), task or running_task("READING"), rules, NOW)


def test_progress_right_after_the_last_waits_and_keeps_its_place_in_both_streams():
    assert decide(progress()) == Coalesce({"source_seq": 2, "progress_seq": 5})


@pytest.mark.parametrize(
    "members",
    [
        {"phase_code": "OCR"},
        {"business_status": "READING"},
        {"phase_label": "Page 5"},
        {"message": "Still at it."},
    ],
)
def test_progress_that_repeats_what_is_known_waits(members):
    assert isinstance(decide(progress(**members)), Coalesce)


@pytest.mark.parametrize(
    "members",
    [
        {"phase_code": "LAYOUT"},
        {"business_status": "SORTING"},
        {"requires_action": True},
        {"requires_action": False},
        {"actions": []},
    ],
)
def test_progress_that_says_more_is_a_version_at_once(members):
    decision = decide(progress(**members))
    assert isinstance(decision, Apply)
    assert decision.step["progress_versioned_at"] == NOW


def test_progress_that_moves_the_task_is_a_version_at_once_though_the_step_shows_that_code():
    task = running_task("REVIEW")
    decision = decide(progress(business_status="READING"), task=task)
    assert isinstance(decision, Apply)
    assert decision.task["business_status"] == "READING"


@pytest.mark.parametrize(
    ("health", "reason", "kind"),
    [
        ("STALE", "NO_HEARTBEAT", Apply),
        ("DEGRADED", "NOT_STARTED", Apply),
        ("DEGRADED", "NO_PROGRESS", Apply),
        ("DEGRADED", "OVER_TIME", Coalesce),
        ("HEALTHY", None, Coalesce),
    ],
)
def test_progress_that_proves_life_is_a_version_at_once(health, reason, kind):
    assert isinstance(decide(progress(), reading(health=health, health_reason=reason)), kind)


@pytest.mark.parametrize(
    ("seconds_ago", "kind"), [(0, Coalesce), (1.999999, Coalesce), (2, Apply), (60, Apply), (-1, Coalesce)]
)
def test_the_operations_interval_decides(seconds_ago, kind):
    step = reading(progress_versioned_at=NOW - timedelta(seconds=seconds_ago))
    assert isinstance(decide(progress(), step), kind)


def test_the_first_progress_of_a_step_is_a_version():
    assert isinstance(decide(progress(), reading(progress_versioned_at=None)), Apply)


def test_no_other_event_ever_waits():
    for event in ("STEP_COMPLETED", "STEP_CANCELLED", "STEP_FAILED"):
        assert isinstance(decide(PlainReport(event, source_seq=2)), Apply)


@pytest.mark.parametrize(
    ("source_seq", "progress_seq", "reason"),
    [(1, 5, StaleReason.STALE_SEQUENCE), (2, 4, StaleReason.STALE_PROGRESS), (1, 4, StaleReason.STALE_SEQUENCE)],
)
def test_progress_of_the_past_neither_waits_nor_counts(source_seq, progress_seq, reason):
    assert decide(progress(source_seq=source_seq, progress_seq=progress_seq)) == Stale(reason)
