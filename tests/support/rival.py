"""A second connection that stands in the service's way, and moments of the service's own to act at."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections

T = TypeVar("T")

WAIT_SECONDS = 60


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


def begin(pool: ThreadPoolExecutor, act: Callable[[], T]) -> "Future[T]":
    """Let something begin in another thread, on a connection of its own."""

    def acting() -> T:
        try:
            return act()
        finally:
            connections.close_all()

    return pool.submit(acting)


def meanwhile(pool: ThreadPoolExecutor, act: Callable[[], T]) -> T:
    """Let something happen in another thread, on a connection of its own, and wait until it is done."""
    return begin(pool, act).result(WAIT_SECONDS)


def others_at(words: str) -> int:
    """How many other connections to this test's database are at a statement with these words.

    What InnoDB itself tells of waiting transactions stays what it was while somebody asks for it all the time.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT COUNT(*) FROM information_schema.processlist"
            " WHERE db = DATABASE() AND command = 'Query' AND id <> CONNECTION_ID() AND info LIKE %s",
            [f"%{words}%"],
        )
        return int(cursor.fetchone()[0])
