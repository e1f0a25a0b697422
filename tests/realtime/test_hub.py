"""The fan-out of one process: each row goes to those who may hear it, once, with a place to go on from."""

import asyncio
import json

import pytest

from outbox.models.message import Command
from outbox.tail import Place, Row, Seen
from realtime.seats import Held
from realtime.stream.cursor import Cursor
from realtime.stream.hub import Batch, Hub, Moment
from realtime.stream.listener import Ending, Listener
from taskstatus.identity.principals import User
from tests.realtime.events import Parser

SYSTEM = "task_system:public"
DETAIL = "task_detail:acme/tsk_1"


def listener(name="alice", session="s1", *channels):
    user = User("acme", name, frozenset(), frozenset(), session)
    return Listener(user, f"{name}-{session}", [f"task_user:acme/{name}", SYSTEM, *channels], Held("h", session))


def seen(row_id, channel="task_user:acme/alice", gaps=(), **members):
    known = {
        "command": Command.PUBLISH,
        "aggregate_type": "TASK",
        "aggregate_id": "tsk_1",
        "projection": "USER_SUMMARY",
        "payload": json.dumps({"row": row_id}),
        "coalescible": False,
    }
    return Seen(Row(id=row_id, channel=channel, **{**known, **members}), Place(row_id, frozenset(gaps)))


@pytest.fixture
def hub():
    hub = Hub()
    hub.place, hub.moment = Place(10), Moment(3, 1_700_000_000)
    return hub


def joined(hub, *listeners):
    for one in listeners:
        hub.add(one)
    return listeners if len(listeners) > 1 else listeners[0]


def events(of):
    """What a listener has been given since it was last asked."""
    parser = Parser()
    parser.feed(asyncio.run(of.take(0)))
    return parser.waiting()


def heard(of):
    return [event.body.get("row", event.name) for event in events(of)]


def deliver(hub, *rows, watchers=None):
    hub.deliver(Batch(rows, watchers or {}))


def test_a_message_goes_to_every_stream_of_its_user_and_to_nobody_else(hub):
    first, second, bob = joined(hub, listener(), listener("alice", "s2"), listener("bob"))
    deliver(hub, seen(11), seen(12, "task_user:acme/bob"))
    assert (heard(first), heard(second), heard(bob)) == ([11], [11], [12])


def test_a_channel_is_compared_by_its_whole_name(hub):
    alice = joined(hub, listener())
    others = ("task_user:acme/Alice", "task_user:acme/alice2", "task_user:umbrella/alice", "task_user:acme/")
    deliver(hub, *[seen(number, name) for number, name in enumerate(others, 11)])
    assert heard(alice) == []


def test_what_all_listen_to_reaches_all(hub):
    alice, bob = joined(hub, listener(), listener("bob"))
    deliver(hub, seen(11, SYSTEM))
    assert (heard(alice), heard(bob)) == ([11], [11])


def test_one_who_hears_of_a_row_in_two_ways_gets_it_once(hub):
    alice = joined(hub, listener("alice", "s1", DETAIL))
    deliver(hub, seen(11, DETAIL), watchers={DETAIL: frozenset({"alice-s1"})})
    assert heard(alice) == [11]


def test_a_detail_goes_to_the_sessions_that_watch_its_task(hub):
    watching, other = joined(hub, listener(), listener("alice", "s2"))
    deliver(
        hub, seen(11, DETAIL), seen(12, "task_detail:acme/tsk_2"), watchers={DETAIL: frozenset({"alice-s1", "gone"})}
    )
    assert (heard(watching), heard(other)) == ([11], [])


def test_a_command_that_is_no_publication_moves_the_place_and_is_told_to_nobody(hub):
    alice = joined(hub, listener())
    deliver(hub, seen(11, command=Command.REVOKE))
    assert (heard(alice), hub.place) == ([], Place(11))


def test_rows_that_nobody_here_hears_move_the_place_too(hub):
    alice = joined(hub, listener())
    deliver(hub, seen(11, "task_user:acme/bob"), seen(12), seen(13, "task_user:acme/bob"))
    (event,) = events(alice)
    assert (Cursor.decode(event.id).place, hub.place) == (Place(12), Place(13))


def test_a_frame_says_where_to_go_on_from_and_in_which_epoch(hub):
    alice = joined(hub, listener())
    deliver(hub, seen(14, gaps=[11, 13]))
    (event,) = events(alice)
    assert Cursor.decode(event.id) == Cursor(3, Place(14, frozenset({11, 13})), 1_700_000_000)
    assert hub.cursor == event.id


def test_one_frame_is_made_for_all_that_hear_a_row(hub, monkeypatch):
    made = []
    monkeypatch.setattr(hub, "message", lambda one: made.append(one.row.id) or Hub.message(hub, one))
    joined(hub, *[listener("alice", f"s{number}") for number in range(50)])
    deliver(hub, seen(11), seen(12, "task_user:acme/nobody"))
    assert made == [11]


def test_who_has_left_hears_nothing_and_leaves_nothing_behind(hub):
    alice, bob = joined(hub, listener("alice", "s1", DETAIL), listener("bob"))
    for one in (alice, bob):
        hub.remove(one)
    deliver(hub, seen(11), seen(12, SYSTEM), seen(13, DETAIL), watchers={DETAIL: frozenset({"alice-s1"})})
    assert (heard(alice), heard(bob)) == ([], [])
    assert (hub.listeners, hub._by_channel, hub._by_session) == (set(), {}, {})


def test_leaving_twice_or_without_having_come_does_no_harm(hub):
    alice, stranger = listener(), listener("alice", "s2")
    hub.add(alice)
    hub.remove(stranger)
    deliver(hub, seen(11))
    assert heard(alice) == [11]
    hub.remove(alice)
    hub.remove(alice)


def test_it_names_the_sessions_that_are_here_and_whose_they_are(hub):
    alice, again, bob = joined(hub, listener(), listener(), listener("bob"))
    assert hub.sessions() == {"alice-s1": alice.user, "bob-s1": bob.user}
    hub.remove(again)
    assert set(hub.sessions()) == {"alice-s1", "bob-s1"}
    hub.remove(alice)
    assert set(hub.sessions()) == {"bob-s1"}


def test_a_reset_begins_anew_for_everybody(hub):
    alice, bob = joined(hub, listener(), listener("bob"))
    hub.reset(Place(5), Moment(4, 1_700_000_100))
    for one in (alice, bob):
        (event,) = events(one)
        assert (event.name, event.body) == ("reset", {"kind": "reset", "epoch": "4"})
        assert Cursor.decode(event.id) == Cursor(4, Place(5), 1_700_000_100)
    deliver(hub, seen(6))
    assert heard(alice) == [6]


def test_a_slow_listener_costs_the_others_nothing(hub):
    slow, quick = joined(hub, listener(), listener("alice", "s2"))
    got = []
    for number in range(11, 11 + 600):
        deliver(hub, seen(number))
        got += heard(quick)
    assert got == list(range(11, 11 + 600))
    assert (slow.ending, quick.ending) == (Ending.SLOW, None)


def test_states_that_wait_are_replaced_by_newer_ones_of_the_same_object_alone(hub):
    slow = joined(hub, listener())
    for number in range(11, 11 + 300):
        deliver(hub, seen(number, aggregate_id=f"tsk_{number % 3}", coalescible=True))
    rows = heard(slow)
    assert slow.ending is None
    assert len(rows) < 300
    assert rows == sorted(rows)
    assert {310, 309, 308} <= set(rows)


def test_everybody_is_asked_to_end_for_the_same_reason(hub):
    alice, bob = joined(hub, listener(), listener("bob"))
    hub.end_all(Ending.SHUTDOWN)
    assert {alice.ending, bob.ending} == {Ending.SHUTDOWN}
