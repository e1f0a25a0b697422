"""A cursor survives the way to the client and back; what was never given out is told from what was."""

import pytest

from outbox.tail import MAX_GAPS, Place
from realtime.stream.cursor import MAX_RUNS, Cursor


@pytest.mark.parametrize("gaps", [(), (7,), (3, 5, 9), (1, 2, 3, 5, 6, 11), tuple(range(1, 12))])
def test_it_comes_back_as_it_went(gaps):
    cursor = Cursor(2, Place(12, frozenset(gaps)), 1_790_000_000)
    assert Cursor.decode(cursor.encode()) == cursor


def test_with_too_many_gaps_it_stands_further_back_and_misses_nothing():
    cursor = Cursor(1, Place(100, frozenset(range(1, 100, 2))), 5)
    back = Cursor.decode(cursor.encode())
    assert len(back.place.gaps) == MAX_RUNS
    unseen = {*back.place.gaps, *range(back.place.last + 1, 101)}
    assert unseen >= cursor.place.gaps
    assert len(cursor.encode()) < 1_000


def test_all_gaps_that_a_place_remembers_come_back_where_they_follow_each_other():
    cursor = Cursor(1, Place(1_000, frozenset(range(1_000 - MAX_GAPS, 1_000))), 5)
    assert Cursor.decode(cursor.encode()) == cursor


@pytest.mark.parametrize(
    "word",
    [
        "",
        "1",
        "1.2",
        "1.2.3.",
        ".1.2.3",
        "1.2.-3",
        "01.2.3",
        "1.2.3\n",
        "a.b.c",
        "1.2.3.4",
        "1.9.3.5.4",
        "1.9.3.5.5",
        "1.9.3.0",
        "1.2.99999999999999999999",
        "1.9.3.5-4",
        "1.9.3.5-10",
        "1.9.3.2-5.4",
        "1.9.3.2-",
        f"1.9999999.3.1-{MAX_GAPS + 1}",
        "1.999.3." + ".".join(map(str, range(1, 2 * MAX_RUNS + 3, 2))),
        "1.٢.3",
    ],
)
def test_a_word_that_was_never_given_out_is_none(word):
    assert Cursor.decode(word) is None
