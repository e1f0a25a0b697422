"""What one client hears over a real Centrifugo makes its screen the snapshot's: one connection for all of it."""

import asyncio
from copy import copy

import pytest

from outbox.relay import Relay, Terms
from realtime.centrifugo import CentrifugoPublisher
from taskstatus.services.raise_epoch import raise_epoch
from tests.realtime.centrifugo_server import running
from tests.realtime.rt_client import connected, subscribe
from tests.realtime.streaming import in_thread
from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, BOB, coordinator, step_body, task_body
from tests.support.screen import Screen
from tests.support.stories import a_story
from tests.support.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    with running(tmp_path_factory.mktemp("centrifugo")) as server:
        yield server


@pytest.fixture(autouse=True)
def over_centrifugo(own, settings):
    for name, value in own.settings.items():
        setattr(settings, name, value)


def relayed():
    """Publish all that is due."""
    relay = Relay(CentrifugoPublisher(), "test", Terms(500, 30, 10))
    report = relay.drain(PATIENCE_SECONDS)
    assert report.outage is None
    assert report.published


def leave(api, **what):
    """Channel and token of a task's or workflow's subscription."""
    answer = api.post("/realtime/subscription-token", what).ok()
    return answer["channel"], answer["token"]


async def shows(screen, diary, truth):
    """Wait until the screen, merged with what the client has heard, shows this."""
    await diary.holds(lambda: merged(screen, diary.heard()).view() == truth)


def merged(screen, messages):
    twin = copy(screen)
    for message in messages:
        twin.accept(message)
    return twin


@pytest.mark.accepts("R04")
@pytest.mark.accepts("R12")
def test_a_story_of_several_workflows_ends_in_what_a_snapshot_shows(own):
    carol, alice = coordinator(), user_api(ALICE)
    session = alice.get("/realtime/session").ok()["token"]

    async def story():
        async with connected(own, session) as (_, diary):
            screen = await in_thread(Screen.of, alice)
            for _ in range(3):
                await in_thread(a_story, carol)
                await in_thread(relayed)
            fresh_screen = await in_thread(Screen.of, alice)
            truth = {name: kind for name, kind in fresh_screen.view().items() if name != "details"}
            await diary.holds(lambda: truth.items() <= merged(screen, diary.heard()).view().items())
            assert len({body["workflowId"] for body in diary.heard()}) == 6
            assert [entry for entry in diary.entries if entry[0] in {"disconnected", "connected"}] == [
                ("connected", None)
            ]

    asyncio.run(story())


@pytest.mark.accepts("R03")
@pytest.mark.accepts("R19")
def test_a_detail_is_right_whatever_came_between_subscribing_and_reading_and_after_a_restore(own):
    carol, alice = coordinator(), user_api(ALICE)
    session = alice.get("/realtime/session").ok()["token"]
    worker = carol.worker(carol.task(step_body())["taskId"])
    task_id = worker.context["taskId"]
    channel, token = leave(alice, taskId=task_id)

    async def story():
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel, token)
            await diary.until("subscribed", channel)
            await in_thread(worker.started)
            screen = await in_thread(Screen.of, alice)
            await in_thread(worker.progress)
            await in_thread(relayed)
            await shows(screen, diary, (await in_thread(Screen.of, alice)).view())

            await in_thread(raise_epoch)
            await in_thread(screen.load, alice)
            await in_thread(worker.completed)
            await in_thread(relayed)
            await shows(screen, diary, (await in_thread(Screen.of, alice)).view())
            assert [body["epoch"] for body in diary.heard(channel)][-1] == "2"

    asyncio.run(story())


def test_who_looks_at_a_workflow_hears_its_newest_state_at_once_and_each_after_it_without_sensitive_tasks(own):
    carol = coordinator()
    shared = [{"principalType": "USER", "principalId": BOB, "permission": "VIEW"}]
    tasks = [task_body(title="Plain"), task_body(title="Hush", sensitive=True)]
    workflow_id = carol.workflow(*tasks, sharedWith=shared)["workflowId"]
    relayed()
    bob = user_api(BOB)
    session = bob.get("/realtime/session").ok()["token"]
    channel, token = leave(bob, workflowId=workflow_id)

    def event(kind):
        carol.api.post(f"/workflows/{workflow_id}/events", {"eventId": fresh(), "eventType": kind}).ok()
        relayed()

    async def story():
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel, token)
            await diary.until("publication", channel)
            await in_thread(event, "WORKFLOW_SEALED")
            await in_thread(event, "WORKFLOW_COMPLETED")
            await diary.holds(lambda: len(diary.heard(channel)) == 3)
            told = diary.heard()
            assert [body["workflowVersion"] for body in told] == ["1", "2", "3"]
            assert [body["workflow"]["taskCount"] for body in told] == [1, 1, 1]
            assert told[-1]["workflow"]["lifecycleStatus"] == "SUCCEEDED"

    asyncio.run(story())
