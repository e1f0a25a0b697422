"""What one task event changes, and the order in which it is judged (rows 6 to 9)."""

from datetime import timedelta

import pytest

from taskstatus.domain.decide import decide_task
from taskstatus.domain.decisions import Apply, Stale
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from tests.support.plain import EARLIER, NOW, PAPERS, PlainError, PlainReport, PlainTask, running_task

ENDS = {"TASK_COMPLETED": "SUCCEEDED", "TASK_FAILED": "FAILED", "TASK_CANCELLED": "CANCELLED"}


def decide(report, task, attempt=1, statuses=GENERIC_SET, producer="coordinator"):
    return decide_task(report, attempt, task, statuses, producer, NOW)


def applied(report, task, **options):
    decision = decide(report, task, **options)
    assert isinstance(decision, Apply)
    assert decision.step == {}
    return decision


def report(event_type, **members):
    error = PlainError() if event_type == "TASK_FAILED" else None
    return PlainReport(event_type, **{"error": error, **members})


@pytest.mark.parametrize(("event", "lifecycle"), ENDS.items())
def test_an_end_is_stamped_and_told(event, lifecycle):
    change = applied(report(event), running_task())
    assert change.task["lifecycle_status"] == change.task["business_status"] == lifecycle
    assert (change.task["finished_at"], change.task["duration_ms"]) == (NOW, 60_000)
    assert change.notice == f"TASK_{lifecycle}"


def test_an_end_keeps_the_duration_that_it_reports():
    assert applied(report("TASK_COMPLETED", duration_ms=42_600), running_task()).task["duration_ms"] == 42_600


def test_a_task_that_never_started_has_no_duration_unless_one_is_reported():
    assert applied(report("TASK_CANCELLED"), PlainTask()).task["duration_ms"] is None


def test_a_task_that_started_after_the_clock_went_back_has_no_negative_duration():
    task = running_task(started_at=NOW + timedelta(seconds=5))
    assert applied(report("TASK_COMPLETED"), task).task["duration_ms"] == 0


def test_a_failure_is_told_with_its_step():
    change = applied(report("TASK_FAILED", failed_step_id="s7"), running_task())
    told = {name: change.task[name] for name in ("failure_code", "failure_message", "failed_step_id")}
    assert told == {"failure_code": "BROKEN", "failure_message": "It broke.", "failed_step_id": "s7"}


@pytest.mark.parametrize("event", ["TASK_COMPLETED", "TASK_CANCELLED"])
def test_another_end_leaves_the_failure_of_a_step_as_it_is(event):
    assert "failure_code" not in applied(report(event), running_task()).task


def status(code, **members):
    return report("TASK_STATUS_CHANGED", business_status=code, **members)


def test_a_status_change_starts_a_waiting_task():
    task = PlainTask(business_status="QUEUED", remembered_status="QUEUED")
    change = applied(status("READING"), task, statuses=PAPERS)
    assert change.task["lifecycle_status"] == "RUNNING"
    assert change.task["started_at"] == change.task["first_started_at"] == NOW
    assert change.task["business_status"] == change.task["remembered_status"] == "READING"
    assert change.notice is None


def test_a_later_attempt_keeps_when_the_first_one_started():
    task = PlainTask(attempt=2, first_started_at=EARLIER)
    change = applied(status("RUNNING"), task, attempt=2)
    assert (change.task["started_at"], change.task["first_started_at"]) == (NOW, EARLIER)


def test_a_status_change_within_a_lifecycle_moves_no_time():
    change = applied(status("REVIEW"), running_task("READING"), statuses=PAPERS)
    assert not {"lifecycle_status", "started_at", "finished_at", "duration_ms"} & set(change.task)


@pytest.mark.parametrize(
    ("members", "requires_action", "actions"),
    [
        ({}, False, []),  # carries neither: both are cleared
        ({"requires_action": True}, True, None),
        ({"requires_action": False}, False, None),
        ({"actions": ["SIGN"]}, None, ["SIGN"]),
        ({"requires_action": True, "actions": []}, True, []),
    ],
)
def test_what_the_user_has_to_do_follows_what_the_event_carries(members, requires_action, actions):
    change = applied(status("RUNNING", **members), running_task(requires_action=True))
    assert change.task.get("requires_action") == requires_action
    assert change.task.get("actions") == actions


def test_the_user_is_told_when_a_task_begins_to_wait_for_them():
    asks = status("WAITING_USER_ACTION", requires_action=True)
    assert applied(asks, running_task()).notice == "ACTION_REQUIRED"
    assert applied(asks, running_task(requires_action=True)).notice is None


def test_each_producer_numbers_its_own_task_events():
    task = running_task(task_source_seqs={"a": 7})
    change = applied(status("RUNNING", source_seq=1), task, producer="b")
    assert change.task["task_source_seqs"] == {"a": 7, "b": 1}
    assert isinstance(decide(status("RUNNING", source_seq=7), task, producer="a"), Stale)


def test_an_event_without_a_number_leaves_the_numbers_as_they_are():
    assert "task_source_seqs" not in applied(status("RUNNING"), running_task(task_source_seqs={"a": 7})).task


ENDED = running_task(lifecycle_status="FAILED", task_source_seqs={"coordinator": 3})
BUSY = running_task("READING", task_source_seqs={"coordinator": 3})


def answer_to(sent, task, attempt):
    try:
        decision = decide(sent, task, attempt, PAPERS)
    except DomainError as refusal:
        return refusal.code
    return decision.reason if isinstance(decision, Stale) else decision


# Two faults each: the row that stands first in protocol 4.3 is the answer.
@pytest.mark.parametrize(
    ("sent", "task", "attempt", "answer"),
    [
        (status("NO_SUCH", source_seq=1), ENDED, 0, "STALE_ATTEMPT"),
        (status("NO_SUCH", source_seq=1), ENDED, 2, "ATTEMPT_MISMATCH"),
        (status("NO_SUCH", source_seq=3), ENDED, 1, "STALE_SEQUENCE"),
        (status("NO_SUCH", source_seq=4), ENDED, 1, "TERMINAL_STATE"),
        (report("TASK_COMPLETED", business_status="NO_SUCH"), ENDED, 1, "TERMINAL_STATE"),
        (report("TASK_COMPLETED", business_status="NO_SUCH"), BUSY, 1, "UNKNOWN_BUSINESS_STATUS"),
        (report("TASK_COMPLETED", business_status="SIGNED"), BUSY, 1, "STATUS_NOT_REACHABLE"),
        (status("QUEUED"), BUSY, 1, "ILLEGAL_TRANSITION"),
        (status("SIGNED"), BUSY, 1, "ILLEGAL_TRANSITION"),  # nor can it be reached from READING
    ],
)
def test_the_first_fault_is_the_answer(sent, task, attempt, answer):
    assert answer_to(sent, task, attempt) == answer
