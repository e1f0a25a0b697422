"""What somebody missed is read again: theirs alone, late rows included, page by page."""

import pytest

from outbox import replay
from outbox.models import OutboxMessage
from outbox.replay import missed_rows
from outbox.tail import Place, newest_id
from tests.realtime.rows import outgoing, put

pytestmark = pytest.mark.django_db(transaction=True)
MINE, OTHERS = "task_user:acme/alice", "task_user:acme/bob"


def read(since, until, *channels):
    return [(one.row.id, one.place) for page in missed_rows(since, until, channels or (MINE,)) for one in page]


def test_it_gives_the_rows_of_these_channels_between_two_places():
    since = Place(put()[0])
    [mine, others, project] = put(outgoing(MINE), outgoing(OTHERS), outgoing("task_project:acme/p1"))
    until = Place(newest_id())
    put()
    assert read(since, until) == [(mine, Place(mine))]
    assert [row for row, _ in read(since, until, MINE, "task_project:acme/p1")] == [mine, project]
    assert read(since, until, OTHERS) == [(others, Place(others))]


def test_it_gives_late_rows_that_are_there_by_now():
    [late, first, second] = [put()[0] for _ in range(3)]
    since = Place(first, frozenset({late, late - 1_000}))
    assert read(since, Place(second)) == [(late, since), (second, Place(second))]


def test_a_place_on_the_way_keeps_waiting_for_what_the_end_waits_for():
    [start, missing, row] = [put()[0] for _ in range(3)]
    OutboxMessage.objects.filter(id=missing).delete()
    until = Place(row + 5, frozenset({missing, row + 2}))
    assert read(Place(start), until) == [(row, Place(row, frozenset({missing})))]


def test_pages_lose_and_double_nothing(monkeypatch):
    monkeypatch.setattr(replay, "PAGE_ROWS", 2)
    since = Place(put()[0] - 1)
    ids = [since.last + 1, *(put()[0] for _ in range(4))]
    assert [row for row, _ in read(since, Place(ids[-1]))] == ids
    assert read(Place(ids[-1]), Place(ids[-1])) == []
