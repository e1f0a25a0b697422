"""A bell for all hosts that share a Redis: an empty publication on one channel."""

import contextlib
import logging
import time
from collections.abc import Iterator
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import RedisError
from redis.retry import Retry

CHANNEL: Final = "task-status:outbox"
SOCKET_SECONDS: Final = 1.0
CHECK_SECONDS: Final = 30

log = logging.getLogger(__name__)


class RedisBell:
    """Rings by publishing; all who listen hear it."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            socket_timeout=SOCKET_SECONDS,
            socket_connect_timeout=SOCKET_SECONDS,
            health_check_interval=CHECK_SECONDS,
            # Whoever waits looks at the outbox again soon, which is better than to wait for Redis.
            retry=Retry(NoBackoff(), retries=0),
        )
        # Redis publishes to all of its databases alike; deployments that share a server each have their own bell.
        self._channel = f"{CHANNEL}:{self._redis.connection_pool.connection_kwargs.get('db', 0)}"

    def ring(self) -> bool:
        """Publish nothing; tell whether anybody listens. Raises RedisError."""
        return bool(self._redis.publish(self._channel, b""))

    @contextlib.contextmanager
    def listening(self) -> Iterator["RedisListener"]:
        """Subscribe as soon as Redis is there."""
        with self._redis.pubsub(ignore_subscribe_messages=True) as subscription:  # type: ignore[no-untyped-call]
            yield RedisListener(subscription, self._channel)


class RedisListener:
    """A subscription; while Redis is away it waits and hears nothing."""

    def __init__(self, subscription: PubSub, channel: str) -> None:
        self._subscription = subscription
        self._channel = channel
        self._is_deaf = False

    def wait(self, seconds: float) -> bool:
        """Wait for a publication and take all that are there; tell whether there was one."""
        end = time.monotonic() + seconds
        try:
            rang = self._hear(end)
        except (RedisError, OSError) as error:
            self._note_deaf(error)
            time.sleep(max(0.0, end - time.monotonic()))
            return False
        self._is_deaf = False
        return rang

    def _hear(self, end: float) -> bool:
        if not self._subscription.subscribed:
            self._subscription.subscribe(self._channel)
        rang = False
        while not rang and (seconds := end - time.monotonic()) > 0:
            rang = self._subscription.get_message(timeout=seconds) is not None
        while rang and self._subscription.get_message(timeout=0) is not None:
            pass
        return rang

    def _note_deaf(self, error: Exception) -> None:
        if not self._is_deaf:
            log.warning("the relay hears no commits (%s) and looks from time to time", type(error).__name__)
        self._is_deaf = True
