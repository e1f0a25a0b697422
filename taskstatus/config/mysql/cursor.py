"""The cursor of the database backend for MySQL and MariaDB: it begins transactions (ADR 15)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import MySQLdb as Database
from django.db import IntegrityError
from django.db.backends.mysql import base
from MySQLdb.constants import ER

Arguments = Sequence[Any] | Mapping[str, Any]

BEGIN: Final = b"START TRANSACTION"
# The server has ended the transaction, or may have (innodb_rollback_on_timeout, innodb_snapshot_isolation).
_ENDED_BY_SERVER: Final = frozenset({ER.LOCK_DEADLOCK, ER.LOCK_WAIT_TIMEOUT, ER.LOCK_TABLE_FULL, ER.CHECKREAD})


class Transaction(Protocol):
    """What a cursor has to know of its connection's transaction."""

    def take_beginning(self) -> bool:
        """Whether the next statement is its first; it is so once."""

    def require_rollback(self) -> None:
        """Let nothing more run in it."""


class Judging:
    """Looks at what the driver raises, as Django's cursor does, and at what has ended the transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raise an IntegrityError for what is one."""
        if not isinstance(error, Database.OperationalError):
            return
        number = error.args[0]
        if number in CursorWrapper.codes_for_integrityerror:
            raise IntegrityError(*error.args) from error
        if number in _ENDED_BY_SERVER:
            self._transaction.require_rollback()


class CursorWrapper(base.CursorWrapper):
    """A cursor that begins its connection's transaction together with the first statement."""

    def __init__(self, cursor: Any, transaction: Transaction, judging: Judging) -> None:  # noqa: ANN401 - untyped driver
        super().__init__(cursor)
        self._transaction = transaction
        self._judging = judging
        # Asked for at every statement of a packet; Django's class finds it by a detour each time.
        self.fetchall = cursor.fetchall

    @property
    def description(self) -> Any:  # noqa: ANN401 - the driver has no types
        """The columns of the rows, if there are any."""
        return self.cursor.description

    @property
    def rowcount(self) -> int:
        """How many rows the statement gave or matched."""
        return int(self.cursor.rowcount)

    def execute(self, query: str, args: Arguments | None = None) -> int:
        """Run the statement; returns the number of its rows."""
        # What can't be filled in is never sent, and begins nothing.
        statement = self._filled(query, args)
        begins = self._transaction.take_beginning()
        with self._judging:
            self.cursor.execute(BEGIN + b";" + statement if begins else statement)
            if begins:
                self.cursor.nextset()
        return self.rowcount

    def executemany(self, query: str, args: Any) -> int | None:  # noqa: ANN401 - Django's own signature
        """Run the statement with each of the argument lists."""
        with self._judging:
            self._begin()
            rows: int | None = self.cursor.executemany(query, args)
        return rows

    def callproc(self, procname: str, args: Sequence[Any] = ()) -> Any:  # noqa: ANN401 - Django's own signature
        """Call the stored procedure; returns the arguments."""
        with self._judging:
            self._begin()
            return self.cursor.callproc(procname, args)

    def nextset(self) -> int | None:
        """Go on to the next statement of a packet; raises what it failed with."""
        with self._judging:
            there_is: int | None = self.cursor.nextset()
        return there_is

    def _begin(self) -> None:
        """Begin the transaction by itself, before what the driver sends in packets of its own."""
        if self._transaction.take_beginning():
            self.cursor.execute(BEGIN)

    def _filled(self, query: str, args: Arguments | None) -> bytes:
        """The statement with its arguments in it, as the driver fills them in, at half of what that takes it."""
        if args is None:
            return query.encode()
        quoted, other = self.cursor.connection.string_literal, self.cursor.connection.literal
        literals: Any
        if isinstance(args, Mapping):
            literals = {name.encode(): other(value) for name, value in args.items()}
        else:
            literals = tuple(
                quoted(value.encode())
                if type(value) is str
                else b"NULL"
                if value is None
                else b"%d" % value
                if type(value) is int
                else other(value)
                for value in args
            )
        try:
            statement: bytes = query.encode() % literals
        except TypeError as error:
            raise Database.ProgrammingError(str(error)) from error
        return statement
