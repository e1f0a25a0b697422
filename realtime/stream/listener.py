"""One open stream as the fan-out sees it: what it listens to, and what waits to be sent (R18)."""

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from typing import Final

from realtime.seats.contract import Held
from realtime.stream.frames import Frame
from taskstatus.identity.principals import User

MAX_FRAMES: Final = 256
MAX_BYTES: Final = 256 * 1024


class Ending(StrEnum):
    """Why the server ends a stream; the client comes back and resumes."""

    SLOW = "the client reads too slowly"
    SHUTDOWN = "the server shuts down"
    AGE = "the credential is to be shown again"


class Listener:
    """A queue that a slow reader can't make grow: first superseded states are dropped, then the stream is ended.

    Used by the event loop's thread alone.
    """

    def __init__(self, user: User, session: str, channels: Iterable[str], held: Held) -> None:
        self.user = user
        self.session = session
        self.channels = frozenset(channels)
        self.held = held
        self.ending: Ending | None = None
        self._frames: deque[Frame] = deque()
        self._bytes = 0
        self._news = asyncio.Event()

    def offer(self, frame: Frame) -> None:
        """Queue a frame; too many of them end the stream. One that is too large by itself is still sent."""
        if self.ending is not None:
            return
        self._frames.append(frame)
        self._bytes += len(frame.body)
        if self._is_full():
            self._drop_superseded()
        if self._is_full() and len(self._frames) > 1:
            self.end(Ending.SLOW)
        self._news.set()

    def end(self, why: Ending) -> None:
        """Ask for the end of the stream: nothing more is queued, and what waits is dropped if the reader is slow."""
        self.ending = self.ending or why
        if self.ending is Ending.SLOW:
            self._frames.clear()
        self._news.set()

    async def take(self, seconds: float) -> bytes:
        """What waits, or comes within that time; empty when nothing does, or when the end was asked for.

        What comes in the moment in which the time runs out is among it: afterwards nothing is queued.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        if self.ending is None:
            self._news.clear()
        frames, self._frames, self._bytes = self._frames, deque(), 0
        return b"".join(frame.body for frame in frames)

    def _is_full(self) -> bool:
        return len(self._frames) > MAX_FRAMES or self._bytes > MAX_BYTES

    def _drop_superseded(self) -> None:
        """Keep the newest of the states that replace each other, and all that nothing may replace (ruling 20)."""
        newer: set[tuple[str, ...]] = set()
        kept: deque[Frame] = deque()
        for frame in reversed(self._frames):
            if not (frame.coalescible and frame.subject in newer):
                kept.appendleft(frame)
                newer.add(frame.subject)
        self._frames = kept
        self._bytes = sum(len(frame.body) for frame in kept)
