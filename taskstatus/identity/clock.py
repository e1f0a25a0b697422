"""The process's clocks, in one place so that a test can move them.

Tokens are judged by the process's clock: they are made elsewhere, and no row is locked when they are read.
"""

import time


def unix_now() -> float:
    """Return the seconds since 1970, as a JWT counts them."""
    return time.time()


def monotonic() -> float:
    """Return seconds that never go back, for measuring how old something is."""
    return time.monotonic()
