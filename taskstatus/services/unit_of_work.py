"""The one transaction of a use case, and its retry (conventions 2).

A use case is decided again from its first statement when another transaction came in between: after a deadlock, a lock
timeout, a lost connection, or a duplicate key that a racing twin wrote first (ruling 47). Inputs are frozen, so a
second run begins as the first did.
"""

import functools
import logging
import random
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, connection, transaction

from taskstatus.services.database_errors import Trouble, refusal_of, trouble_of

P = ParamSpec("P")
R = TypeVar("R")

MAX_TRIES: Final = 4
SHORTEST_PAUSE_SECONDS: Final = 0.010
LONGEST_PAUSE_SECONDS: Final = 0.150

log = logging.getLogger(__name__)
_rehearsing: ContextVar[bool] = ContextVar("rehearsing", default=False)


class ConcurrentChangeError(DatabaseError):
    """A guarded write met another row than the one it had locked."""


def use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Run the function in a transaction of its own, at most MAX_TRIES times.

    Raises DATABASE_BUSY when conflicts don't end, DATABASE_UNAVAILABLE when the database can't be reached.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if _rehearsing.get():
            return function(*args, **kwargs)
        return _run(lambda: function(*args, **kwargs), function.__name__)

    return run


def rehearsal(function: Callable[P, R]) -> Callable[P, R]:
    """Run the function, with every use case that it calls, in one transaction that leaves nothing behind.

    What use cases do after their commit is not done. Raises as a use case does.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        def undone() -> R:
            result = function(*args, **kwargs)
            transaction.set_rollback(True)
            return result

        token = _rehearsing.set(True)
        try:
            return _run(undone, function.__name__)
        finally:
            _rehearsing.reset(token)

    return run


def _run(function: Callable[[], R], name: str) -> R:
    for tries_left in range(MAX_TRIES - 1, -1, -1):
        try:
            with transaction.atomic(durable=True):
                return function()
        except (DatabaseError, InterfaceError) as error:
            _retry_or_raise(name, error, tries_left)
    raise AssertionError("unreachable: the last try returns or raises")


def _retry_or_raise(name: str, error: DatabaseError | InterfaceError, tries_left: int) -> None:
    trouble = Trouble.CONFLICT if isinstance(error, ConcurrentChangeError) else trouble_of(error)
    if trouble is None:
        raise error
    if trouble is Trouble.LOST:
        connection.close()
    log.warning("use case met %s", trouble, extra={"useCase": name, "triesLeft": tries_left})
    if not tries_left:
        raise refusal_of(trouble) from error
    time.sleep(random.uniform(SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS))  # noqa: S311 - spreads retries
