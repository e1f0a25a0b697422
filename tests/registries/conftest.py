"""Every test begins without the definitions that an earlier one cached."""

from collections.abc import Iterator

import pytest

from registries.resolver import forget


@pytest.fixture(autouse=True)
def no_cached_definitions() -> Iterator[None]:
    forget()
    yield
    forget()
