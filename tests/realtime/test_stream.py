"""The native stream: what reaches whom, and how a client comes back (protocol 6, R14, R19)."""

import re

import pytest

from outbox.models import OutboxMessage
from outbox.models.message import Command
from realtime.stream.cursor import Cursor
from taskstatus.services.raise_epoch import raise_epoch
from tests.realtime.rows import outgoing, put
from tests.realtime.streaming import in_loop, in_thread, listening
from tests.support.api import Api, user_api
from tests.support.cast import ALICE, BOB, coordinator, step_body

pytestmark = pytest.mark.django_db(transaction=True)
ALICES = "task_user:acme/alice"


def test_a_stream_begins_with_headers_for_proxies_a_retry_time_and_a_cursor():
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            event = await alice.event()
            assert (event.name, event.data) == ("heartbeat", "{}")
            assert Cursor.decode(event.id) is not None
            assert 1_000 <= alice.parser.retry_ms <= 3_000
            assert alice.headers["content-type"] == "text/event-stream"
            assert alice.headers["cache-control"] == "no-store"
            assert alice.headers["x-accel-buffering"] == "no"
            assert "content-length" not in alice.headers

    in_loop(story)


def test_it_carries_the_channels_of_its_user_and_no_others():
    heard = [ALICES, "task_tenant:acme", "task_project:acme/p1", "task_system:public"]
    others = ["task_user:acme/bob", "task_tenant:umbrella", "task_project:acme/p2", "task_detail:acme/tsk_1"]

    async def story(streams):
        async with listening(streams, user_api(ALICE, projects=["p1"])) as alice:
            await alice.event("heartbeat")
            rows = [outgoing(channel, task=channel) for channel in (*others, *heard)]
            await in_thread(put, *rows, outgoing(ALICES, task="last"))
            assert [body["taskId"] for body in await alice.messages(5)] == [*heard, "last"]

    in_loop(story)


def test_a_task_that_is_created_and_run_arrives_as_it_is_committed():
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice, listening(streams, user_api(BOB)) as bob:
            await alice.event("heartbeat")
            task = await in_thread(coordinator().task, step_body())
            created = await alice.event("message")
            assert created.body["kind"] == "task.summary"
            assert created.body["taskId"] == task["taskId"]
            assert re.fullmatch(r"1\.[0-9]+\.[0-9]+(\.[0-9-]+)*", created.id)
            assert [event.name for event in bob.parser.waiting()] == ["heartbeat"]

    in_loop(story)


def test_commands_that_are_no_publications_reach_nobody():
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            await alice.event("heartbeat")
            await in_thread(put, outgoing(ALICES, command=Command.REVOKE), outgoing(ALICES, task="after"))
            assert (await alice.messages(1))[0]["taskId"] == "after"

    in_loop(story)


@pytest.mark.accepts("R14")
def test_the_last_event_id_brings_what_was_missed_and_nothing_twice():
    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            await alice.event("heartbeat")
            await in_thread(put, outgoing(task="a"), outgoing(task="b"))
            await alice.event("message")
            last = (await alice.event("message")).id
        await in_thread(put, outgoing(task="c"), outgoing("task_user:acme/bob"), outgoing(task="d"))
        async with listening(streams, user_api(ALICE), last) as alice:
            assert [body["taskId"] for body in await alice.messages(1)] == ["c"]
            last = (await alice.event("message")).id
            await in_thread(put, outgoing(task="e"))
            assert [body["taskId"] for body in await alice.messages(1)] == ["e"]
        async with listening(streams, user_api(ALICE), last) as alice:
            assert [body["taskId"] for body in await alice.messages(1)] == ["e"]

    in_loop(story)


@pytest.mark.accepts("R14")
@pytest.mark.parametrize(
    "word", ["", "garbage", "1", "1.1", "-1.5.7", "9.{last}.{time}", "1.{future}.{time}", "1.{last}.0"]
)
def test_a_cursor_that_leads_nowhere_gets_one_reset_and_the_stream_goes_on(word):
    async def story(streams):
        [last] = await in_thread(put)
        async with listening(streams, user_api(ALICE)) as alice:
            now = Cursor.decode((await alice.event()).id)
        asked = word.format(last=last, future=last + 1, time=now.issued_at)
        async with listening(streams, user_api(ALICE), asked) as alice:
            event = await alice.event()
            assert (event.name, event.body) == ("reset", {"kind": "reset", "epoch": "1"})
            assert Cursor.decode(event.id).place.last == last
            await in_thread(put, outgoing(task="next"))
            following = await alice.event()
            assert (following.name, following.body["taskId"]) == ("message", "next")

    in_loop(story)


@pytest.mark.accepts("R14")
def test_a_cursor_too_far_back_gets_a_reset(monkeypatch):
    monkeypatch.setattr("realtime.stream.resume.MAX_ROWS_BACK", 2)

    async def story(streams):
        async with listening(streams, user_api(ALICE)) as alice:
            far, near = [], []
            for ids in (far, near):
                await in_thread(put)
                ids.append((await alice.event("message")).id)
        await in_thread(put, outgoing(task="a"), outgoing(task="b"))
        for cursor, name in ((far[0], "reset"), (near[0], "message")):
            async with listening(streams, user_api(ALICE), cursor) as alice:
                assert (await alice.event("message", "reset")).name == name

    in_loop(story)


@pytest.mark.accepts("R19")
def test_after_the_epoch_is_raised_open_streams_are_reset_and_go_on():
    async def story(streams):
        await in_thread(put)
        async with listening(streams, user_api(ALICE)) as alice:
            old = await alice.event()
            await in_thread(raise_epoch)
            event = await alice.event("reset")
            assert event.body == {"kind": "reset", "epoch": "2"}
            await in_thread(put, outgoing(task="next"))
            assert (await alice.messages(1))[0]["taskId"] == "next"
        async with listening(streams, user_api(ALICE), old.id) as alice:
            assert (await alice.event()).name == "reset"

    in_loop(story)


@pytest.mark.accepts("R19")
def test_a_table_that_went_back_is_followed_from_where_it_is_now():
    async def story(streams):
        [first] = await in_thread(put)
        async with listening(streams, user_api(ALICE)) as alice:
            await in_thread(put, *[outgoing() for _ in range(5)])
            await alice.messages(5)
            await in_thread(OutboxMessage.objects.filter(id__gt=first).delete)
            assert Cursor.decode((await alice.event("reset")).id).place.last == first

    in_loop(story)


def test_whoever_has_seen_the_answers_head_hears_what_is_committed_from_then_on():
    async def story(streams):
        for number in range(5):
            async with listening(streams, user_api(ALICE)) as alice:
                await in_thread(put, outgoing(task=f"task-{number}"))
                assert (await alice.messages(1))[0]["taskId"] == f"task-{number}"

    in_loop(story)


def test_nobody_listens_without_a_credential():
    async def story(streams):
        async with listening(streams, Api(None)) as nobody:
            assert nobody.status == 401
            await nobody.task
            assert b'"TOKEN_MISSING"' in nobody.parser.text

    in_loop(story)
