"""The reads of realtime go by an index, however long the outbox and however many watch."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from outbox.replay import missed_rows
from outbox.tail import Place, Tail, newest_id
from realtime.models import Seat, WatchedTask
from realtime.seats.database import DatabaseSeats
from realtime.watch_set import watchers
from taskstatus.identity.principals import User
from tests.realtime.rows import outgoing, put
from tests.support.plans import analyze, capturing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("row_locks")]

ROWS = 3000
USER = User("acme", "user-1", frozenset(), frozenset(), "session")


@pytest.fixture
def rows():
    """A long outbox of many users; its ids."""
    ids = put(*[outgoing(f"task_user:acme/user-{number % 50}", f"tsk_{number}") for number in range(ROWS)])
    analyze("task_outbox")
    return ids


def explained(call):
    """The only statement that a call sends, and its plan."""
    with capturing() as statements:
        result = call()
    (statement,) = statements
    return result, statement


def assert_by_id(statement, at_most):
    access = statement.access("task_outbox")
    assert (access["type"], access["key"]) == ("range", "PRIMARY"), statement.plan()
    assert int(access["rows"]) <= at_most, statement.plan()
    assert "filesort" not in (access["extra"] or ""), statement.plan()


def test_the_tail_reads_what_is_new_and_its_gaps_by_their_ids(rows):
    gaps = frozenset(rows[100:2000:100])
    tail = Tail(Place(rows[-4], gaps))
    seen, statement = explained(tail.ahead)
    assert len(seen) == len(gaps) + 3
    assert_by_id(statement, 2 * len(gaps) + 3)


def test_a_tail_that_has_nothing_to_read_reads_nothing(rows):
    seen, statement = explained(Tail(Place(rows[-1])).ahead)
    assert seen == []
    assert_by_id(statement, 1)


def test_what_was_missed_is_read_between_two_places(rows):
    since, until = Place(rows[-200], frozenset(rows[:3])), Place(rows[-1])
    pages, statement = explained(lambda: next(missed_rows(since, until, {"task_user:acme/user-1"})))
    assert len(pages) == 5  # one that was late, and every fiftieth of the last ones
    assert_by_id(statement, 400)


def test_the_newest_id_is_read_at_the_end_of_the_index(rows):
    newest, statement = explained(newest_id)
    assert newest == rows[-1]
    assert statement.plan()[0]["extra"] == "Select tables optimized away"


def test_watchers_are_found_by_channel():
    ends = Now() + timedelta(minutes=5)
    WatchedTask.objects.bulk_create(
        WatchedTask(
            session_key=f"s{n}", task_id=f"tsk_{n % 200}", channel=f"task_detail:acme/tsk_{n % 200}", expires_at=ends
        )
        for n in range(1000)
    )
    analyze("realtime_watched_task")
    with capturing() as statements:
        watchers(["task_detail:acme/tsk_7"], {"s7": USER})
    access = statements[0].access("realtime_watched_task")
    assert access["key"] == "realtime_watchers_idx", statements[0].plan()
    assert int(access["rows"]) <= 10


def test_places_are_found_by_their_holder():
    ends = Now() + timedelta(minutes=5)
    Seat.objects.bulk_create(Seat(holder=f"h{n}", number=0, lease=f"l{n}", expires_at=ends) for n in range(500))
    analyze("realtime_seat")
    with capturing() as statements:
        assert DatabaseSeats().take("h7", "another", 2, 60)
    taken = next(s for s in statements if "realtime_seat" in s.sql)
    assert taken.access("realtime_seat")["key"] in {"realtime_seat_number_uk", "realtime_seat_lease_uk"}, taken.plan()
