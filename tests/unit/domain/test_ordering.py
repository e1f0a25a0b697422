"""Which reports come too late: rows 6 and 7 of protocol 4.3."""

import pytest

from taskstatus.domain.decisions import Stale, StaleReason
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import SequencePolicy
from taskstatus.domain.ordering import stale_execution, stale_progress, stale_sequence, stale_task_attempt
from tests.support.plain import PlainReport, PlainStep, PlainTask

GAPS, CONTIGUOUS = SequencePolicy.GAPS_ALLOWED, SequencePolicy.CONTIGUOUS
BIGGEST = 2**63 - 1


def completed(source_seq: int | None) -> PlainReport:
    return PlainReport("STEP_COMPLETED", source_seq=source_seq)


def progress(progress_seq: int | None) -> PlainReport:
    return PlainReport("STEP_PROGRESS", source_seq=9, progress_seq=progress_seq)


@pytest.mark.parametrize(
    ("step_of", "task_at", "is_current", "reason"),
    [
        (1, 1, True, None),
        (1, 1, False, StaleReason.STALE_EXECUTION),
        (1, 2, True, StaleReason.STALE_ATTEMPT),
        (1, 2, False, StaleReason.STALE_ATTEMPT),  # the task's attempt is judged first
    ],
)
def test_an_execution_counts_while_it_is_the_current_one(step_of, task_at, is_current, reason):
    step = PlainStep(task_attempt=step_of, is_current=is_current)
    expected = Stale(reason) if reason else None
    assert stale_execution(step, PlainTask(attempt=task_at)) == expected


def test_a_task_event_is_about_the_current_attempt():
    task = PlainTask(attempt=2)
    assert stale_task_attempt(2, task) is None
    assert stale_task_attempt(1, task) == Stale(StaleReason.STALE_ATTEMPT)


def test_a_task_event_about_an_attempt_to_come_is_refused_with_the_current_one():
    with pytest.raises(DomainError) as caught:
        stale_task_attempt(3, PlainTask(attempt=2))
    assert (caught.value.code, caught.value.current) == ("ATTEMPT_MISMATCH", {"taskAttempt": "2"})


@pytest.mark.parametrize(
    ("sent", "last", "is_stale"),
    [(1, 0, False), (5, 4, False), (9, 4, False), (4, 4, True), (3, 4, True), (BIGGEST, 4, False), (None, 4, False)],
)
def test_a_sequence_has_to_grow(sent, last, is_stale):
    expected = Stale(StaleReason.STALE_SEQUENCE) if is_stale else None
    assert stale_sequence(completed(sent), last, GAPS) == expected


@pytest.mark.parametrize(("sent", "last"), [(2, 0), (9, 4), (BIGGEST, 4)])
def test_where_no_gap_is_allowed_a_jump_is_refused_with_the_last_one(sent, last):
    with pytest.raises(DomainError) as caught:
        stale_sequence(completed(sent), last, CONTIGUOUS)
    assert (caught.value.code, caught.value.current) == ("SEQUENCE_GAP", {"sourceSeq": str(last)})


def test_where_no_gap_is_allowed_the_next_one_passes_and_an_old_one_is_stale():
    assert stale_sequence(completed(1), 0, CONTIGUOUS) is None
    assert stale_sequence(completed(5), 4, CONTIGUOUS) is None
    assert stale_sequence(completed(4), 4, CONTIGUOUS) == Stale(StaleReason.STALE_SEQUENCE)


@pytest.mark.parametrize(("sent", "is_stale"), [(4, False), (3, True), (2, True), (None, False)])
def test_progress_has_a_sequence_of_its_own(sent, is_stale):
    expected = Stale(StaleReason.STALE_PROGRESS) if is_stale else None
    assert stale_progress(progress(sent), PlainStep(progress_seq=3)) == expected


def test_only_progress_is_judged_by_its_progress_sequence():
    report = PlainReport("STEP_COMPLETED", source_seq=9, progress_seq=1)
    assert stale_progress(report, PlainStep(progress_seq=3)) is None
