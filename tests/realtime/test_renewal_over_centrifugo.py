"""Centrifugo asks the running service whether a subscription may go on, and ends it where it may not (S02, S08)."""

import asyncio
from datetime import UTC, datetime
from functools import partial

import pytest
from centrifuge import SubscriptionState

from realtime import tokens
from realtime.models import Seat
from taskstatus.models import TaskGrant
from tests.realtime.centrifugo_server import running
from tests.realtime.rt_client import connected, subscribe
from tests.realtime.streaming import in_thread
from tests.support.api import user_api
from tests.support.cast import BOB, coordinator
from tests.support.server import WEB, Server
from tests.support.waiting import eventually

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
    channel, asked = f"task_detail:acme/{task}", []

    def ask():
        asked.append(bob.post("/realtime/subscription-token", {"taskId": task}).ok())
        return asked[-1]["token"]

    def ask_and_lapse():
        token = ask()
        Seat.objects.update(expires_at=datetime.now(UTC))
        return token

    def ask_and_lose_the_right():
        TaskGrant.objects.update(revoked_at=None)
        token = ask()
        TaskGrant.objects.update(revoked_at=datetime.now(UTC))
        return token

    async def story():
        async with connected(own, session) as (client, diary):
            subscription = await subscribe(client, diary, channel, partial(in_thread, ask_and_lapse))
            await diary.until("subscribed", channel)
            by_the_browser = len(asked)
            await in_thread(eventually, lambda: Seat.objects.get().expires_at > datetime.now(UTC))
            assert subscription.state is SubscriptionState.SUBSCRIBED
            assert not [entry for entry in diary.entries if entry[0] == "unsubscribed"]
            assert len(asked) == by_the_browser

    asyncio.run(story())

    async def after():
        async with connected(own, session) as (client, diary):
            await subscribe(client, diary, channel, partial(in_thread, ask_and_lose_the_right))
            await diary.until("subscribed", channel)
            await diary.until("subscribing", channel, code=EXPIRED)

    asyncio.run(after())
    TaskGrant.objects.update(revoked_at=datetime.now(UTC))
    bob.post("/realtime/subscription-token", {"taskId": task}).refused(404, "TASK_NOT_FOUND")
