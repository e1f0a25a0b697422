"""Pauses double up to a ceiling and are spread over all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox.backoff import ceiling_seconds, pause_seconds


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0.5), (1, 0.5), (2, 1), (3, 2), (7, 32), (8, 60), (9, 60), (10**9, 60)]
)
def test_the_ceiling_doubles_up_to_the_longest(failures, seconds):
    assert ceiling_seconds(failures) == seconds


@given(st.integers(1, 10**12))
def test_a_pause_lies_between_nothing_and_the_ceiling(failures):
    assert 0 <= pause_seconds(failures) <= ceiling_seconds(failures)


def test_those_who_failed_together_come_back_at_different_times():
    pauses = [pause_seconds(8) for _ in range(400)]
    assert min(pauses) < 6
    assert max(pauses) > 54
