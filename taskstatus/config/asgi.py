"""The ASGI application that gunicorn serves: native streams on the event loop, everything else in threads."""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

from taskstatus.config.bridge import in_threads
from taskstatus.config.env import load_env
from taskstatus.config.wsgi import application as plain  # first: it brings Django up

# isort: split
from realtime.endpoints import STREAM_PATH
from realtime.stream.app import Receive, Scope, Send, TaskStreams
from taskstatus.config.pulse import Pulse

_env = load_env()
_streams = TaskStreams()
_everything_else = in_threads(plain, _env.web_threads)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request, or the life of the process."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http" and scope["path"] == STREAM_PATH:
        await _streams(scope, receive, send)
    else:
        await _everything_else(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    await receive()
    _tell_at_the_end(_streams.end_all)
    pulse = Pulse(_env.health_scan_seconds)
    pulse.start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    pulse.stop()
    await _streams.close()
    await send({"type": "lifespan.shutdown.complete"})


def _tell_at_the_end(action: Callable[[], None]) -> None:
    """Call it when the server is told to end: it waits for open connections before it ends the lifespan."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _both(lambda: loop.call_soon_threadsafe(action), signal.getsignal(number)))


def _both(ours: Callable[[], object], servers: object) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        ours()
        if callable(servers):
            servers(number, frame)

    return handle
