"""Ruling 37: what a task shows while it waits for a retry or for its user, and how it comes out of that again."""

import pytest

from taskstatus.domain.business_status import (
    TaskCodes,
    codes_after_activation,
    codes_after_step_event,
    codes_after_task_event,
    waiting_code,
)
from taskstatus.domain.definitions import RESERVED
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import FailurePolicy, Lifecycle
from tests.support.plain import PAPERS, PlainStep

RUNNING = Lifecycle.RUNNING
RETRY, FOR_USER = FailurePolicy.RETRY_THEN_FAIL_TASK, FailurePolicy.WAIT_FOR_USER


def failed(policy, *, retryable=True, attempt=1, **members):
    return PlainStep(
        lifecycle_status=Lifecycle.FAILED, failure_policy=policy, error_retryable=retryable, attempt=attempt, **members
    )


@pytest.mark.parametrize("attempt", [1, 2, 3])
@pytest.mark.parametrize("retryable", [True, False])
@pytest.mark.parametrize("policy", list(FailurePolicy))
def test_a_failure_calls_for_waiting_by_its_policy(policy, retryable, attempt):
    expected = None
    if policy is FOR_USER:
        expected = "WAITING_USER_ACTION"
    elif policy is RETRY and retryable and attempt < 3:
        expected = "RETRY_WAIT"
    assert waiting_code(failed(policy, retryable=retryable, attempt=attempt)) == expected


@pytest.mark.parametrize("lifecycle", ["PENDING", "RUNNING", "SUCCEEDED", "CANCELLED"])
def test_only_a_failed_step_calls_for_waiting(lifecycle):
    assert waiting_code(PlainStep(lifecycle_status=lifecycle, failure_policy=FOR_USER)) is None


def test_a_failure_whose_next_attempt_is_there_calls_for_nothing():
    assert waiting_code(failed(FOR_USER, is_current=False)) is None


def test_a_failure_of_unknown_prospects_is_not_waited_for():
    assert waiting_code(failed(RETRY, retryable=None)) is None


@pytest.mark.parametrize(
    ("others", "shown"),
    [
        ([], "READING"),
        ([failed(RETRY)], "RETRY_WAIT"),
        ([failed(FOR_USER)], "WAITING_USER_ACTION"),
        ([failed(RETRY), failed(FOR_USER)], "WAITING_USER_ACTION"),
        ([failed(RETRY, attempt=3)], "READING"),
        ([failed(FailurePolicy.CONTINUE_WITH_WARNING), PlainStep()], "READING"),
    ],
)
@pytest.mark.parametrize("waiting", sorted(RESERVED))
def test_the_next_attempt_shows_what_others_wait_for_else_the_remembered_code(waiting, others, shown):
    assert codes_after_activation(TaskCodes(waiting, "READING"), others) == TaskCodes(shown, "READING")


def test_the_next_attempt_shows_nothing_where_nothing_was_remembered():
    assert codes_after_activation(TaskCodes("RETRY_WAIT", None), []) == TaskCodes(None, None)


def test_the_next_attempt_changes_no_code_that_a_coordinator_named_meanwhile():
    codes = TaskCodes("REVIEW", "REVIEW")
    assert codes_after_activation(codes, [failed(FOR_USER)]) == codes


@pytest.mark.parametrize(
    ("remembered", "named", "expected"),
    [
        ("READING", "READING", TaskCodes("READING", "READING")),  # the remembered one
        ("READING", "REVIEW", TaskCodes("REVIEW", "REVIEW")),  # one that it reaches
        (None, "READING", TaskCodes("READING", "READING")),  # @none: nothing is remembered
        ("READING", "WAITING_USER_ACTION", TaskCodes("WAITING_USER_ACTION", "READING")),
        (None, "RETRY_WAIT", TaskCodes("RETRY_WAIT", None)),
        ("READING", None, TaskCodes("RETRY_WAIT", "READING")),
    ],
)
def test_from_a_code_of_waiting_a_task_goes_on_as_from_the_remembered_one(remembered, named, expected):
    codes = TaskCodes("RETRY_WAIT", remembered)
    assert codes_after_task_event(codes, named, RUNNING, RUNNING, PAPERS) == expected


def test_what_the_remembered_code_does_not_reach_is_refused():
    codes = TaskCodes("RETRY_WAIT", "READ")
    with pytest.raises(DomainError) as caught:
        codes_after_task_event(codes, "READING", RUNNING, RUNNING, PAPERS)
    assert caught.value.code == "STATUS_NOT_REACHABLE"
    assert caught.value.current == {"businessStatus": "READ"}


@pytest.mark.parametrize("named", ["DONE", None])
def test_a_task_that_waits_can_end(named):
    codes = codes_after_task_event(TaskCodes("RETRY_WAIT", "READ"), named, RUNNING, Lifecycle.SUCCEEDED, PAPERS)
    assert codes == TaskCodes(named, named)


@pytest.mark.parametrize("code", sorted(RESERVED))
@pytest.mark.parametrize(("current", "remembered"), [("QUEUED", None), ("READING", "READING"), (None, None)])
def test_a_coordinator_may_name_a_code_of_waiting_from_any_code(code, current, remembered):
    before = Lifecycle.PENDING if current == "QUEUED" else RUNNING
    codes = codes_after_task_event(TaskCodes(current, current), code, before, RUNNING, PAPERS)
    assert codes == TaskCodes(code, remembered)


@pytest.mark.parametrize(("shown", "expected"), [("READING", "WAITING_USER_ACTION"), ("RETRY_WAIT", "RETRY_WAIT")])
def test_a_step_whose_own_code_is_one_of_waiting_is_never_remembered(shown, expected):
    codes = codes_after_step_event(TaskCodes(shown, "READING"), "WAITING_USER_ACTION", RUNNING, RUNNING, PAPERS)
    assert codes == TaskCodes(expected, "READING")
