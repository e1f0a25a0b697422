"""Whether it makes sense to claim anything while the publisher is away.

A closed breaker lets batches through. An outage opens it: nothing is claimed for a while, then one command is tried,
and its answer closes the breaker or opens it for longer.
"""

import logging
import random
import time
from collections.abc import Callable
from typing import Final

from outbox.backoff import ceiling_seconds

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 10.0
# A pause never falls below this part of its ceiling: a publisher that is down is left alone for a moment at least.
LEAST_SHARE: Final = 0.5

log = logging.getLogger(__name__)


class Breaker:
    """The state of one relay's publisher; it alarms once for each outage, however often a try fails."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._opened_at = 0.0
        self._try_again_at = 0.0

    @property
    def is_closed(self) -> bool:
        """Whether the last answer says that the publisher is there."""
        return not self._failures

    def allowance(self, batch_size: int) -> int:
        """How many commands may be claimed now: a whole batch, one to try with, or none."""
        if self.is_closed:
            return batch_size
        return 1 if self._clock() >= self._try_again_at else 0

    def answered(self) -> None:
        """Note that the publisher answered, whatever it said of the commands."""
        if not self.is_closed:
            seconds = round(self._clock() - self._opened_at, 3)
            log.warning("publishing goes on", extra={"outageSeconds": seconds, "failures": self._failures})
        self._failures = 0

    def failed(self, reason: str) -> None:
        """Note that the publisher can't be used now, and why."""
        if self.is_closed:
            self._opened_at = self._clock()
            log.error("publishing stopped: %s; commands stay in the outbox until it works again", reason)
        self._failures += 1
        ceiling = ceiling_seconds(self._failures, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
        self._try_again_at = self._clock() + ceiling * random.uniform(LEAST_SHARE, 1.0)  # noqa: S311 - spreads tries
