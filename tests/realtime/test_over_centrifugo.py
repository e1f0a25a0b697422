"""Tokens and namespaces against a real Centrifugo: who is subscribed to what, and what ends a connection."""

import asyncio
import json
import subprocess

import pytest

from outbox.models.message import Command
from outbox.publishers import Delivery
from realtime.centrifugo import CentrifugoPublisher
from realtime.tokens import subscription_token
from stacklib.state import ROOT
from taskstatus.identity.principals import User
from tests.realtime.centrifugo_server import program, running
from tests.realtime.rt_client import connected, connecting, subscribe
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator
from tests.support.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)
INVALID_TOKEN = 3500  # Centrifugo's word as it ends a connection
BOB = User("acme", "bob", frozenset(), frozenset(), "s")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    with running(tmp_path_factory.mktemp("centrifugo")) as server:
        yield server


@pytest.fixture(autouse=True)
def over_centrifugo(request, settings):
    if "own" in request.fixturenames:
        for name, value in request.getfixturevalue("own").settings.items():
            setattr(settings, name, value)


def publish(channel, version, body):
    delivery = Delivery(
        id=version,
        command=Command.PUBLISH,
        aggregate_type="TASK",
        aggregate_id=channel,
        aggregate_version=version,
        epoch=1,
        channel=channel,
        projection="X",
        payload=json.dumps(body),
        coalescible=False,
        event_id=None,
        attempts=0,
    )
    assert CentrifugoPublisher().publish([delivery], PATIENCE_SECONDS) == [None]


@pytest.mark.parametrize("name", ["centrifugo.json", "centrifugo.production.json"])
def test_the_configuration_is_one_that_centrifugo_knows_to_the_last_member(name):
    command = [program(), "checkconfig", "--strict", "--config", str(ROOT / "deploy" / name)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.accepts("S01")
def test_a_session_hears_exactly_the_channels_that_it_was_told(own):
    session = user_api(ALICE, projects=["p1", "p2"]).get("/realtime/session").ok()
    channels = session["channels"]
    told = {channels["user"], channels["tenant"], channels["system"], *channels["projects"]}

    async def story():
        async with connected(own, session["token"]) as (_, diary):
            for number, channel in enumerate([*sorted(told), "task_user:acme/bob", "task_tenant:umbrella"], start=1):
                await asyncio.to_thread(publish, channel, number, {"n": number})
            await asyncio.to_thread(publish, channels["user"], 99, {"n": "last"})
            await diary.until_published({"n": "last"})
            assert diary.channels("subscribed") == diary.channels("publication") == told

    asyncio.run(story())


@pytest.mark.accepts("S02")
def test_a_subscription_token_opens_its_channel_with_the_newest_state(own):
    task = coordinator().task()["taskId"]
    alice = user_api(ALICE)
    session = alice.get("/realtime/session").ok()["token"]
    leave = alice.post("/realtime/subscription-token", {"taskId": task}).ok()
    publish(leave["channel"], 4, {"taskVersion": "4"})

    async def story():
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, leave["channel"], leave["token"])
            assert (await diary.until("publication", leave["channel"]))[2] == {"taskVersion": "4"}

    asyncio.run(story())


@pytest.mark.accepts("S03")
@pytest.mark.parametrize(
    "channel", ["task_user:acme/bob", "task_detail:acme/tsk_1", "task_tenant:umbrella", "task_system:public", "other:x"]
)
def test_a_browser_that_names_a_channel_of_its_own_is_refused(own, channel):
    session = user_api(ALICE).get("/realtime/session").ok()["token"]

    async def story():
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel)
            assert (await diary.until("unsubscribed", channel))[2] in (102, 103, 105)
            assert channel not in {entry[1] for entry in diary.entries if entry[0] == "publication"}

    asyncio.run(story())


@pytest.mark.accepts("S02")
def test_a_token_of_another_user_or_another_channel_ends_the_connection(own):
    session = user_api(ALICE).get("/realtime/session").ok()["token"]
    channel = "task_detail:acme/tsk_1"
    stolen = subscription_token(BOB, channel).text
    other = subscription_token(User("acme", ALICE, frozenset(), frozenset(), "s"), "task_detail:acme/tsk_2").text

    async def story(token):
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel, token)
            assert (await diary.until("disconnected"))[2] == INVALID_TOKEN

    for token in (stolen, other):
        asyncio.run(story(token))


@pytest.mark.accepts("S01")
def test_a_subscription_token_connects_nobody(own):
    token = subscription_token(BOB, "task_detail:acme/tsk_1").text

    async def story():
        async with connecting(own, token) as (_, diary):
            assert (await diary.until("disconnected"))[2] == INVALID_TOKEN
            assert [entry[0] for entry in diary.entries] == ["disconnected"]

    asyncio.run(story())
