"""A slow reader's queue is bounded: superseded states go first, then the stream ends, to recover (R18)."""

import asyncio

import pytest

from realtime.seats import Held
from realtime.stream import listener as listeners
from realtime.stream.frames import Frame
from realtime.stream.listener import MAX_BYTES, MAX_FRAMES, Ending, Listener
from taskstatus.identity.principals import User
from tests.support.waiting import PATIENCE_SECONDS

ALICE = User("acme", "alice", frozenset(), frozenset(), "s")


def listener():
    return Listener(ALICE, "key", ["task_user:acme/alice"], Held("holder", "lease"))


def state(task, number, *, coalescible=True, size=0):
    return Frame(b"%d " % number + b"x" * size, ("TASK", task), coalescible)


def taken(of):
    return [int(word) for word in asyncio.run(of.take(0.01)).split()]


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(listeners, "MAX_FRAMES", 4)


def test_what_fits_is_kept_whole_and_in_order():
    queue = listener()
    for number in range(MAX_FRAMES):
        queue.offer(state("a", number))
    assert taken(queue) == list(range(MAX_FRAMES))
    assert taken(queue) == []


@pytest.mark.accepts("R18")
@pytest.mark.accepts("R17")
def test_over_the_limit_superseded_states_go_and_what_nothing_may_replace_stays(small):
    queue = listener()
    for number, task in enumerate("aabab"):
        queue.offer(state(task, number, coalescible=number != 1))
    assert taken(queue) == [1, 3, 4]
    assert queue.ending is None


@pytest.mark.accepts("R18")
def test_a_state_that_may_not_be_dropped_still_replaces_older_ones(small):
    queue = listener()
    for number in range(4):
        queue.offer(state("a", number))
    queue.offer(state("a", 4, coalescible=False))
    assert taken(queue) == [4]


@pytest.mark.accepts("R18")
def test_when_nothing_can_be_dropped_the_stream_ends_and_holds_nothing(small):
    queue = listener()
    for number in range(50):
        queue.offer(state(f"task-{number}", number))
    assert queue.ending is Ending.SLOW
    assert taken(queue) == []


@pytest.mark.accepts("R18")
def test_bytes_are_bounded_too_but_one_large_message_passes():
    queue = listener()
    queue.offer(state("a", 1, coalescible=False, size=MAX_BYTES))
    assert queue.ending is None
    queue.offer(state("b", 2, coalescible=False))
    assert queue.ending is Ending.SLOW


def test_what_waits_at_a_friendly_end_is_still_sent():
    queue = listener()
    queue.offer(state("a", 1))
    queue.end(Ending.SHUTDOWN)
    queue.offer(state("a", 2))
    assert taken(queue) == [1]
    assert (taken(queue), queue.ending) == ([], Ending.SHUTDOWN)


def test_it_wakes_whoever_waits():
    async def story():
        queue = listener()
        waiting = asyncio.create_task(queue.take(2 * PATIENCE_SECONDS))
        await asyncio.sleep(0)
        queue.offer(state("a", 1))
        return await asyncio.wait_for(waiting, PATIENCE_SECONDS)

    assert asyncio.run(story()) == b"1 "


def test_what_comes_as_the_wait_ends_is_taken_with_it():
    """Else a comment line's cursor would lead past a message that is still in the queue."""

    async def story():
        queue = listener()
        waiting = asyncio.create_task(queue.take(0))
        await asyncio.sleep(0)  # it waits
        await asyncio.sleep(0)  # its time is up, which it learns in its next turn
        queue.offer(state("a", 1))
        return await waiting

    assert asyncio.run(story()) == b"1 "
