"""How the database means to carry out the statements that the service sends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

EXPLAINABLE = ("SELECT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Statement:
    """A statement as it was sent."""

    sql: str
    params: Any

    def plan(self) -> list[dict[str, Any]]:
        """What EXPLAIN says, a row for each table: its columns in lower case (MySQL, MariaDB)."""
        traditional = "" if getattr(connection, "mysql_is_mariadb", False) else "FORMAT=TRADITIONAL "
        return self._explained(f"EXPLAIN {traditional}")

    def access(self, table: str) -> dict[str, Any]:
        """The plan's row for a table, by its name or the name that the statement gives it."""
        return next(row for row in self.plan() if row["table"] == table)

    def scanned(self) -> list[str]:
        """The tables that are read whole; rows that the statement itself brings as JSON are no table."""
        if connection.vendor == "sqlite":
            details = [row["detail"] for row in self._explained("EXPLAIN QUERY PLAN ")]
            return [detail for detail in details if detail.startswith("SCAN") and "json_each" not in detail]
        rows = [row for row in self.plan() if "json_table" not in (row["extra"] or "")]
        return [row["table"] for row in rows if row["type"] in {"ALL", "index"}]

    def _explained(self, explain: str) -> list[dict[str, Any]]:
        with connection.cursor() as cursor:
            cursor.execute(explain + self.sql, self.params)
            names = [column[0].lower() for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def capturing() -> Iterator[list[Statement]]:
    """Collect what this connection is asked in the block and can be explained."""
    statements: list[Statement] = []

    def wrapper(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(EXPLAINABLE):
            statements.append(Statement(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(wrapper):
        yield statements


def analyze(*tables: str) -> None:
    """Let the optimizer know what the tables hold; SQLite plans without knowing, as it does in service."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE TABLE {', '.join(tables)}")
        cursor.fetchall()
