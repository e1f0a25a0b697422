"""How long to wait before the next try."""

import random
from typing import Final

FIRST_SECONDS: Final = 0.5
LONGEST_SECONDS: Final = 60.0
# From here on the longest pause is reached whatever the first was; it keeps the power small.
_LAST_DOUBLING: Final = 32


def ceiling_seconds(failures: int, first: float = FIRST_SECONDS, longest: float = LONGEST_SECONDS) -> float:
    """Return the longest pause after so many failures, counted from 1: it doubles with each, up to `longest`."""
    return min(longest, first * 2.0 ** min(max(failures, 1) - 1, _LAST_DOUBLING))


def pause_seconds(failures: int, first: float = FIRST_SECONDS, longest: float = LONGEST_SECONDS) -> float:
    """Return a pause with full jitter: anything up to the ceiling, so that those who failed together part."""
    return ceiling_seconds(failures, first, longest) * random.random()  # noqa: S311 - spreads retries
