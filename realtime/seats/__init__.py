"""Places in limited numbers, counted for all web workers together."""

import logging
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from redis.exceptions import RedisError

from realtime.seats.contract import Held, Seats
from realtime.seats.database import DatabaseSeats
from realtime.seats.redis import RedisSeats

log = logging.getLogger(__name__)

__all__ = ["Held", "Seats", "seats"]


class SeatsBesideRedis:
    """Redis, and the database while Redis is out: a limit must hold, and nobody be locked out for an outage."""

    def __init__(self, first: Seats, second: Seats) -> None:
        self._first, self._second = first, second

    def take(self, holder: str, lease: str, limit: int, seconds: int) -> bool:
        """See `Seats.take`."""
        try:
            return self._first.take(holder, lease, limit, seconds)
        except RedisError as error:
            _tell(error)
            return self._second.take(holder, lease, limit, seconds)

    def renew(self, places: Iterable[Held], seconds: int) -> None:
        """See `Seats.renew`."""
        try:
            self._first.renew(places, seconds)
        except RedisError as error:
            _tell(error)
            self._second.renew(places, seconds)

    def leave(self, holder: str, lease: str) -> None:
        """See `Seats.leave`; a place left in Redis lapses by itself."""
        try:
            self._first.leave(holder, lease)
        except RedisError as error:
            _tell(error)
            self._second.leave(holder, lease)


def seats() -> Seats:
    """The places of this deployment: in Redis where REDIS_URL names one, else in a table."""
    return _seats(settings.REDIS_URL)


@lru_cache(maxsize=2)
def _seats(redis_url: str) -> Seats:
    database = DatabaseSeats()
    return SeatsBesideRedis(RedisSeats(redis_url), database) if redis_url else database


def _tell(error: RedisError) -> None:
    # The message may hold the address, and the address a password.
    log.warning("Redis is out (%s): places are counted in the database.", type(error).__name__)
