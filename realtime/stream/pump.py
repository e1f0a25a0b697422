"""Moves new rows from the outbox to the hub, for as long as somebody listens."""

import asyncio
import logging
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError

from outbox.tail import BATCH_ROWS, Place
from realtime.stream.hub import Hub
from realtime.stream.listener import Ending, Listener
from realtime.stream.opening import SEAT_SECONDS
from realtime.stream.reader import Reader

P = ParamSpec("P")
R = TypeVar("R")

POLL_SECONDS: Final = 0.1
LOOK_AROUND_SECONDS: Final = 1.0
RENEW_SECONDS: Final = SEAT_SECONDS / 3
# The reader goes on for a while, so that a page that is loaded anew finds it running.
IDLE_SECONDS: Final = 30.0
MAX_BACKOFF_SECONDS: Final = 5.0

log = logging.getLogger(__name__)


class Pump:
    """Starts with the first listener, ends some time after the last; one at a time reads or joins."""

    def __init__(self, hub: Hub, reader: Reader) -> None:
        self._hub = hub
        self._reader = reader
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="outbox-tail")
        self._looked_at = 0.0
        self._heard_at = 0.0
        self._renewed_at = 0.0
        self._failures = 0

    async def join(self, listener: Listener) -> Place:
        """Let it hear everything behind the place that is returned. Raises Django's database errors."""
        async with self._turn:
            if self._task is None:
                self._hub.place, self._hub.moment = await self._in_thread(self._reader.start)
                self._task = asyncio.create_task(self._run())
            self._hub.add(listener)
            return self._hub.place

    async def close(self) -> None:
        """End the reading."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._thread.shutdown()

    async def _run(self) -> None:
        try:
            pause = await self._step()
            while not await self._is_idle():
                await asyncio.sleep(pause)
                pause = await self._step()
        except Exception:
            log.exception("following the outbox failed")
        finally:
            # Clients come back, and the first of them starts a new reader.
            self._task = None
            self._hub.end_all(Ending.SHUTDOWN)

    async def _step(self) -> float:
        """Deliver what is new; how many seconds to wait before the next step."""
        try:
            is_behind = await self._read()
        except (DatabaseError, InterfaceError) as error:
            self._failures += 1
            log.warning("the outbox can't be followed now (%s)", type(error).__name__)
            await self._in_thread(self._reader.stop)
            longest = min(MAX_BACKOFF_SECONDS, POLL_SECONDS * 2**self._failures)
            return random.uniform(POLL_SECONDS, longest)  # noqa: S311 - spreads the workers
        self._failures = 0
        return 0 if is_behind else POLL_SECONDS

    async def _is_idle(self) -> bool:
        """Whether nobody has listened for a while; the reader's connection is given back then."""
        now = asyncio.get_running_loop().time()
        async with self._turn:
            if self._hub.listeners:
                self._heard_at = now
            if now - self._heard_at < IDLE_SECONDS:
                return False
            await self._in_thread(self._reader.stop)
            return True

    async def _read(self) -> bool:
        """Deliver the next rows; whether more are waiting."""
        async with self._turn:
            await self._look_around()
            await self._renew_places()
            batch = await self._in_thread(self._reader.read, self._hub.sessions())
            self._hub.deliver(batch)
        return len(batch.rows) >= BATCH_ROWS

    async def _look_around(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._looked_at < LOOK_AROUND_SECONDS:
            return
        moment, is_other = await self._in_thread(self._reader.look_around)
        if is_other:
            self._hub.reset(*await self._in_thread(self._reader.start))
        else:
            self._hub.moment = moment
        self._looked_at = now

    async def _renew_places(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._hub.listeners and now - self._renewed_at >= RENEW_SECONDS:
            await self._in_thread(self._reader.renew, [listener.held for listener in self._hub.listeners])
            self._renewed_at = now

    async def _in_thread(self, function: Callable[P, R], *args: P.args, **_kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)
