"""The life of one open stream: what was missed, then what comes, until somebody ends it."""

import asyncio
import logging
import random
from typing import Final, Protocol

from django.db import DatabaseError, InterfaceError

from outbox.tail import Place
from realtime.stream import frames
from realtime.stream.hub import Hub
from realtime.stream.listener import Ending, Listener
from realtime.stream.loan import LoanDesk
from realtime.stream.pump import Pump
from realtime.stream.resume import missed_messages, place_of

# A comment line in this rhythm keeps proxies from closing what looks idle to them (protocol 6).
COMMENT_SECONDS: Final = 15.0
# As long as a connection token lives: then the client comes back, and its credential and rights are looked at anew.
MAX_AGE_SECONDS: Final = 600.0
# A client whose window stays shut for so long is given up.
SEND_SECONDS: Final = 60.0
_RETRY_MS: Final = (1_000, 3_000)


class Write(Protocol):
    """Sends bytes to the client; the last ones end the answer."""

    async def __call__(self, body: bytes, *, is_last: bool = False) -> None:
        """Return when the client's side takes more."""
        ...


log = logging.getLogger(__name__)


class Stream:
    """Writes one stream; `run` ends when the stream is to be closed."""

    def __init__(self, listener: Listener, hub: Hub, pump: Pump, loans: LoanDesk, write: Write) -> None:
        self._listener, self._hub, self._pump, self._loans = listener, hub, pump, loans
        self._write = write

    async def run(self, last_event_id: str | None) -> None:
        """Write until the stream ends, from the server's side or because the client doesn't read."""
        try:
            until = await self._pump.join(self._listener)
            cursor = self._hub.cursor_at(until)
            await self._send(frames.retry(random.randint(*_RETRY_MS)))  # noqa: S311 - spreads those who come back
            await self._catch_up(last_event_id, until, cursor)
            await self._follow()
            await self._send(frames.FAREWELL, is_last=True)
        except (DatabaseError, InterfaceError) as error:
            log.warning("a stream ends for want of the database (%s)", type(error).__name__)
            await self._send(frames.FAREWELL, is_last=True)
        except TimeoutError:
            log.info("a stream ends: its client has read nothing for %s s", SEND_SECONDS)
        finally:
            self._hub.remove(self._listener)

    async def _catch_up(self, last_event_id: str | None, until: Place, cursor: str) -> None:
        """Bring a client that was here before to `until`, whose cursor is given, or tell it to load a snapshot."""
        if last_event_id is not None:
            moment = self._hub.moment
            since = await self._loans.run(place_of, last_event_id, moment)
            if since is None:
                await self._send(frames.reset(cursor, moment.epoch))
                return
            pages = missed_messages(self._listener, since, until)
            while (page := await self._loans.run(next, pages, None)) is not None:
                await self._send(b"".join(self._hub.message(seen) for seen in page))
        await self._send(frames.heartbeat(cursor))

    async def _follow(self) -> None:
        now = asyncio.get_running_loop().time
        age_ends = now() + MAX_AGE_SECONDS * random.uniform(0.9, 1.0)  # noqa: S311 - spreads those who come back
        comment_at = now() + COMMENT_SECONDS
        while self._listener.ending is None:
            body = await self._listener.take(max(0.0, comment_at - now()))
            if now() >= comment_at and self._listener.ending is None:
                # Nothing is queued and nothing was dropped, so the client has heard everything up to the hub's place.
                body += frames.COMMENT + frames.heartbeat(self._hub.cursor)
                comment_at = now() + COMMENT_SECONDS
            await self._send(body)
            if now() >= age_ends:
                self._listener.end(Ending.AGE)
        await self._send(await self._listener.take(0))

    async def _send(self, body: bytes, *, is_last: bool = False) -> None:
        if body:
            async with asyncio.timeout(SEND_SECONDS):
                await self._write(body, is_last=is_last)
