"""Heartbeat leases: deadlines, intervals, and which pairs of the two are refused."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.leases import (
    MAX_TIMEOUT_SECONDS,
    deadline,
    heartbeat_problems,
    newest_deadline_to_move,
    next_interval,
)

NOW = datetime(2026, 9, 21, 7, 10, 18, tzinfo=UTC)


def test_the_deadline_is_one_timeout_after_the_last_beat():
    assert deadline(NOW, 60) == NOW + timedelta(seconds=60)


def test_the_longest_timeout_still_has_a_deadline():
    assert deadline(NOW, MAX_TIMEOUT_SECONDS) > NOW


@pytest.mark.parametrize(("interval", "timeout"), [(1, 3), (15, 60), (15, 45), (3_600, 10_800), (1, 2**31 - 1)])
def test_a_fitting_pair_has_no_problem(interval, timeout):
    assert heartbeat_problems(interval, timeout) == []


@pytest.mark.parametrize(
    ("interval", "timeout", "members"),
    [
        (0, 60, ["heartbeatIntervalSeconds"]),
        (-1, 60, ["heartbeatIntervalSeconds"]),
        (3_601, 10_803, ["heartbeatIntervalSeconds"]),
        (15, 44, ["heartbeatTimeoutSeconds"]),
        (15, 0, ["heartbeatTimeoutSeconds"]),
        (15, 2**31, ["heartbeatTimeoutSeconds"]),
        (3_601, 60, ["heartbeatIntervalSeconds", "heartbeatTimeoutSeconds"]),
        (2**63 - 1, 2**63 - 1, ["heartbeatIntervalSeconds", "heartbeatTimeoutSeconds"]),
    ],
)
def test_each_problem_points_at_its_member(interval, timeout, members):
    problems = heartbeat_problems(interval, timeout, "/knownSteps/0")
    assert [problem.pointer for problem in problems] == [f"/knownSteps/0/{member}" for member in members]
    assert {problem.code for problem in problems} == {"INVALID_FIELD"}


@pytest.mark.parametrize(("interval", "timeout"), [(1, 3), (15, 60), (15, 45), (3_600, 10_800), (1, 2**31 - 1)])
def test_a_deadline_that_is_not_moved_still_covers_two_and_a_half_intervals(interval, timeout):
    limit = newest_deadline_to_move(NOW, interval, timeout)
    assert deadline(NOW, timeout) - limit == timedelta(seconds=interval / 2)
    assert limit - NOW >= timedelta(seconds=2.5 * interval)


def test_a_worker_is_asked_for_its_own_interval():
    assert next_interval(15, 60) == 15


def test_a_short_timeout_asks_for_more_beats():
    assert next_interval(15, 30) == 10
    assert next_interval(15, 1) == 1


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 3_600), st.integers(1, MAX_TIMEOUT_SECONDS))
def test_the_next_interval_is_the_workers_own_where_the_pair_fits(interval, timeout):
    asked = next_interval(interval, timeout)
    assert 1 <= asked <= interval
    if not heartbeat_problems(interval, timeout):
        assert asked == interval
