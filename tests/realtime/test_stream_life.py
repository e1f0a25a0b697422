"""How long a stream lives, what keeps it alive, and how many there may be (R18, protocol 5)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections

from realtime.models import Seat
from realtime.stream import opening, pump, stream
from realtime.stream.cursor import Cursor
from realtime.stream.listener import Ending
from tests.realtime.rows import outgoing, put
from tests.realtime.streaming import in_loop, in_thread, listening, until
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB
from tests.support.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def a_table_in_use(transactional_db):
    """From an empty table's place to the next row it may be too far to be told."""
    put()


def test_a_silent_stream_gets_comment_lines_and_its_cursor_moves_on(monkeypatch):
    monkeypatch.setattr(stream, "COMMENT_SECONDS", 0.3)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            first = Cursor.decode((await alice.event()).id)
            await in_thread(put, outgoing("task_user:acme/bob"))
            while (moved := Cursor.decode((await alice.event("heartbeat")).id)).place == first.place:
                pass
            assert moved.place.last > first.place.last
            assert ":" in alice.parser.comments

    in_loop(story)


def test_a_stream_ends_with_its_credentials_time_and_is_resumed(monkeypatch):
    monkeypatch.setattr(stream, "MAX_AGE_SECONDS", 0.5)
    monkeypatch.setattr(stream, "COMMENT_SECONDS", 0.2)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            last = (await alice.event()).id
            while (event := await alice.event()) is not None:
                last = event.id
        await in_thread(put, outgoing(task="meanwhile"))
        async with listening(streams, user_api(ALICE), last) as alice:
            assert (await alice.messages(1))[0]["taskId"] == "meanwhile"

    in_loop(story)


def test_a_user_has_no_more_streams_than_the_limit(settings):
    settings.MAX_STREAMS_PER_USER = 2

    async def story(streams):
        alice = user_api(ALICE)
        async with listening(streams, alice) as first, listening(streams, user_api(ALICE)):
            async with listening(streams, alice) as third:
                assert third.status == 429
                assert b'"STREAM_LIMIT"' in third.parser.text
            async with listening(streams, user_api(BOB)) as bob:
                assert bob.status == 200
            assert first.status == 200
        async with listening(streams, alice) as again:
            assert again.status == 200

    in_loop(story)
    assert not Seat.objects.exists()


def test_open_streams_renew_their_places_and_those_of_a_dead_worker_lapse(settings, monkeypatch):
    settings.MAX_STREAMS_PER_USER = 1
    monkeypatch.setattr(pump, "RENEW_SECONDS", 0.1)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            await in_thread(lambda: Seat.objects.update(expires_at=datetime.now(UTC) + timedelta(seconds=1)))
            await in_thread(eventually, _renewed)
            assert alice.status == 200

    in_loop(story)
    user_api(ALICE).get("/me/task-stream", headers={"Accept": "*/*"}).ok()


def _renewed():
    return Seat.objects.get().expires_at > datetime.now(UTC) + timedelta(seconds=opening.SEAT_SECONDS / 2)


def test_no_stream_keeps_a_database_connection(monkeypatch):
    """The reader keeps one for the whole process; the threads that open streams give theirs back."""
    opened = set()
    plain = connections["default"].__class__.connect

    def connect(self):
        opened.add(self)
        plain(self)

    monkeypatch.setattr(connections["default"].__class__, "connect", connect)

    async def story(streams):
        async with listening(streams, user_api(ALICE)), listening(streams, user_api(BOB)) as bob:
            await in_thread(put, outgoing("task_system:public"))
            await bob.messages(1)
            assert len([connection for connection in opened if connection.connection is not None]) == 1

    connections["default"].close()
    in_loop(story)


@pytest.mark.accepts("R18")
def test_a_reader_that_stands_still_is_ended_and_misses_nothing(monkeypatch):
    """A client whose window is shut: what waits for it is bounded, and coming back brings everything."""
    monkeypatch.setattr("realtime.stream.listener.MAX_FRAMES", 3)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            last = (await alice.event("heartbeat")).id
            (listener,) = streams._hub.listeners
            alice.shut()
            tasks = [f"task-{number}" for number in range(12)]
            for task in tasks:
                await in_thread(put, outgoing(task=task))
            await until(lambda: listener.ending is Ending.SLOW)
            alice.open()
            seen = []
            while (event := await alice.event()) is not None:
                if event.name == "message":
                    seen.append(event.body["taskId"])
                last = event.id
            assert len(seen) < len(tasks)
        async with listening(streams, user_api(ALICE), last) as alice:
            rest = [body["taskId"] for body in await alice.messages(len(tasks) - len(seen))]
            assert seen + rest == tasks

    in_loop(story)


@pytest.mark.accepts("R18")
def test_a_comment_that_falls_due_as_a_slow_reader_is_ended_leads_past_nothing(monkeypatch):
    """What waited is dropped then, so the last id that the client has must be one from before it."""
    monkeypatch.setattr("realtime.stream.listener.MAX_FRAMES", 3)
    monkeypatch.setattr(stream, "COMMENT_SECONDS", 0.0)
    tasks = [f"task-{number}" for number in range(12)]

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            last = (await alice.event("heartbeat")).id
            await in_thread(put, *[outgoing(task=task) for task in tasks])
            while (event := await alice.event()) is not None:
                last = event.id
        monkeypatch.setattr(stream, "COMMENT_SECONDS", 3600.0)
        async with listening(streams, user_api(ALICE), last) as alice:
            assert [body["taskId"] for body in await alice.messages(len(tasks))] == tasks

    in_loop(story)
