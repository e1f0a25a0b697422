"""The stage of the acceptance tests: an empty database, no definitions, one coordinator."""

from collections.abc import Iterator

import pytest

from registries.resolver import forget
from tests.support.cast import Coordinator, coordinator


@pytest.fixture(autouse=True)
def no_cached_definitions() -> Iterator[None]:
    """Definitions are rolled back with each test, and so must be forgotten with it."""
    forget()
    yield
    forget()


@pytest.fixture
def carol(db: None) -> Coordinator:
    """Return the coordinator of tenant acme."""
    return coordinator()
