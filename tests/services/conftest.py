"""What tests of the use cases' own statements begin with."""

import pytest

from registries import resolver


@pytest.fixture
def definitions_at_hand(db, monkeypatch):
    """Read the definitions beforehand: once a second and process they cost a query, which is nobody's own."""
    resolver.registry("acme", "content-platform")
    monkeypatch.setattr(resolver, "STAMP_SECONDS", 3600)
    monkeypatch.setattr(resolver, "MISS_SECONDS", 3600)
