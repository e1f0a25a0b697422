"""Status sets and operations as values, and the profile that exists without a definition (ruling 34)."""

import pytest

from taskstatus.domain.definitions import (
    ANY_STATUS,
    GENERIC_SET,
    RESERVED,
    RESERVED_STATUSES,
    builtin_operation,
    matches_pattern,
)
from taskstatus.domain.lifecycle import WORKER_EVENTS, AppliesTo, Severity
from tests.support.plain import PAPERS, operation


@pytest.mark.parametrize(
    ("pattern", "value", "matches"),
    [
        ("reader", "reader", True),
        ("reader", "reader-2", False),
        ("reader", "Reader", False),
        ("reader-*", "reader-2", True),
        ("reader-*", "reader-", True),
        ("reader-*", "reader", False),
        ("*", "anything", True),
        ("a.c", "abc", False),  # no regular expression
        ("a*c", "abc", False),  # only the last star is special
        ("a*c", "a*c", True),
    ],
)
def test_a_pattern_is_exact_up_to_a_star_at_its_end(pattern, value, matches):
    assert matches_pattern(pattern, value) is matches
    assert operation(producer_pattern=pattern).allows_producer(value) is matches


@pytest.mark.parametrize(("pattern", "producer"), [("reader", "reader"), ("reader-*", None), ("*", None)])
def test_an_operation_names_its_producer_where_there_is_only_one(pattern, producer):
    assert operation(producer_pattern=pattern).exact_producer == producer


@pytest.mark.parametrize(
    ("code", "scope", "lifecycle"),
    [
        ("READ", "TASK", "RUNNING"),
        ("READ", "STEP", "SUCCEEDED"),
        ("READING", "TASK", "RUNNING"),
        ("READING", "STEP", "RUNNING"),
        ("REVIEW", "TASK", "RUNNING"),
        ("REVIEW", "STEP", None),
        ("UNREADABLE", "TASK", None),
        ("UNREADABLE", "STEP", "FAILED"),
        ("NO_SUCH", "TASK", None),
    ],
)
def test_a_code_is_looked_up_in_its_scope(code, scope, lifecycle):
    status = PAPERS.get(code, AppliesTo(scope))
    assert (status.lifecycle if status else None) == lifecycle


def test_the_built_in_profile_lets_workers_report_all_of_theirs_with_generic_data():
    profile = builtin_operation("ANY.THING")
    assert profile.allowed_event_types == WORKER_EVENTS
    assert profile.allowed_data_schemas == {
        "STEP_PROGRESS": {"generic.progress.v1"},
        "STEP_COMPLETED": {"generic.result.v1"},
    }
    assert (profile.failure_policy, profile.policy_executor) == ("FAIL_TASK", None)
    assert (profile.heartbeat_interval_seconds, profile.heartbeat_timeout_seconds) == (15, 60)
    assert profile.allows_producer("anybody")
    assert profile.generic
    assert (profile.code, profile.definition_id) == ("ANY.THING", None)


def test_the_generic_set_takes_a_result_at_the_end_of_a_task():
    assert GENERIC_SET.task_data_schemas == {"generic.result.v1"}


def test_severity_comes_from_the_set():
    shown = {code: GENERIC_SET.statuses[code].severity for code in ("RUNNING", "SUCCEEDED", "FAILED", "RETRY_WAIT")}
    assert shown == {
        "RUNNING": Severity.INFO,
        "SUCCEEDED": Severity.SUCCESS,
        "FAILED": Severity.ERROR,
        "RETRY_WAIT": Severity.WARNING,
    }


@pytest.mark.parametrize("code", sorted(RESERVED))
def test_a_reserved_code_can_be_reached_from_everywhere(code):
    assert RESERVED_STATUSES[code].allowed_from == {ANY_STATUS}
