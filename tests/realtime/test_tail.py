"""The tail of the outbox gives every committed row once, whatever order the commits came in (ruling 23)."""

import threading

import pytest
from django.db import connection, transaction

from outbox import tail as tails
from outbox.tail import MAX_GAPS, PATIENCE_SECONDS, Place, Tail, newest_id
from tests.realtime.rows import put

pytestmark = pytest.mark.django_db(transaction=True)
WAIT_SECONDS = 60


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def a_table_in_use(transactional_db):
    put()


def follow(tail):
    """The ids of the next rows; the tail goes behind them."""
    seen = tail.ahead()
    tail.move(seen)
    return [one.row.id for one in seen]


class OpenTransaction:
    """A row in a transaction of another connection, which ends when it is told to."""

    def __init__(self):
        self._inserted, self._told = threading.Event(), threading.Event()
        self._commits = True
        self.id = 0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        assert self._inserted.wait(WAIT_SECONDS)
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, *, commits=True):
        if not self._told.is_set():
            self._commits = commits
            self._told.set()
        self._thread.join(WAIT_SECONDS)
        assert not self._thread.is_alive()

    def _run(self):
        try:
            with transaction.atomic():
                [self.id] = put()
                self._inserted.set()
                assert self._told.wait(WAIT_SECONDS)
                transaction.set_rollback(not self._commits)
        finally:
            self._inserted.set()
            connection.close()


def test_it_gives_what_was_committed_since_in_the_order_of_the_ids():
    tail = Tail.from_now()
    ids = [*put(), *put()]
    assert (follow(tail), follow(tail), tail.place) == (ids, [], Place(ids[-1]))


def test_what_was_not_moved_behind_is_given_again():
    tail = Tail.from_now()
    ids = put()
    assert [one.row.id for one in tail.ahead()] == [one.row.id for one in tail.ahead()] == ids


def test_it_gives_at_most_a_batch(monkeypatch):
    tail = Tail.from_now()
    [first], [second] = put(), put()
    monkeypatch.setattr(tails, "BATCH_ROWS", 1)
    assert [follow(tail), follow(tail)] == [[first], [second]]


def test_a_row_that_commits_behind_a_later_one_is_not_lost(row_locks):
    tail = Tail.from_now()
    with OpenTransaction() as late:
        [later] = put()
        assert follow(tail) == [later]
        assert tail.place == Place(later, frozenset({late.id}))
        assert follow(tail) == []
        late.end()
        assert follow(tail) == [late.id]
    assert (tail.place, follow(tail)) == (Place(later), [])


def test_a_new_tail_waits_for_transactions_that_began_before_it(row_locks):
    with OpenTransaction() as late:
        [later] = put()
        tail = Tail.from_now()
        assert tail.place == Place(later, frozenset({late.id}))
        late.end()
        assert follow(tail) == [late.id]


def test_it_gives_up_an_id_that_was_rolled_back(row_locks, clock):
    tail = Tail(Place(newest_id()), clock)
    with OpenTransaction() as undone:
        [later] = put()
        follow(tail)
        undone.end(commits=False)
    clock.now = PATIENCE_SECONDS
    assert (follow(tail), tail.place.gaps) == ([], {undone.id})
    clock.now += 1
    assert (follow(tail), tail.place) == ([], Place(later))


def test_the_gaps_that_a_place_remembers_are_bounded():
    place = Place(1).after(1_000_000)
    assert (len(place.gaps), min(place.gaps)) == (MAX_GAPS, 1_000_000 - MAX_GAPS)
    again = place.after(2_000_000)
    assert (len(again.gaps), max(again.gaps)) == (MAX_GAPS, 1_999_999)
