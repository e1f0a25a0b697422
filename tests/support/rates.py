"""The clock of rate limits that are counted in memory, stopped."""

import time
from types import SimpleNamespace

import pytest


class RateClock:
    """Stands still until it is told: a window that ended in the middle of a test would forget some of its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        stopped = SimpleNamespace(time=lambda: self.now)
        monkeypatch.setattr("limits.storage.memory.time", stopped)
        monkeypatch.setattr("limits.strategies.time", stopped)

    def forward(self, seconds: float) -> None:
        """Let that much time pass."""
        self.now += seconds
