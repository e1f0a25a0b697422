"""A second connection that stands in the service's way, and moments of the service's own to act at."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


class Rival:
    """One open transaction on a connection of its own."""

    def __init__(self) -> None:
        self._backend: Any = connections[DEFAULT_DB_ALIAS].copy()
        self._backend.inc_thread_sharing()
        self._backend.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)

    def run(self, sql: str, *params: Any) -> None:
        """Execute a statement in the transaction."""
        with self._backend.cursor() as cursor:
            cursor.execute(sql, params)

    def lock_task(self, task_id: str) -> None:
        """Take the row lock of a task, waiting for it if need be."""
        self.run("SELECT id FROM task WHERE id = %s FOR UPDATE", task_id)

    def let_go(self) -> None:
        """Roll back: every lock is free."""
        self._backend.rollback()

    def close(self) -> None:
        """Leave no connection behind."""
        self._backend.rollback()
        self._backend.close()


@contextmanager
def rival() -> Iterator[Rival]:
    """Give a rival in a transaction; it ends with the block."""
    other = Rival()
    try:
        yield other
    finally:
        other.close()


@contextmanager
def after_first(words: str, act: Callable[[], object]) -> Iterator[None]:
    """Act once, right after the service's first statement that has these words."""
    waiting = [act]

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if words in sql and waiting:
            waiting.pop()()
        return result

    with connections[DEFAULT_DB_ALIAS].execute_wrapper(wrapper):
        yield


@contextmanager
def at_first_error(act: Callable[[], object]) -> Iterator[None]:
    """Act once, when a statement of the service has failed."""
    waiting = [act]

    def wrapper(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        try:
            return execute(sql, params, many, context)
        except Exception:
            if waiting:
                waiting.pop()()
            raise

    with connections[DEFAULT_DB_ALIAS].execute_wrapper(wrapper):
        yield
