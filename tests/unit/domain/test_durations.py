"""Durations are what a reader of the times would compute, and never negative."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.durations import queue_ms, run_ms, total_ms
from taskstatus.domain.timestamps import format_utc_millis, parse_rfc3339

CREATED = datetime(2026, 9, 21, 7, 10, 18, 120_000, tzinfo=UTC)
STARTED = CREATED + timedelta(milliseconds=1_500)
FINISHED = STARTED + timedelta(minutes=2)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


def test_queue_run_and_total_of_a_plain_task():
    assert queue_ms(CREATED, STARTED) == 1_500
    assert run_ms(None, STARTED, FINISHED) == 120_000
    assert total_ms(CREATED, FINISHED) == 121_500


def test_what_has_not_happened_has_no_duration():
    assert queue_ms(CREATED, None) is None
    assert total_ms(CREATED, None) is None
    assert run_ms(None, STARTED, None) is None
    assert run_ms(None, None, FINISHED) is None


@pytest.mark.parametrize("reported", [0, 1, 2**63 - 1])
def test_a_reported_duration_is_kept_as_it_is(reported):
    assert run_ms(reported, STARTED, FINISHED) == reported
    assert run_ms(reported, None, None) == reported


def test_clocks_that_ran_backwards_make_zero():
    assert queue_ms(STARTED, CREATED) == 0
    assert run_ms(None, FINISHED, STARTED) == 0
    assert total_ms(FINISHED, CREATED) == 0
    assert run_ms(-1, STARTED, FINISHED) == 0


def test_microseconds_do_not_make_it_differ_from_the_times_shown():
    earlier = CREATED + timedelta(microseconds=900)
    assert total_ms(earlier, CREATED + timedelta(microseconds=1_000)) == 1


@settings(max_examples=200, deadline=None)
@given(MOMENTS, MOMENTS)
def test_it_is_the_difference_of_the_times_as_they_leave(one, other):
    shown = [parse_rfc3339(format_utc_millis(moment)) for moment in (one, other)]
    difference = (shown[1] - shown[0]) // timedelta(milliseconds=1)
    assert total_ms(one, other) == max(difference, 0)
