"""Django's backend for MySQL and MariaDB, without the round trips that it makes around a transaction (ADR 15).

A transaction begins in the packet of its first statement, a connection that was used a moment ago is looked at and not
asked, and the driver reads times as the moments in UTC that they are.
"""

from collections.abc import Callable
from datetime import datetime
from select import POLLIN, poll
from time import monotonic
from typing import Any, Final

from django.db.backends.mysql import base, operations
from django.db.backends.utils import debug_transaction
from MySQLdb.constants import FIELD_TYPE

from taskstatus.config.mysql.cursor import BEGIN, CursorWrapper, Judging

# A server, or what lies on the way to it, may drop a connection without a word; within this time none does.
TRUSTED_SECONDS: Final = 60


def utc_moment(text: str) -> datetime:
    """The moment that a DATETIME holds; every session's zone is UTC (databases.py)."""
    return datetime.fromisoformat(text + "+00:00")


class DatabaseOperations(operations.DatabaseOperations):
    """Django's, for a driver that reads moments in UTC."""

    def get_db_converters(self, expression: Any) -> list[Callable[..., Any]]:  # noqa: ANN401 - Django's own signature
        """What else has to be done to a column's values."""
        is_done = self.convert_datetimefield_value
        return [converter for converter in super().get_db_converters(expression) if converter != is_done]

    def last_executed_query(self, cursor: Any, sql: str, params: Any) -> str:  # noqa: ANN401 - Django's own signature
        """The statement alone, for who watches: the beginning is told apart from it."""
        executed: str | None = super().last_executed_query(cursor, sql, params)
        return (executed or "").removeprefix(f"{BEGIN.decode()};")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to MySQL or MariaDB."""

    ops_class = DatabaseOperations

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._judging = Judging(self)
        self._is_beginning = False
        self._trusted_until = 0.0

    def get_connection_params(self) -> dict[str, Any]:
        """What the driver is told."""
        params: dict[str, Any] = super().get_connection_params()
        moments = {FIELD_TYPE.DATETIME: utc_moment, FIELD_TYPE.TIMESTAMP: utc_moment}
        return params | {"conv": params["conv"] | moments}

    def init_connection_state(self) -> None:
        """Prepare a new connection; what the one before it had begun is lost with it."""
        self._is_beginning = False
        super().init_connection_state()

    def create_cursor(self, name: str | None = None) -> CursorWrapper:  # noqa: ARG002 - Django's own signature
        """A cursor of this connection."""
        return CursorWrapper(self.connection.cursor(), self, self._judging)

    def is_usable(self) -> bool:
        """Whether the connection works. The server is asked where there is reason to doubt it."""
        now = monotonic()
        if now < self._trusted_until and not self.errors_occurred and not self._has_news():
            return True
        usable: bool = super().is_usable()
        self._trusted_until = now + TRUSTED_SECONDS
        return usable

    def take_beginning(self) -> bool:
        """Whether the next statement is a transaction's first; it is so once."""
        is_beginning, self._is_beginning = self._is_beginning, False
        return is_beginning

    def require_rollback(self) -> None:
        """Let nothing more run in a transaction that the server has ended: it would be committed by itself."""
        if self.in_atomic_block:
            self.needs_rollback = True

    def _has_news(self) -> bool:
        """Whether the server has said something unasked: that it ends the connection, or that it has ended it."""
        watch = poll()
        watch.register(self.connection.fileno(), POLLIN)
        return bool(watch.poll(0))

    def _start_transaction_under_autocommit(self) -> None:
        # Django asks for this where it finds it, and no longer switches autocommit off and on.
        with debug_transaction(self, "BEGIN"):
            self._is_beginning = True

    def _commit(self) -> None:
        # After an error Django takes a COMMIT that works for a sign that the connection does.
        if not self.take_beginning() or self.errors_occurred:
            super()._commit()  # type: ignore[misc]

    def _rollback(self) -> None:
        if not self.take_beginning() or self.errors_occurred:
            super()._rollback()  # type: ignore[misc]
