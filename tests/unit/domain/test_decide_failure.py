"""STEP_FAILED under every failure policy, retryable or not, with attempts left or not, of a running or pending task."""

from itertools import product

import pytest

from taskstatus.domain.decide import Rules, decide_step
from taskstatus.domain.decisions import Apply
from taskstatus.domain.definitions import GENERIC_SET, ErrorText
from tests.support.plain import (
    NOW,
    PAPERS,
    PlainError,
    PlainReport,
    PlainStep,
    PlainTask,
    operation,
    running_step,
    running_task,
)

POLICIES = ("FAIL_TASK", "RETRY_THEN_FAIL_TASK", "CONTINUE_WITH_WARNING", "WAIT_FOR_USER")
OPERATION = operation(errors={"BROKEN": ErrorText({"en": "Please help."}, ("REUPLOAD",))})


def failure(step, task, statuses=PAPERS, **members):
    error = PlainError(retryable=members.pop("retryable", True))
    report = PlainReport("STEP_FAILED", source_seq=2, error=error, **members)
    decision = decide_step(report, step, task, Rules(statuses, OPERATION), NOW)
    assert isinstance(decision, Apply)
    return decision


def expected_code(policy, retryable, attempt):
    if policy == "WAIT_FOR_USER":
        return "WAITING_USER_ACTION"
    return "RETRY_WAIT" if policy == "RETRY_THEN_FAIL_TASK" and retryable and attempt < 2 else "READING"


@pytest.mark.parametrize(("policy", "retryable", "attempt"), list(product(POLICIES, (True, False), (1, 2))))
def test_a_running_task_shows_what_it_waits_for_and_remembers_its_code(policy, retryable, attempt):
    step = running_step(failure_policy=policy, attempt=attempt, max_attempts=2)
    change = failure(step, running_task("READING"), retryable=retryable)
    assert change.task["business_status"] == expected_code(policy, retryable, attempt)
    assert change.task["remembered_status"] == "READING"
    assert "lifecycle_status" not in change.task


@pytest.mark.parametrize("policy", POLICIES)
def test_a_pending_task_keeps_its_code(policy):
    change = failure(PlainStep(failure_policy=policy), PlainTask(business_status="QUEUED", remembered_status="QUEUED"))
    assert change.task["business_status"] == change.task["remembered_status"] == "QUEUED"
    assert "lifecycle_status" not in change.task


@pytest.mark.parametrize("policy", POLICIES)
def test_only_an_optional_failure_makes_the_step_unwell(policy):
    change = failure(running_step(failure_policy=policy), running_task("READING"))
    optional = policy == "CONTINUE_WITH_WARNING"
    assert change.step.get("health") == ("DEGRADED" if optional else None)
    assert change.step.get("health_reason") == ("OPTIONAL_STEP_FAILED" if optional else None)


@pytest.mark.parametrize(
    ("policy", "retryable", "notice"),
    [
        ("FAIL_TASK", True, "STEP_FAILED"),
        ("RETRY_THEN_FAIL_TASK", True, "STEP_RETRYING"),
        ("RETRY_THEN_FAIL_TASK", False, "STEP_FAILED"),
        ("CONTINUE_WITH_WARNING", True, "STEP_FAILED"),
        ("WAIT_FOR_USER", False, "ACTION_REQUIRED"),
    ],
)
def test_the_user_is_told_what_follows(policy, retryable, notice):
    change = failure(running_step(failure_policy=policy), running_task("READING"), retryable=retryable)
    assert change.notice == notice


def test_waiting_for_the_user_asks_for_what_the_operation_offers():
    change = failure(running_step(failure_policy="WAIT_FOR_USER"), running_task("READING"))
    assert (change.task["requires_action"], change.task["actions"]) == (True, ["REUPLOAD"])


@pytest.mark.parametrize("policy", POLICIES)
def test_what_the_operation_offers_wins_over_what_the_worker_asks_for(policy):
    asks = {"requires_action": True, "actions": ["CALL_US"]}
    change = failure(running_step(failure_policy=policy), running_task("READING"), **asks)
    assert (change.task["requires_action"], change.task["actions"]) == (True, ["REUPLOAD"])


def test_what_the_worker_asks_for_counts_where_the_operation_offers_nothing():
    rules = Rules(PAPERS, operation(errors={}))
    report = PlainReport("STEP_FAILED", source_seq=2, error=PlainError(), actions=["CALL_US"])
    step = running_step(failure_policy="WAIT_FOR_USER")
    decision = decide_step(report, step, running_task("READING"), rules, NOW)
    assert isinstance(decision, Apply)
    assert (decision.task["requires_action"], decision.task["actions"]) == (True, ["CALL_US"])


@pytest.mark.parametrize("policy", ["FAIL_TASK", "RETRY_THEN_FAIL_TASK", "CONTINUE_WITH_WARNING"])
def test_no_other_policy_asks_for_the_user(policy):
    assert "requires_action" not in failure(running_step(failure_policy=policy), running_task("READING")).task


def test_the_failure_is_the_tasks_until_it_is_tried_again():
    change = failure(running_step(step_id="s7"), running_task("READING"))
    assert (change.task["failure_code"], change.task["failed_step_id"]) == ("BROKEN", "s7")
    assert (change.step["error_code"], change.step["error_retryable"]) == ("BROKEN", True)


def test_a_failed_step_names_its_own_code_while_its_task_waits():
    step = running_step(failure_policy="RETRY_THEN_FAIL_TASK")
    change = failure(step, running_task("READING"), business_status="UNREADABLE")
    assert (change.step["business_status"], change.task["business_status"]) == ("UNREADABLE", "RETRY_WAIT")


def test_an_unclassified_task_waits_alike():
    change = failure(running_step(failure_policy="RETRY_THEN_FAIL_TASK"), running_task(), GENERIC_SET)
    assert (change.task["business_status"], change.task["remembered_status"]) == ("RETRY_WAIT", "RUNNING")
    assert change.step["business_status"] == "FAILED"


def test_the_policy_frozen_with_the_step_counts_and_not_the_operations():
    rules = Rules(PAPERS, operation(failure_policy="WAIT_FOR_USER"))
    report = PlainReport("STEP_FAILED", source_seq=2, error=PlainError())
    decision = decide_step(report, running_step(failure_policy="FAIL_TASK"), running_task("READING"), rules, NOW)
    assert isinstance(decision, Apply)
    assert decision.task["business_status"] == "READING"
