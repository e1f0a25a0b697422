"""Fixtures of the identity tests: fresh verifiers, a clock that can be moved, a JWKS server, a Redis."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from taskstatus.identity import clock, execution_tokens, key_sources, service_tokens, user_tokens
from tests.identity.support import JwksServer
from tests.support.redis_server import RedisServer, running
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def fresh_verifiers() -> Iterator[None]:
    """Let no test meet what another one has proven."""
    caches = [service_tokens._verifier, user_tokens._verifier, execution_tokens._verifier]
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.fixture(autouse=True)
def patient_fetches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for an issuer's answer as long as a busy machine needs."""
    monkeypatch.setattr(key_sources, "FETCH_TIMEOUT_SECONDS", PATIENCE_SECONDS)


class Clock:
    """Stops the clocks of identity, and moves them forward; whole seconds, so that sums of them are exact."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = float(int(clock.unix_now()))
        monkeypatch.setattr(clock, "unix_now", lambda: self.now)
        monkeypatch.setattr(clock, "monotonic", lambda: self.now)

    def forward(self, seconds: float) -> None:
        """Let that much time pass."""
        self.now += seconds


@pytest.fixture
def moving_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def jwks_server() -> Iterator[JwksServer]:
    server = JwksServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that the test may stop and start."""
    with running(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def module_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(module_redis: RedisServer) -> str:
    """An empty Redis."""
    with Redis.from_url(module_redis.url) as client:
        client.flushall()
    return module_redis.url
