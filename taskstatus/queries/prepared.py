"""Queries of one shape, compiled once: the ORM writes their SQL, and every call fills in other ids.

Making the SQL of a wide table's query costs several times what running it costs (measured, see bench/).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet

from taskstatus.queries.packets import Answer, Statement, send
from taskstatus.queries.stored_rows import StoredRows

R = TypeVar("R")

# Of one query: lengths are rounded up, so a few dozen shapes are all that ever come.
_MAX_SHAPES = 128


class Prepared(Generic[R]):
    """A query for rows by lists of ids, each standing in one `IN (…)`: objects, or the tuples of `values_list`."""

    def __init__(self, build: Callable[..., QuerySet[Any, R]]) -> None:
        """`build` makes the query of as many lists of ids; which ids they hold must not change its shape."""
        self._shape = lru_cache(_MAX_SHAPES)(lambda _vendor, lengths: _Shape(build, lengths))

    def rows(self, *ids: Sequence[str]) -> list[R]:
        """The rows for these ids; the first list, where there is one, must not be empty."""
        question = self.ask(*ids)
        (answer,) = send([question.statement])
        return question.read(answer)

    def ask(self, *ids: Sequence[str]) -> "Question[R]":
        """The same as a question that is yet to be sent, alone or together with others."""
        lists = [_padded(part) for part in ids]
        shape: _Shape[R] = self._shape(connection.vendor, tuple(map(len, lists)))
        return Question(shape, [item for part in lists for item in part])


class Question(Generic[R]):
    """A prepared query with its ids filled in."""

    def __init__(self, shape: "_Shape[R]", ids: Sequence[str]) -> None:
        self._shape = shape
        self.statement = shape.statement(ids)

    def read(self, answer: Answer) -> list[R]:
        """What the rows of the statement's answer are to the caller."""
        return self._shape.rows(answer)


class _Shape(Generic[R]):
    """The SQL for lists of certain lengths, and what is made of its rows."""

    def __init__(self, build: Callable[..., QuerySet[Any, R]], lengths: Sequence[int]) -> None:
        places = iter(range(sum(lengths)))
        lists = [[f"?{next(places)}" for _ in range(length)] for length in lengths]
        compiler = build(*lists).query.get_compiler(connection=connection)
        self._sql, parameters = compiler.as_sql()
        place_of = {name: place for place, name in enumerate(name for part in lists for name in part)}
        self._parameters = [(place_of.get(value), value) for value in parameters]
        self._rows: StoredRows[R] = StoredRows(compiler)

    def statement(self, ids: Sequence[str]) -> Statement:
        """The query for these ids."""
        return Statement(self._sql, [value if place is None else ids[place] for place, value in self._parameters])

    def rows(self, answer: Answer) -> list[R]:
        """Its rows, each as an object or a tuple."""
        return self._rows.read(answer.rows, connections[DEFAULT_DB_ALIAS])


def _padded(ids: Sequence[str]) -> list[str]:
    """The ids with the last one repeated up to a power of two: few lengths, few shapes, the same rows."""
    items = list(ids)
    missing = (1 << (len(items) - 1).bit_length()) - len(items) if items else 0
    return items + items[-1:] * missing
