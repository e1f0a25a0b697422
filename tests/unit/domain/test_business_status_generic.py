"""Ruling 9: an unclassified task and its steps show their lifecycle, unless a code of waiting is named."""

import pytest

from taskstatus.domain.business_status import TaskCodes, codes_after_step_event, codes_after_task_event, step_code
from taskstatus.domain.definitions import GENERIC_SET, RESERVED
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle

LIVE = ("PENDING", "RUNNING")


def same(code):
    return TaskCodes(code, code)


def after_task_event(codes, named, before, after):
    return codes_after_task_event(codes, named, Lifecycle(before), Lifecycle(after), GENERIC_SET)


def test_it_has_no_version_and_one_code_for_each_lifecycle_of_tasks_and_steps():
    assert GENERIC_SET.version is None
    assert GENERIC_SET.is_generic
    for lifecycle in Lifecycle:
        for scope in AppliesTo:
            status = GENERIC_SET.get(lifecycle.value, scope)
            assert status is not None
            assert status.lifecycle is lifecycle
    assert set(GENERIC_SET.statuses) == set(Lifecycle) | RESERVED


@pytest.mark.parametrize("code", sorted(RESERVED))
def test_the_codes_of_waiting_run_and_are_a_tasks_alone(code):
    status = GENERIC_SET.get(code, AppliesTo.TASK)
    assert status is not None
    assert status.lifecycle is Lifecycle.RUNNING
    assert GENERIC_SET.get(code, AppliesTo.STEP) is None


@pytest.mark.parametrize("after", list(Lifecycle))
@pytest.mark.parametrize("before", ["PENDING", "RUNNING", None])
def test_a_step_shows_its_new_lifecycle(before, after):
    assert step_code(None, before, after, GENERIC_SET) == after.value


@pytest.mark.parametrize("after", list(Lifecycle))
@pytest.mark.parametrize("before", LIVE)
def test_a_task_shows_its_new_lifecycle(before, after):
    assert after_task_event(same(before), None, before, after) == same(after.value)


@pytest.mark.parametrize("named", ["RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"])
@pytest.mark.parametrize("shown", ["PENDING", "RUNNING", "RETRY_WAIT", "WAITING_USER_ACTION"])
def test_each_code_can_be_named_from_every_code_that_is_no_end(shown, named):
    before = "PENDING" if shown == "PENDING" else "RUNNING"
    codes = TaskCodes(shown, before)
    assert after_task_event(codes, named, before, named) == same(named)


def test_a_step_that_starts_takes_its_task_along():
    codes = codes_after_step_event(same("PENDING"), None, Lifecycle.PENDING, Lifecycle.RUNNING, GENERIC_SET)
    assert codes == same("RUNNING")


def test_a_step_that_ends_leaves_its_task_running():
    codes = codes_after_step_event(same("RUNNING"), "SUCCEEDED", Lifecycle.RUNNING, Lifecycle.RUNNING, GENERIC_SET)
    assert codes == same("RUNNING")


@pytest.mark.parametrize(
    ("named", "code"), [("FAILED", "STATUS_NOT_REACHABLE"), ("PARSING", "UNKNOWN_BUSINESS_STATUS")]
)
def test_the_generic_codes_are_judged_like_all_others(named, code):
    with pytest.raises(DomainError) as caught:
        after_task_event(same("RUNNING"), named, "RUNNING", "SUCCEEDED")
    assert caught.value.code == code
