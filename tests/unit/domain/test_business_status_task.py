"""Rulings 8, 31 and 32 for task events: what may be named from where, and when a code agrees no longer."""

import pytest

from taskstatus.domain.business_status import TaskCodes, agreeing_code, codes_after_task_event
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle
from tests.support.plain import PAPERS

UNKNOWN, UNREACHABLE = "UNKNOWN_BUSINESS_STATUS", "STATUS_NOT_REACHABLE"


def same(code):
    return TaskCodes(code, code)


def after_task_event(current, named, before, after, statuses=PAPERS):
    codes = codes_after_task_event(same(current), named, Lifecycle(before), Lifecycle(after), statuses)
    assert codes.shown == codes.unreserved
    return codes.shown


def refusal(*arguments):
    with pytest.raises(DomainError) as caught:
        after_task_event(*arguments)
    return caught.value


@pytest.mark.parametrize(
    ("current", "named", "before", "after"),
    [
        ("QUEUED", "PARKED", "PENDING", "PENDING"),
        ("QUEUED", "READING", "PENDING", "RUNNING"),
        ("READING", "REVIEW", "RUNNING", "RUNNING"),
        ("REVIEW", "READING", "RUNNING", "RUNNING"),
        ("REVIEW", "SIGNED", "RUNNING", "SUCCEEDED"),  # for tasks an end, whatever it means for steps
        ("READ", "DONE", "RUNNING", "SUCCEEDED"),
        ("READING", "READING", "RUNNING", "RUNNING"),  # the current one again, though READING doesn't follow itself
        ("QUEUED", "REJECTED", "PENDING", "FAILED"),  # "*": from any code
        (None, "REJECTED", "RUNNING", "FAILED"),  # "*": or from none
        (None, "READING", "RUNNING", "RUNNING"),  # "@none"
        (None, "REVIEW", "RUNNING", "RUNNING"),  # follows READING, which is RUNNING as the task was
        (None, "SORTING", "PENDING", "RUNNING"),  # follows QUEUED, which is PENDING as the task was
    ],
)
def test_a_code_that_may_follow_is_shown(current, named, before, after):
    assert after_task_event(current, named, before, after) == named


@pytest.mark.parametrize(
    ("current", "named", "before", "after"),
    [
        ("PARKED", "READING", "PENDING", "RUNNING"),  # follows QUEUED and REVIEW only
        ("READ", "READING", "RUNNING", "RUNNING"),
        ("READING", "SIGNED", "RUNNING", "SUCCEEDED"),
        ("READING", "DONE", "RUNNING", "SUCCEEDED"),  # DONE lacks @none, and a code is shown
        (None, "SORTING", "RUNNING", "RUNNING"),  # QUEUED is PENDING, the task was not
        (None, "DONE", "PENDING", "SUCCEEDED"),  # READ and REVIEW are RUNNING, the task was not
        ("READING", "REVIEW", "RUNNING", "SUCCEEDED"),  # another lifecycle than the event's
        ("REVIEW", "DONE", "RUNNING", "FAILED"),
        ("READING", "RETRY_WAIT", "RUNNING", "FAILED"),
    ],
)
def test_a_code_that_may_not_follow_is_refused(current, named, before, after):
    assert refusal(current, named, before, after).code == UNREACHABLE


@pytest.mark.parametrize("named", ["UNREADABLE", "NO_SUCH", "Reading"])
def test_a_code_that_is_no_tasks_code_is_unknown(named):
    assert refusal("READING", named, "RUNNING", "RUNNING").code == UNKNOWN


@pytest.mark.parametrize(("current", "told"), [("READ", "READ"), (None, "@none")])
def test_the_refusal_tells_from_where_the_code_was_not_reachable(current, told):
    assert refusal(current, "SORTING", "RUNNING", "RUNNING").current == {"businessStatus": told}


@pytest.mark.parametrize(
    ("current", "before", "after", "expected"),
    [
        ("READ", "RUNNING", "SUCCEEDED", None),
        ("READ", "RUNNING", "FAILED", None),
        ("QUEUED", "PENDING", "CANCELLED", None),
        (None, "RUNNING", "SUCCEEDED", None),
    ],
)
def test_an_end_that_names_nothing_is_taken_and_shows_nothing(current, before, after, expected):
    assert after_task_event(current, None, before, after) == expected


@pytest.mark.parametrize(
    ("code", "scope", "lifecycle", "expected"),
    [
        ("READ", "TASK", "RUNNING", "READ"),
        ("READ", "STEP", "RUNNING", None),
        ("READ", "STEP", "SUCCEEDED", "READ"),
        ("REVIEW", "STEP", "RUNNING", None),  # no step's code
        ("GONE_WITH_ITS_SET", "TASK", "RUNNING", None),
    ],
)
def test_a_code_agrees_by_what_it_means_in_its_scope(code, scope, lifecycle, expected):
    assert agreeing_code(code, AppliesTo(scope), Lifecycle(lifecycle), PAPERS) == expected


def test_a_task_begins_with_the_code_that_is_marked():
    assert TaskCodes.initial(PAPERS) == same("QUEUED")
    assert TaskCodes.initial(GENERIC_SET) == same("PENDING")
