"""How a test waits for what happens beside it."""

import time
from collections.abc import Callable
from typing import Final

# Longer than a busy machine needs for anything: the limit costs nothing where what is waited for comes.
PATIENCE_SECONDS: Final = 60


def eventually(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS, what: str = "it") -> None:
    """Wait until another thread or process has done its work; fails if it doesn't in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)
