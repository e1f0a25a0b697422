"""How a commit wakes a waiting relay: a bell without a message. Who misses it finds the work a little later."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from django.conf import settings

from outbox.fifo_bell import FifoBell
from outbox.redis_bell import RedisBell


class Listener(Protocol):
    """A relay's ear."""

    def wait(self, seconds: float) -> bool:
        """Wait until the bell rings, at most that long; tell whether it rang."""
        ...


class Bell(Protocol):
    """A bell that any process may ring and any relay may listen to."""

    def ring(self) -> bool:
        """Ring and tell whether a relay listens; raises OSError or RedisError where it can't be rung."""
        ...

    def listening(self) -> AbstractContextManager[Listener]:
        """Listen for as long as the context lasts."""
        ...


def configured_bell() -> Bell:
    """Make the bell that the settings call for: over Redis where there is one, else for this host alone."""
    if settings.REDIS_URL:
        return RedisBell(settings.REDIS_URL)
    return FifoBell(Path(settings.VAR_DIR) / "relay.bell")
