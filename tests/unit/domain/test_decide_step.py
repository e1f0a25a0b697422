"""What one step event changes in its step and its task, and the order in which it is judged (rows 6 to 9)."""

import pytest

from taskstatus.domain.decide import Rules, decide_step
from taskstatus.domain.decisions import Apply, Stale
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import SequencePolicy
from tests.support.plain import (
    EARLIER,
    NOW,
    PAPERS,
    PlainData,
    PlainError,
    PlainProgress,
    PlainReport,
    PlainStep,
    PlainTask,
    operation,
    running_step,
    running_task,
)

RULES = Rules(GENERIC_SET, operation())


def decide(report, step, task, rules=RULES):
    return decide_step(report, step, task, rules, NOW)


def applied(report, step, task, rules=RULES):
    decision = decide(report, step, task, rules)
    assert isinstance(decision, Apply)
    return decision


def report(event_type, **members):
    return PlainReport(event_type, **{"source_seq": 2, **members})


def test_a_start_runs_the_step_and_its_waiting_task():
    change = applied(report("STEP_STARTED"), PlainStep(), PlainTask())
    assert change.step["lifecycle_status"] == change.step["business_status"] == "RUNNING"
    assert change.step["started_at"] == NOW
    assert change.task["lifecycle_status"] == change.task["business_status"] == "RUNNING"
    assert change.task["started_at"] == change.task["first_started_at"] == NOW
    assert change.notice is None


def test_a_start_of_a_later_attempt_keeps_when_the_task_first_started():
    change = applied(report("STEP_STARTED"), PlainStep(), PlainTask(first_started_at=EARLIER))
    assert (change.task["started_at"], change.task["first_started_at"]) == (NOW, EARLIER)


def test_a_second_start_leaves_the_running_task_as_it_is():
    change = applied(report("STEP_STARTED"), PlainStep(step_id="s2"), running_task())
    assert not {"lifecycle_status", "started_at", "first_started_at"} & set(change.task)


@pytest.mark.parametrize(
    ("event", "lifecycle"),
    [("STEP_COMPLETED", "SUCCEEDED"), ("STEP_FAILED", "FAILED"), ("STEP_CANCELLED", "CANCELLED")],
)
def test_an_end_of_a_step_ends_no_task(event, lifecycle):
    change = applied(report(event), running_step(), running_task())
    assert change.step["lifecycle_status"] == change.step["business_status"] == lifecycle
    assert change.step["finished_at"] == NOW
    assert "lifecycle_status" not in change.task
    assert change.task["business_status"] == "RUNNING"


def test_a_duration_is_stored_as_sent_and_as_monotonic_unless_it_says_otherwise():
    change = applied(report("STEP_COMPLETED", duration_ms=2**63 - 1), running_step(), running_task())
    assert (change.step["duration_ms"], change.step["duration_source"]) == (2**63 - 1, "MONOTONIC")
    estimate = report("STEP_COMPLETED", duration_ms=0, duration_source="WALL_CLOCK_ESTIMATE")
    change = applied(estimate, running_step(), running_task())
    assert (change.step["duration_ms"], change.step["duration_source"]) == (0, "WALL_CLOCK_ESTIMATE")


def test_an_end_without_a_duration_is_given_none():
    change = applied(report("STEP_COMPLETED"), running_step(), running_task())
    assert "duration_ms" not in change.step


def test_what_a_report_says_of_its_step_is_kept():
    said = report(
        "STEP_COMPLETED", progress=PlainProgress(9), progress_seq=4, phase_code="OCR", message="Ok.", data=PlainData()
    )
    change = applied(said, running_step(progress_seq=3), running_task())
    assert change.step["progress"] == {"current": 9, "total": 10, "unit": "page"}
    assert (change.step["progress_seq"], change.step["progress_updated_at"]) == (4, NOW)
    assert (change.step["phase_code"], change.step["phase_label"], change.step["message"]) == ("OCR", None, "Ok.")
    assert (change.step["data_schema"], change.step["state_data"]) == ("pages.v1", {"pages": 3})


def test_what_a_report_leaves_out_stays():
    change = applied(report("STEP_COMPLETED"), running_step(phase_code="OCR"), running_task())
    assert not {"progress", "progress_seq", "phase_code", "phase_label", "message", "data_schema"} & set(change.step)


def test_an_end_never_takes_the_progress_sequence_back():
    change = applied(report("STEP_COMPLETED", progress_seq=1), running_step(progress_seq=3), running_task())
    assert change.step["progress_seq"] == 3


def test_a_phase_moves_neither_lifecycle_nor_code():
    change = applied(report("STEP_PROGRESS", phase_code="TERMINAL_PHASE"), running_step(), running_task())
    assert change.step["lifecycle_status"] == change.step["business_status"] == "RUNNING"
    assert "lifecycle_status" not in change.task


def test_a_report_may_ask_for_the_user_and_tells_them_once():
    asks = report("STEP_PROGRESS", requires_action=True, actions=["SIGN"])
    change = applied(asks, running_step(), running_task())
    assert (change.task["requires_action"], change.task["actions"]) == (True, ["SIGN"])
    assert change.notice == "ACTION_REQUIRED"
    assert applied(asks, running_step(), running_task(requires_action=True)).notice is None


def test_an_error_is_redacted_before_it_is_stored():
    secret = PlainError(user_message="No route to 10.1.2.3:3306 for password=hunter2", diagnostics_ref="trace://1")
    change = applied(report("STEP_FAILED", error=secret), running_step(), running_task())
    for told in (change.step["error_message"], change.task["failure_message"]):
        assert "hunter2" not in str(told)
        assert "10.1.2.3" not in str(told)
    assert change.step["diagnostics_ref"] == "trace://1"
    assert "diagnostics_ref" not in change.task


# Two faults each: the row that stands first in protocol 4.3 is the answer.
OLD, ENDED_STEP = running_step(task_attempt=1, is_current=False), running_step(lifecycle_status="SUCCEEDED")
CONTIGUOUS = Rules(PAPERS, operation(sequence_policy=SequencePolicy.CONTIGUOUS))
FINE = running_step(business_status="READING")


@pytest.mark.parametrize(
    ("sent", "step", "task", "answer"),
    [
        ({"source_seq": 1}, OLD, running_task(attempt=2), "STALE_ATTEMPT"),
        ({"source_seq": 1}, OLD, running_task(), "STALE_EXECUTION"),
        ({"source_seq": 1}, ENDED_STEP, running_task(), "STALE_SEQUENCE"),
        ({"source_seq": 3}, ENDED_STEP, running_task(), "SEQUENCE_GAP"),
        ({"source_seq": 2, "business_status": "NO_SUCH"}, ENDED_STEP, running_task(), "TERMINAL_STATE"),
        ({"source_seq": 2}, FINE, running_task(lifecycle_status="FAILED"), "TERMINAL_STATE"),
        ({"source_seq": 2, "business_status": "NO_SUCH"}, PlainStep(source_seq=1), PlainTask(), "ILLEGAL_TRANSITION"),
        ({"source_seq": 2, "business_status": "NO_SUCH"}, FINE, running_task("READING"), "UNKNOWN_BUSINESS_STATUS"),
        ({"source_seq": 2, "business_status": "READING"}, FINE, running_task("READING"), "STATUS_NOT_REACHABLE"),
    ],
)
def test_the_first_fault_is_the_answer(sent, step, task, answer):
    assert answer_to(PlainReport("STEP_COMPLETED", **sent), step, task) == answer


def answer_to(sent, step, task):
    try:
        decision = decide(sent, step, task, CONTIGUOUS)
    except DomainError as refusal:
        return refusal.code
    return decision.reason if isinstance(decision, Stale) else decision
