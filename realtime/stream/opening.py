"""The answer with which a stream begins: who may listen, and from where."""

import logging
import secrets
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpResponse

from realtime.seats import Held, seats
from realtime.sessions import digest
from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import User

EVENT_STREAM: Final = "text/event-stream"
# A stream renews its place well within this time; after a crash the place is free again.
SEAT_SECONDS: Final = 60
_NOT_STREAMED: Final = b"retry: 5000\n: this server can't hold a stream open; it takes the ASGI application\n\n"

log = logging.getLogger(__name__)


class StreamOpening(HttpResponse):
    """Says yes to a stream. The ASGI application takes it over; any other server sends it as it is.

    Whoever closes it gives the stream's place back.
    """

    def __init__(self, user: User, last_event_id: str | None, held: Held) -> None:
        super().__init__(_NOT_STREAMED, content_type=EVENT_STREAM)
        self.headers["Cache-Control"] = "no-store"
        # Some proxies collect an answer before they pass it on; this is how they are told not to.
        self.headers["X-Accel-Buffering"] = "no"
        self.user = user
        self.last_event_id = last_event_id
        self.held = held

    def close(self) -> None:
        """End the request and free the place; a place that can't be freed now lapses."""
        super().close()
        try:
            seats().leave(self.held.holder, self.held.lease)
        except (DatabaseError, InterfaceError):
            log.warning("a stream's place was not freed, and lapses in %s s", SEAT_SECONDS)


def open_stream(user: User, last_event_id: str | None) -> StreamOpening:
    """Give the user one more stream; raises STREAM_LIMIT."""
    held = Held(digest("streams", user.tenant, user.user_id), secrets.token_hex(16))
    if not seats().take(held.holder, held.lease, settings.MAX_STREAMS_PER_USER, SEAT_SECONDS):
        raise DomainError("STREAM_LIMIT", f"A user may have {settings.MAX_STREAMS_PER_USER} streams open.")
    return StreamOpening(user, last_event_id, held)
