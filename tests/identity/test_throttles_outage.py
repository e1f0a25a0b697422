"""While Redis is out, calls pass uncounted and unhindered; afterwards the limits hold again."""

import logging
import socket
from collections.abc import Iterator

import pytest
from limits import RateLimitItemPerHour
from pytest_django import Settings

from taskstatus.api import throttles
from taskstatus.api.throttles import OUTAGE_LOG_SECONDS, OUTAGE_PAUSE_SECONDS, throttle
from tests.identity.support import refused
from tests.support.ports import free_port
from tests.support.redis_server import RedisServer
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def limited(settings: Settings) -> Iterator[None]:
    settings.RATE_LIMIT_REPORTS = RateLimitItemPerHour(1)
    throttles._counter.cache_clear()
    yield
    throttles._counter.cache_clear()


@pytest.fixture(autouse=True)
def seconds_ahead(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Stop the clock of the throttles, and let time pass for them by adding to the list."""
    ahead = [1_000.0]
    monkeypatch.setattr(throttles, "monotonic", lambda: sum(ahead))
    return ahead


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for Redis as long as a busy machine needs: only a refused connection is an outage."""
    monkeypatch.setattr(throttles, "REDIS_TIMEOUT_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
def refusing_url() -> str:
    """Nobody listens here."""
    return f"redis://:hunter2@127.0.0.1:{free_port()}/0"


@pytest.fixture
def silent_url() -> Iterator[str]:
    """Connections are taken here, and never answered."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        yield f"redis://:hunter2@127.0.0.1:{listener.getsockname()[1]}/0"


@pytest.mark.parametrize("url", ["refusing_url", "silent_url"])
def test_calls_pass_and_redis_is_asked_once(
    url: str, settings: Settings, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = request.getfixturevalue(url)
    for _ in range(1_000):
        throttle("reports", "acme/parser")
    assert len(caplog.records) == 1
    assert "hunter2" not in caplog.text


def test_an_outage_is_logged_once_a_minute(
    refusing_url: str, settings: Settings, caplog: pytest.LogCaptureFixture, seconds_ahead: list[float]
) -> None:
    settings.REDIS_URL = refusing_url
    logged = []
    for _ in range(2 * OUTAGE_LOG_SECONDS // OUTAGE_PAUSE_SECONDS):
        throttle("reports", "acme/parser")
        seconds_ahead.append(OUTAGE_PAUSE_SECONDS)
        logged.append(len(caplog.records))
    assert logged[0] == 1
    assert logged[-1] == 2
    assert {record.levelno for record in caplog.records} == {logging.ERROR}


@pytest.mark.usefixtures("patient")
def test_the_limits_hold_again_when_redis_is_back(
    own_redis: RedisServer, settings: Settings, seconds_ahead: list[float]
) -> None:
    settings.REDIS_URL = own_redis.url
    throttle("reports", "acme/parser")
    with refused("RATE_LIMITED"):
        throttle("reports", "acme/parser")
    own_redis.stop()
    for _ in range(10):
        throttle("reports", "acme/parser")
    own_redis.start()
    throttle("reports", "acme/parser")
    seconds_ahead.append(OUTAGE_PAUSE_SECONDS)
    throttle("reports", "acme/parser")
    with refused("RATE_LIMITED"):
        throttle("reports", "acme/parser")


@pytest.mark.usefixtures("patient")
def test_a_restart_between_two_calls_is_not_an_outage(
    own_redis: RedisServer, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = own_redis.url
    throttle("reports", "acme/parser")
    own_redis.stop()
    own_redis.start()
    throttle("reports", "acme/parser")
    with refused("RATE_LIMITED"):
        throttle("reports", "acme/parser")
    assert not caplog.records
