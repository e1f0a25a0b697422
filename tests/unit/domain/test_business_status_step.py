"""Rulings 8 and 31 for step events: which code the step shows, and whether its task moves along."""

import pytest

from taskstatus.domain.business_status import TaskCodes, codes_after_step_event, new_step_code, step_code
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Lifecycle
from tests.support.plain import PAPERS

UNKNOWN, UNREACHABLE = "UNKNOWN_BUSINESS_STATUS", "STATUS_NOT_REACHABLE"


def code_of_step(named, current, after, statuses=PAPERS):
    try:
        return step_code(named, current, Lifecycle(after), statuses)
    except DomainError as refusal:
        return refusal.code


@pytest.mark.parametrize(
    ("named", "current", "after", "expected"),
    [
        # A named code has to be a step's code of the lifecycle that the event leads to.
        ("READING", None, "RUNNING", "READING"),
        ("READING", "READING", "RUNNING", "READING"),  # again
        ("READ", "READING", "SUCCEEDED", "READ"),  # what READ means for tasks doesn't matter here
        ("SIGNED", "READING", "RUNNING", "SIGNED"),
        ("UNREADABLE", None, "FAILED", "UNREADABLE"),
        ("SORTING", "READING", "RUNNING", "SORTING"),  # allowedFrom is judged for tasks only
        ("REVIEW", "READING", "RUNNING", UNKNOWN),  # a task's code
        ("RETRY_WAIT", "READING", "RUNNING", UNKNOWN),  # the service's code for tasks
        ("NO_SUCH", "READING", "RUNNING", UNKNOWN),
        ("READING", "READING", "SUCCEEDED", UNREACHABLE),
        ("READ", "READING", "RUNNING", UNREACHABLE),
        ("UNREADABLE", "READING", "CANCELLED", UNREACHABLE),
        # Where none is named, one that agrees with the new lifecycle stays, and another becomes nothing.
        (None, "READING", "RUNNING", "READING"),
        (None, "SIGNED", "RUNNING", "SIGNED"),
        (None, "READING", "SUCCEEDED", None),
        (None, None, "RUNNING", None),
    ],
)
def test_a_step_shows_what_its_event_names(named, current, after, expected):
    assert code_of_step(named, current, after) == expected


def test_a_new_attempt_of_a_step_has_no_code_unless_its_task_is_unclassified():
    assert new_step_code(PAPERS) is None
    assert new_step_code(GENERIC_SET) == "PENDING"


def same(code):
    return TaskCodes(code, code)


def task_after(codes, named, before="RUNNING", after="RUNNING"):
    return codes_after_step_event(codes, named, Lifecycle(before), Lifecycle(after), PAPERS)


@pytest.mark.parametrize(
    ("current", "named", "expected"),
    [
        ("READING", "READ", "READ"),  # the same code exists for tasks, runs on, and may come after READING
        ("REVIEW", "READING", "READING"),
        ("READING", "READING", "READING"),
        ("REVIEW", "READ", "REVIEW"),  # not reachable from here: the task stays
        ("REVIEW", "SIGNED", "REVIEW"),  # for tasks an end: no step ends its task
        ("READING", "DONE", "READING"),  # likewise
        ("READING", "UNREADABLE", "READING"),  # no task's code at all
        ("READING", None, "READING"),  # only a named code carries over
        (None, None, None),
        (None, "READING", "READING"),  # @none
        (None, "READ", "READ"),  # its allowedFrom holds a code with the lifecycle that the task had
        (None, "SORTING", None),  # QUEUED is PENDING, and the task was RUNNING
    ],
)
def test_a_running_task_moves_along_where_it_may(current, named, expected):
    assert task_after(same(current), named) == same(expected)


@pytest.mark.parametrize(
    ("current", "named", "expected"),
    [
        ("QUEUED", "READING", "READING"),
        ("QUEUED", "SORTING", "SORTING"),
        ("PARKED", "READING", None),  # not reachable, and PARKED no longer agrees
        ("PARKED", "SORTING", None),
        ("QUEUED", None, None),  # QUEUED no longer agrees, and nothing is guessed
        (None, "SORTING", "SORTING"),  # QUEUED has the lifecycle that the task had
    ],
)
def test_a_task_that_its_step_starts_keeps_no_code_of_waiting(current, named, expected):
    assert task_after(same(current), named, before="PENDING") == same(expected)


def test_a_task_that_still_waits_keeps_its_code():
    assert task_after(same("QUEUED"), "READ", before="PENDING", after="PENDING") == same("QUEUED")


@pytest.mark.parametrize(
    ("remembered", "named", "expected"),
    [
        ("READING", "READ", "READ"),
        ("REVIEW", "READ", "REVIEW"),
        ("READING", None, "READING"),
        (None, "READING", "READING"),
    ],
)
def test_behind_a_reserved_code_only_the_remembered_one_moves(remembered, named, expected):
    waiting = TaskCodes("RETRY_WAIT", remembered)
    assert task_after(waiting, named) == TaskCodes("RETRY_WAIT", expected)
