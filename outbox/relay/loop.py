"""`manage.py relay`: a relay that waits for its work itself, for the shortest way to the screen."""

import logging
from collections.abc import Callable
from typing import Final

from django.db import InterfaceError, OperationalError, connection

from outbox.bells import Listener
from outbox.relay.draining import Relay

SHORTEST_PAUSE_SECONDS: Final = 0.020
LONGEST_PAUSE_SECONDS: Final = 0.500
BUDGET_SECONDS: Final = 10.0

log = logging.getLogger(__name__)


class Loop:
    """Drains as long as there is work, then waits: 20 ms, doubling to 500 ms, or until a commit rings."""

    def __init__(self, relay: Relay, listener: Listener, stopping: Callable[[], bool]) -> None:
        self._relay = relay
        self._listener = listener
        self._stopping = stopping
        self._has_database = True

    def run(self) -> None:
        """Run until `stopping` is true; a batch that was begun is finished."""
        pause = SHORTEST_PAUSE_SECONDS
        while not self._stopping():
            found_work, is_more_waiting = self._drain()
            if is_more_waiting:
                continue
            pause = SHORTEST_PAUSE_SECONDS if found_work else min(2 * pause, LONGEST_PAUSE_SECONDS)
            if self._listener.wait(pause):
                pause = SHORTEST_PAUSE_SECONDS

    def _drain(self) -> tuple[bool, bool]:
        """Return whether anything was claimed, and whether more is likely to wait."""
        try:
            report = self._relay.drain(BUDGET_SECONDS, self._stopping)
        except (OperationalError, InterfaceError) as error:
            self._lose_database(error)
            return False, False
        if not self._has_database:
            self._has_database = True
            log.warning("the relay reaches the database again")
        return bool(report.claimed), report.batch_full

    def _lose_database(self, error: Exception) -> None:
        if self._has_database:
            log.error("the relay can't use the database (%s) and tries again", type(error).__name__)
        self._has_database = False
        connection.close()
