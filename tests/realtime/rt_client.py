"""A client of Centrifugo that writes down what happens to it."""

import asyncio
from contextlib import asynccontextmanager

from centrifuge import Client, ClientEventHandler, SubscriptionEventHandler

from tests.support.waiting import PATIENCE_SECONDS


class Diary(ClientEventHandler):  # type: ignore[misc]
    """What happened, as (word, channel, more), in order."""

    def __init__(self):
        self.entries = []
        self._news = asyncio.Event()

    def write(self, *entry):
        self.entries.append(entry)
        self._news.set()

    async def until(self, word, channel=None, code=None):
        """The first entry with this word (and channel, and code)."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for entry in self.entries:
                    if entry[0] == word and channel in (None, entry[1]) and code in (None, entry[-1]):
                        return entry
                self._news.clear()
                await self._news.wait()

    async def until_published(self, body):
        """Wait for this publication, whatever came before it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while body not in [entry[-1] for entry in self.entries if entry[0] == "publication"]:
                self._news.clear()
                await self._news.wait()

    async def holds(self, condition):
        """Wait until this is so; it is asked again whenever something happens."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def heard(self, channel=None):
        """What was published to the client, on one channel or on all, in order."""
        told = [entry for entry in self.entries if entry[0] == "publication"]
        return [body for _, name, body in told if channel in {None, name}]

    def channels(self, word):
        """The channels of the entries with this word."""
        return {entry[1] for entry in self.entries if entry[0] == word}

    async def on_connected(self, _):
        self.write("connected", None)

    async def on_disconnected(self, ctx):
        self.write("disconnected", None, ctx.code)

    async def on_error(self, ctx):
        self.write("error", None, str(ctx.error))

    async def on_subscribed(self, ctx):
        self.write("subscribed", ctx.channel)

    async def on_unsubscribed(self, ctx):
        self.write("unsubscribed", ctx.channel, None)

    async def on_publication(self, ctx):
        self.write("publication", ctx.channel, ctx.pub.data)


class Subscriber(SubscriptionEventHandler):  # type: ignore[misc]
    """The same for one client-side subscription, whose events don't all name their channel."""

    def __init__(self, diary, channel):
        self._diary, self._channel = diary, channel

    async def on_subscribing(self, ctx):
        self._diary.write("subscribing", self._channel, ctx.code)

    async def on_subscribed(self, _):
        self._diary.write("subscribed", self._channel)

    async def on_unsubscribed(self, ctx):
        self._diary.write("unsubscribed", self._channel, ctx.code)

    async def on_error(self, ctx):
        self._diary.write("sub-error", self._channel, str(ctx.error))

    async def on_publication(self, ctx):
        self._diary.write("publication", self._channel, ctx.pub.data)


@asynccontextmanager
async def connecting(server, token):
    """A client that asks to be connected, and its diary."""
    diary = Diary()
    client = Client(server.websocket, events=diary, get_token=_always(token))
    await client.connect()
    try:
        yield client, diary
    finally:
        await client.disconnect()
        # The library closes its socket in a task of its own.
        while client._background_tasks:
            await asyncio.wait(set(client._background_tasks))


@asynccontextmanager
async def connected(server, token):
    """A connected client and its diary."""
    async with connecting(server, token) as (client, diary):
        await diary.until("connected")
        yield client, diary


async def subscribe(client, diary, channel, token=""):
    """Ask for a channel; with a token, or what fetches one each time that one is wanted."""
    handler = Subscriber(diary, channel)
    options = {"get_token": _always(token)} if token else {}
    subscription = client.new_subscription(channel, events=handler, **options)
    await subscription.subscribe()
    return subscription


def _always(token):
    async def get(*_):
        return await token() if callable(token) else token

    return get
