"""Rate limits per producer, for reports, registrations and heartbeats (RATE_LIMIT_…, S07).

A limit protects the service from one producer; it must never be what stops all of them. So an unreachable
Redis lets calls pass uncounted, and is asked again only after a pause: every wait for it is a caller's. For the same
reason calls that come close upon each other, under a large limit, are counted together (_Tab).
"""

import logging
import math
import threading
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from time import monotonic, time
from typing import Final, Literal

from django.conf import settings
from limits import RateLimitItem
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.retry import Retry

from taskstatus.domain.errors import DomainError

log = logging.getLogger(__name__)

Kind = Literal["reports", "registrations", "heartbeats"]

REDIS_TIMEOUT_SECONDS: Final = 0.1
OUTAGE_PAUSE_SECONDS: Final = 5
OUTAGE_LOG_SECONDS: Final = 60
# What a process lets pass on its last answer before it counts it: this share of the limit, for at most this long.
TAB_SHARE: Final = 500
TAB_SECONDS: Final = 0.05
# In one process; with more producers than this all of its tabs begin anew.
MAX_TABS: Final = 10_000


def throttle(kind: Kind, service_key: str, cost: int = 1) -> None:
    """Count `cost` calls of a producer; raise RATE_LIMITED, with seconds to wait, beyond its limit.

    A refused call is not counted. A batch above the limit counts as the whole limit, or it could never pass.
    """
    limit = _limit(kind)
    if limit is None:
        return
    wait_seconds = _counter(settings.REDIS_URL).take(limit, kind, service_key, min(cost, limit.amount))
    if wait_seconds:
        raise DomainError(
            "RATE_LIMITED",
            f"This producer has sent too many {kind}; the limit is {limit.amount} in {limit.get_expiry()} s.",
            retry_after_seconds=wait_seconds,
        )


def _limit(kind: Kind) -> RateLimitItem | None:
    limits: dict[Kind, RateLimitItem | None] = {
        "reports": settings.RATE_LIMIT_REPORTS,
        "registrations": settings.RATE_LIMIT_REGISTRATIONS,
        "heartbeats": settings.RATE_LIMIT_HEARTBEATS,
    }
    return limits[kind]


class _Tab:
    """What a process lets pass of one producer's calls between two counts: at most a small share of the limit.

    No call goes uncounted: those on the tab are counted with the next one that is not. A small limit has no tab.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owed = 0
        self._being_counted = 0
        self._open_until = 0.0

    def put(self, cost: int, most: int) -> bool:
        """Put the calls on the tab, if it is open and takes them; else they have to be counted."""
        with self._lock:
            fits = self._owed + self._being_counted + cost <= most and monotonic() < self._open_until
            if fits:
                self._owed += cost
            return fits

    def take(self) -> int:
        """Take what is owed off the tab, to count it; `settle` makes the room free."""
        with self._lock:
            owed, self._owed = self._owed, 0
            self._being_counted += owed
            return owed

    def settle(self, owed: int, *, counted: bool) -> None:
        """Open the tab if there was room under the limit; else put back what couldn't be counted, and close the tab."""
        with self._lock:
            self._being_counted -= owed
            self._owed += 0 if counted else owed
            self._open_until = monotonic() + TAB_SECONDS if counted else 0.0


class _Counter:
    """Counts in a storage, and stands aside while the storage is out."""

    def __init__(self, storage: Storage, turn: AbstractContextManager[object]) -> None:
        """Enter `turn` for every count, where the storage can't be used by two threads at once."""
        self._turn = turn
        self._limiter = SlidingWindowCounterRateLimiter(storage)
        self._tabs: dict[tuple[str, str], _Tab] = {}
        self._lock = threading.Lock()
        self._next_try_at = 0.0
        self._next_log_at = 0.0

    def take(self, limit: RateLimitItem, kind: str, service_key: str, cost: int) -> int:
        """Return 0 where the calls are within the limit or can't be counted, else the seconds to wait."""
        tab = self._tab((kind, service_key))
        if monotonic() < self._next_try_at or tab.put(cost, limit.amount // TAB_SHARE):
            return 0
        owed, counted = tab.take(), False
        try:
            with self._turn:
                counted = self._limiter.hit(limit, kind, service_key, cost=min(owed + cost, limit.amount))
                return 0 if counted else self._wait_seconds(limit, kind, service_key, cost)
        except StorageError as error:
            self._stand_aside(error)
            return 0
        finally:
            tab.settle(owed, counted=counted)

    def _tab(self, key: tuple[str, str]) -> _Tab:
        tab = self._tabs.get(key)
        if tab is None:
            if len(self._tabs) >= MAX_TABS:
                self._tabs.clear()
            tab = self._tabs.setdefault(key, _Tab())
        return tab

    def _wait_seconds(self, limit: RateLimitItem, kind: str, service_key: str, cost: int) -> int:
        one_is_free_at = self._limiter.get_window_stats(limit, kind, service_key).reset_time
        window_seconds = limit.get_expiry()
        seconds = max(one_is_free_at - time(), window_seconds * cost / limit.amount)
        return max(1, math.ceil(min(seconds, window_seconds)))

    def _stand_aside(self, error: StorageError) -> None:
        now = monotonic()
        with self._lock:
            self._next_try_at = now + OUTAGE_PAUSE_SECONDS
            log_it = now >= self._next_log_at
            if log_it:
                self._next_log_at = now + OUTAGE_LOG_SECONDS
        if log_it:
            # The message of the error may hold the URL, and the URL a password.
            reason = type(error.storage_error).__name__
            log.error("Redis is out (%s): calls pass without being counted by the rate limits.", reason)


@lru_cache(maxsize=2)
def _counter(redis_url: str) -> _Counter:
    if not redis_url:
        # This storage starts a clean-up thread as it counts: two callers at once would start the same one.
        return _Counter(MemoryStorage(), threading.Lock())
    pool = ConnectionPool.from_url(
        redis_url,
        socket_timeout=REDIS_TIMEOUT_SECONDS,
        socket_connect_timeout=REDIS_TIMEOUT_SECONDS,
        # One retry, for a pooled connection that Redis closed meanwhile.
        retry=Retry(NoBackoff(), 1),
    )
    return _Counter(RedisStorage(redis_url, connection_pool=pool, wrap_exceptions=True), nullcontext())
