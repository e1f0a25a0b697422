"""A second try for a load that another one got in the way of."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from django.db import OperationalError, connection

MAX_TRIES: Final = 4
LONGEST_PAUSE_SECONDS: Final = 0.15
# Deadlock, lock wait timeout, changed since the snapshot (MariaDB). SQLite waits by itself.
_CONFLICTS: Final = frozenset({1213, 1205, 1020})

_Result = TypeVar("_Result")


def with_retries(action: Callable[[], _Result]) -> _Result:
    """Run an action that begins its own transactions; after a lock conflict again, at most four times in all.

    Raises:
        OperationalError: the last conflict, or at once what is none.
    """
    for tries_left in range(MAX_TRIES - 1, -1, -1):
        try:
            return action()
        except OperationalError as error:
            # Within somebody's transaction that is lost as a whole, and not ours to begin again.
            is_conflict = bool(error.args) and error.args[0] in _CONFLICTS
            if not is_conflict or not tries_left or connection.in_atomic_block:
                raise
            time.sleep(random.uniform(0, LONGEST_PAUSE_SECONDS))  # noqa: S311 - spreads the retries
    raise AssertionError("unreachable: the last try returns or raises")
