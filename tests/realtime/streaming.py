"""Clients of the native stream in this process: the ASGI application without a server around it."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass

from django.db import connections

from realtime.endpoints import STREAM_PATH
from realtime.stream.app import TaskStreams
from tests.realtime.events import Parser
from tests.support.waiting import PATIENCE_SECONDS


def in_loop(story):
    """Run an async story that gets the application."""

    async def run():
        streams = TaskStreams()
        try:
            async with asyncio.timeout(4 * PATIENCE_SECONDS):
                await story(streams)
        finally:
            await streams.close()

    asyncio.run(run())


async def in_thread(function, *args):
    """Run database work of a story where Django allows it."""

    def call():
        try:
            return function(*args)
        finally:
            connections.close_all()

    return await asyncio.to_thread(call)


async def until(condition):
    """Let everything go on until this is so, within the story's time."""
    while not condition():  # noqa: ASYNC110 - what the application does sets no event of the test's
        await asyncio.sleep(0.02)


@dataclass
class Stream:
    """One open stream, or what was answered instead."""

    status: int
    headers: dict[str, str]
    parser: Parser
    task: "asyncio.Task[None]"
    window: asyncio.Event

    def shut(self):
        """Read no more until `open`; the next send of the server waits."""
        self.window.clear()

    def open(self):
        """Read again."""
        self.window.set()

    async def event(self, *names):
        """The next event, of one of these names if some are given; None at the end of the stream."""
        while True:
            event = await asyncio.wait_for(self.parser.event(), PATIENCE_SECONDS)
            if event is None or not names or event.name in names:
                return event

    async def messages(self, number):
        """The next messages' bodies."""
        return [(await self.event("message")).body for _ in range(number)]


@asynccontextmanager
async def listening(streams, api, last_event_id=None, *, accept="text/event-stream"):
    """A client that connects, and goes away at the end."""
    gone, window = asyncio.Event(), asyncio.Event()
    window.set()
    started = asyncio.get_running_loop().create_future()
    parser = Parser()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.start":
            headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            started.set_result((message["status"], headers))
            return
        await window.wait()
        parser.feed(message["body"])
        if not message.get("more_body"):
            parser.end()

    task = asyncio.create_task(streams(_scope(api, last_event_id, accept), receive, send))
    try:
        status, headers = await asyncio.wait_for(started, PATIENCE_SECONDS)
        yield Stream(status, headers, parser, task, window)
    finally:
        gone.set()
        await asyncio.wait_for(task, PATIENCE_SECONDS)


def _scope(api, last_event_id, accept):
    headers = {"host": "localhost", "accept": accept}
    if api.token is not None:
        headers["authorization"] = f"Bearer {api.token}"
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    return {
        "type": "http",
        "method": "GET",
        "path": STREAM_PATH,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
