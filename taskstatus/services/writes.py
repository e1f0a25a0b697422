"""The writes of a use case, gathered and sent together (queries/packets.py)."""

from collections.abc import Sequence
from typing import Any

from django.db import models

from taskstatus.queries.packets import Answer, Statement, send
from taskstatus.services.bulk_insert import insertions
from taskstatus.services.bulk_update import deletion, update
from taskstatus.services.unit_of_work import ConcurrentChangeError


class Writes:
    """Statements in the order in which they run; nothing is written before `send`."""

    def __init__(self) -> None:
        self._statements: list[Statement] = []
        self._guarded: dict[int, tuple[str, int]] = {}

    def insert(self, rows: Sequence[models.Model]) -> None:
        """Write new rows of one model."""
        self._statements += insertions(rows)

    def update(self, rows: Sequence[models.Model], columns: tuple[str, ...], guard: str, guards: Sequence[int]) -> None:
        """Write these columns of the rows, each only while its `guard` column still has the value in `guards`."""
        statement = update(rows, columns, guard, guards)
        if statement is not None:
            self._guarded[len(self._statements)] = type(rows[0])._meta.db_table, len(rows)  # noqa: SLF001
            self._statements.append(statement)

    def delete(self, model: type[models.Model], keys: Sequence[str]) -> None:
        """Delete the rows with these primary keys, those that there are."""
        statement = deletion(model, keys)
        if statement is not None:
            self._statements.append(statement)

    def execute(self, sql: str, values: Sequence[Any]) -> None:
        """Run a statement of somebody else's."""
        self._statements.append(Statement(sql, values))

    def send(self) -> None:
        """Run all of them.

        Raises ConcurrentChangeError if any guarded row changed under us; under the locks that callers hold, none does.
        """
        statements, self._statements = self._statements, []
        guarded, self._guarded = self._guarded, {}
        answers: list[Answer] = send(statements)
        for place, (table, rows) in guarded.items():
            if answers[place].count != rows:
                raise ConcurrentChangeError(f"{answers[place].count} of {rows} rows of {table} matched")
