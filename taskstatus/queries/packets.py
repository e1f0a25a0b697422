"""Statements sent together, in the order given: one round trip where the database takes several at once.

A round trip costs about as much as the statement that it carries (measured, see bench/). MySQL and MariaDB run the
statements of a packet one after the other and stop at the first that fails; SQLite has no round trips to save.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

# Well below the smallest default packet limit of the supported servers (16 MiB), however the values are escaped.
MAX_CHARACTERS: Final = 1_000_000


class Statement(NamedTuple):
    """SQL with `%s` for each of its values."""

    sql: str
    values: Sequence[Any]


@dataclass(slots=True)
class Answer:
    """The rows that a statement gave, and how many it gave or matched."""

    rows: Sequence[tuple[Any, ...]]
    count: int


def send(statements: Sequence[Statement]) -> list[Answer]:
    """Run the statements in this order and return an answer to each; raises the error of the first that fails."""
    if not statements:
        return []
    backend = connections[DEFAULT_DB_ALIAS]
    with backend.cursor() as cursor:
        return [answer for packet in _packets(statements, backend) for answer in _answers(cursor, packet)]


def _packets(statements: Sequence[Statement], backend: BaseDatabaseWrapper) -> Iterator[list[Statement]]:
    """The statements in as few packets as may be: one each where they can't be joined, or somebody watches them."""
    if backend.vendor != "mysql" or backend.queries_logged or backend.execute_wrappers:
        yield from ([statement] for statement in statements)
        return
    packet: list[Statement] = []
    size = 0
    for statement in statements:
        length = len(statement.sql) + sum(len(value) for value in statement.values if type(value) is str)
        if packet and size + length > MAX_CHARACTERS:
            yield packet
            packet, size = [], 0
        packet.append(statement)
        size += length
    yield packet


def _answers(cursor: CursorWrapper, packet: Sequence[Statement]) -> Iterator[Answer]:
    cursor.execute(
        ";".join(statement.sql for statement in packet), [value for statement in packet for value in statement.values]
    )
    # Django's own cursor would look up and wrap each of these attributes anew, at every statement.
    backends: Any = cursor.cursor
    with cursor.db.wrap_database_errors:
        for number in range(len(packet)):
            if number:
                backends.nextset()
            yield Answer(backends.fetchall() if backends.description else (), backends.rowcount)
