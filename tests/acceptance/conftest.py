"""The stage of the acceptance tests: an empty database, no definitions, one coordinator."""

from collections.abc import Iterator

import pytest

from registries.resolver import forget
from tests.support.cast import Coordinator, Worker, coordinator
from tests.support.rates import RateClock
from tests.support.reconciling import changed, silence


@pytest.fixture(autouse=True)
def no_cached_definitions() -> Iterator[None]:
    """Definitions are rolled back with each test, and so must be forgotten with it."""
    forget()
    yield
    forget()


@pytest.fixture
def rate_clock(monkeypatch: pytest.MonkeyPatch) -> RateClock:
    """Let all calls of a test fall into one window of their limits."""
    return RateClock(monkeypatch)


@pytest.fixture
def carol(db: None) -> Coordinator:
    """Return the coordinator of tenant acme."""
    return coordinator()


@pytest.fixture
def silent(carol: Coordinator) -> Worker:
    """Return a worker whose execution was found STALE."""
    worker = carol.running()
    silence()
    assert changed() == 1
    return worker
