"""Lengths of time are told in at most two units."""

from datetime import timedelta

import pytest

from taskstatus.projections.spans import span


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (3720, "1 h 2 min"),
        (36_060, "10 h"),
        (86_400, "1 d"),
        (97_200, "1 d 3 h"),
        (8_640_000, "100 d"),
    ],
    ids=str,
)
def test_a_length_is_told(seconds, words):
    assert span(timedelta(seconds=seconds)) == words
