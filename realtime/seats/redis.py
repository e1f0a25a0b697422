"""Places in Redis: a sorted set for each holder, its leases by their end."""

from collections.abc import Iterable
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from realtime.seats.contract import Held

TIMEOUT_SECONDS: Final = 0.5
# By Redis's own clock, the only one that all workers share; one script, so that nobody comes in between.
_TAKE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local is_new = redis.call('ZSCORE', KEYS[1], ARGV[1]) == false
if is_new and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""
_NO_LIMIT: Final = 2**31


class RedisSeats:
    """See `Seats`; every method raises RedisError while Redis is out."""

    def __init__(self, url: str) -> None:
        # One retry, for a pooled connection that Redis closed meanwhile.
        retry = Retry(NoBackoff(), 1)
        self._redis = Redis.from_url(
            url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS, retry=retry
        )
        self._take = self._redis.register_script(_TAKE)

    def take(self, holder: str, lease: str, limit: int, seconds: int) -> bool:
        """Count and add in one step."""
        return bool(self._take(keys=[_key(holder)], args=[lease, limit, seconds * 1000]))

    def renew(self, places: Iterable[Held], seconds: int) -> None:
        """Move the ends of these places in one round trip."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for place in places:
                self._take(keys=[_key(place.holder)], args=[place.lease, _NO_LIMIT, seconds * 1000], client=pipeline)
            pipeline.execute()

    def leave(self, holder: str, lease: str) -> None:
        """Free the place."""
        self._redis.zrem(_key(holder), lease)


def _key(holder: str) -> str:
    return f"task-status:seats:{holder}"
