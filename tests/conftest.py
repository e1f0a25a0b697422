"""What tests need of the database and of the stack; `scripts/stack` brings the servers."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn
from urllib.parse import urlsplit

import hypothesis
import pytest
import redis
from django.db import connection

from registries.resolver import forget
from taskstatus.domain import findings
from taskstatus.queries import known_handles
from tests.support.reconciling import UNHURRIED_SCAN_SECONDS, sign

# A busy machine is no reason to fail a property.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")

DATABASE_FIXTURES = frozenset({"db", "transactional_db", "django_db_reset_sequences", "live_server"})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database, so that a run can choose it by ``-m database``."""
    for item in items:
        fixtures = DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
        if fixtures or item.get_closest_marker("django_db"):
            item.add_marker("database")


@pytest.fixture(autouse=True)
def no_cached_definitions() -> None:
    """Begin without the definitions that an earlier test's process-wide cache still holds."""
    forget()


@pytest.fixture(autouse=True)
def no_known_handles() -> None:
    """Begin without the handles that this process remembers: a test may change or count their lookups."""
    known_handles.forget()


@pytest.fixture
def patience(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a slow machine be no reason why a task stands still: the reconciler was here, two minutes are no wait."""
    monkeypatch.setattr(findings, "WAIT_WORTH_TELLING", timedelta(minutes=2))
    sign("reconciler")


def unavailable(what: str) -> NoReturn:
    """Skip the test for want of a server, aloud; where CI is set, fail it."""
    reason = os.environ.get("STACK_MISSING") or "start it with scripts/stack up, and evaluate scripts/stack env"
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing: {reason}")
    pytest.skip(f"{what} is missing: {reason}")


@pytest.fixture
def redis_url(worker_id: str) -> str:
    """Return the URL of an empty Redis database that this process of the run has for itself."""
    address = os.environ["STACK_REDIS_URL"]
    if not address:
        unavailable("Redis")
    parts = urlsplit(address)
    own = int(worker_id.removeprefix("gw")) + 1 if worker_id.startswith("gw") else 0
    url = f"{parts.scheme}://{parts.netloc}/{32 + own}"
    client = redis.Redis.from_url(url)
    client.flushdb()
    client.close()
    return url


@dataclass(frozen=True)
class CentrifugoServer:
    """Where the stack's Centrifugo is, and its keys."""

    api_url: str
    api_key: str
    public_url: str
    token_secret: str
    subscription_token_secret: str


@pytest.fixture(scope="session")
def centrifugo() -> CentrifugoServer:
    """Return the stack's Centrifugo."""
    names = ("API_URL", "API_KEY", "PUBLIC_URL", "TOKEN_SECRET", "SUBSCRIPTION_TOKEN_SECRET")
    values = [os.environ.get(f"CENTRIFUGO_{name}", "") for name in names]
    if not all(values):
        unavailable("Centrifugo")
    return CentrifugoServer(*values)


@pytest.fixture
def row_locks(transactional_db: None) -> None:
    """Run the test only where rows are locked one by one, which SQLite does not do."""
    if not connection.features.has_select_for_update_skip_locked:
        pytest.skip("this database has no row locks, but one writer at a time")


@pytest.fixture
def impatient(row_locks: None) -> Iterator[None]:
    """Let this connection wait one second for a row's lock."""
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
    yield
    connection.close()


@pytest.fixture
def unhurried(settings: Any) -> None:
    """Let no pause of a slow machine look like an outage of the service."""
    settings.HEALTH_SCAN_SECONDS = UNHURRIED_SCAN_SECONDS
