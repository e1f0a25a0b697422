"""A stream says nothing of its own accord while a test waits, however slowly that goes."""

import pytest

from realtime.stream import stream


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch):
    """Put off comment lines, and bear with a client that doesn't read; a test of either sets its own time."""
    monkeypatch.setattr(stream, "COMMENT_SECONDS", 3600.0)
    monkeypatch.setattr(stream, "SEND_SECONDS", 3600.0)
