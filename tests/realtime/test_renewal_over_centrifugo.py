"""Centrifugo asks the running service whether a subscription may go on, and ends it where it may not (S02, S08)."""

import asyncio
from datetime import UTC, datetime

import pytest

from realtime import tokens
from realtime.models import Seat
from taskstatus.models import TaskGrant
from tests.realtime.centrifugo_server import running
from tests.realtime.rt_client import connected, subscribe
from tests.realtime.streaming import in_thread
from tests.support.api import user_api
from tests.support.cast import BOB, coordinator
from tests.support.server import WEB, Server

EXPIRED = 2501  # Centrifugo's word for a subscription that may not go on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def own(tmp_path, settings, monkeypatch):
    """A Centrifugo and a service that know each other."""
    service = Server(tmp_path, WEB)
    try:
        with running(tmp_path, service.port) as server:
            for name, value in server.settings.items():
                setattr(settings, name, value)
                monkeypatch.setenv(name, value)
            service.start()
            yield server
    finally:
        service.kill_everything()


@pytest.mark.accepts("S02")
@pytest.mark.accepts("S08")
def test_a_subscription_is_renewed_while_the_right_lasts_and_ends_with_it(own, monkeypatch):
    monkeypatch.setattr(tokens, "SUBSCRIPTION_SECONDS", 2)
    task, bob = coordinator().task()["taskId"], user_api(BOB)
    TaskGrant.objects.create(
        task_id=task,
        principal_type="USER",
        principal_id=BOB,
        permission="VIEW",
        granted_by="carol",
        created_at=datetime.now(UTC),
    )
    session = bob.get("/realtime/session").ok()["token"]
    asked = []

    def leave():
        asked.append(bob.post("/realtime/subscription-token", {"taskId": task}))
        return asked[-1].body.get("token", "")

    async def story():
        first = await in_thread(leave)
        channel = asked[0].body["channel"]
        async with connected(own, session) as (client, diary):
            subscription = await subscribe(client, diary, channel, first)
            await diary.until("subscribed", channel)
            await in_thread(lambda: Seat.objects.update(expires_at=datetime.now(UTC)))
            await _eventually(lambda: Seat.objects.get().expires_at > datetime.now(UTC))
            assert str(subscription.state).endswith("SUBSCRIBED")
            assert not [entry for entry in diary.entries if entry[0] == "unsubscribed"]

    asyncio.run(story())

    async def after():
        channel = asked[0].body["channel"]
        short = await in_thread(leave)
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel, short)
            await diary.until("subscribed", channel)
            await in_thread(lambda: TaskGrant.objects.update(revoked_at=datetime.now(UTC)))
            await diary.until("subscribing", channel, code=EXPIRED)

    asyncio.run(after())
    bob.post("/realtime/subscription-token", {"taskId": task}).refused(404, "TASK_NOT_FOUND")


async def _eventually(condition):
    for _ in range(150):
        if await in_thread(condition):
            return
        await asyncio.sleep(0.1)
    pytest.fail("it did not come")
