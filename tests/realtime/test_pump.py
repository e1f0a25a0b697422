"""Following the outbox for open streams: one reader a process, which outlives an outage and ends with its listeners."""

import asyncio

import pytest
from django.db import OperationalError

from outbox.tail import Tail
from realtime.stream import pump as pumps
from realtime.stream import reader
from realtime.stream.reader import Reader
from tests.realtime.rows import outgoing, put
from tests.realtime.streaming import in_loop, in_thread, listening, until
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def starts(monkeypatch):
    """How often a reader began."""
    counted = []
    plain = Reader.start

    def start(self):
        counted.append(self)
        return plain(self)

    monkeypatch.setattr(Reader, "start", start)
    return counted


@pytest.fixture
def stops(monkeypatch):
    counted = []
    plain = Reader.stop

    def stop(self):
        counted.append(self)
        plain(self)

    monkeypatch.setattr(Reader, "stop", stop)
    return counted


def test_one_reader_serves_every_stream_of_the_process(starts):
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice, listening(streams, user_api(BOB)) as bob:
            await in_thread(put, outgoing("task_system:public"))
            assert await alice.messages(1) == await bob.messages(1)
        async with listening(streams, user_api(ALICE)):
            pass
        assert len(starts) == 1

    in_loop(story)


def test_it_ends_some_time_after_the_last_listener_and_begins_with_the_next(starts, stops, monkeypatch):
    monkeypatch.setattr(pumps, "IDLE_SECONDS", 0.2)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            await in_thread(put)
            await alice.messages(1)
            await asyncio.sleep(0.5)
            assert stops == []
        await until(lambda: stops)
        async with listening(streams, user_api(ALICE)) as alice:
            await in_thread(put)
            await alice.messages(1)
        assert len(starts) == 2

    in_loop(story)


@pytest.mark.parametrize(("owner", "name"), [(Tail, "ahead"), (reader, "watchers")])
def test_a_database_that_is_out_for_a_while_costs_time_and_no_message(monkeypatch, caplog, owner, name):
    plain, failures = getattr(owner, name), []

    def failing(*args):
        if len(failures) < 3:
            failures.append(args)
            raise OperationalError(2013, "mysql://user:password@host lost")
        return plain(*args)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            monkeypatch.setattr(owner, name, failing)
            await in_thread(put, outgoing(task="a"), outgoing("task_detail:acme/a"), outgoing(task="b"))
            assert [body["taskId"] for body in await alice.messages(2)] == ["a", "b"]

    in_loop(story)
    assert len(failures) == 3
    assert "can't be followed" in caplog.text
    assert "password" not in caplog.text


def test_a_fault_of_ours_ends_the_streams_and_the_next_one_starts_a_new_reader(monkeypatch, starts, caplog):
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            with monkeypatch.context() as patch:
                patch.setattr(Reader, "read", lambda *_: 1 / 0)
                assert await alice.event("message") is None
        async with listening(streams, user_api(ALICE)) as alice:
            await in_thread(put)
            await alice.messages(1)
        assert len(starts) == 2

    in_loop(story)
    assert "ZeroDivisionError" in caplog.text


def test_a_stream_that_cannot_begin_for_want_of_the_database_ends_with_a_word(monkeypatch):
    def start(_):
        raise OperationalError(2003, "no connection")

    monkeypatch.setattr(Reader, "start", start)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            assert alice.status == 200
            assert await alice.event() is None
            assert alice.parser.comments != []

    in_loop(story)


def test_at_the_end_of_the_process_each_stream_gets_what_waits_and_a_last_word():
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            await alice.event("heartbeat")
            streams.end_all()
            assert await alice.event() is None
            assert "the server closes this stream" in alice.parser.comments[-1]

    in_loop(story)


def test_a_stream_that_is_opened_while_the_process_ends_is_closed_again():
    async def story(streams):
        streams.end_all()
        async with listening(streams, user_api(ALICE)) as alice:
            while await alice.event() is not None:
                pass
            assert alice.status == 200

    in_loop(story)
