"""Queries of one shape, compiled once: the ORM writes their SQL, and every call fills in other ids.

Making the SQL of a wide table's query costs several times what running it costs (measured, see bench/).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet
from django.db.models.base import ModelState
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)

# Of one query: lengths are rounded up, so a few dozen shapes are all that ever come.
_MAX_SHAPES = 128


class Prepared(Generic[M]):
    """A query for rows by lists of ids, each standing in one `IN (…)`."""

    def __init__(self, build: Callable[..., QuerySet[M, M]]) -> None:
        """`build` makes the query of as many lists of ids; which ids they hold must not change its shape."""
        self._shape = lru_cache(_MAX_SHAPES)(lambda _vendor, lengths: _Shape(build, lengths))

    def rows(self, *ids: Sequence[str]) -> list[M]:
        """The rows for these ids; the first list must not be empty."""
        lists = [_padded(part) for part in ids]
        shape: _Shape[M] = self._shape(connection.vendor, tuple(map(len, lists)))
        return shape.run([item for part in lists for item in part])


class _Shape(Generic[M]):
    """The SQL for lists of certain lengths, and what makes objects of its rows."""

    def __init__(self, build: Callable[..., QuerySet[M, M]], lengths: Sequence[int]) -> None:
        places = iter(range(sum(lengths)))
        lists = [[f"?{next(places)}" for _ in range(length)] for length in lengths]
        compiler = build(*lists).query.get_compiler(connection=connection)
        self._sql, parameters = compiler.as_sql()
        place_of = {name: place for place, name in enumerate(name for part in lists for name in part)}
        self._parameters = [(place_of.get(value), value) for value in parameters]
        expressions = [expression for expression, _, _ in compiler.select]
        self._converters = [
            (position, converter, expression)
            for position, (converters, expression) in compiler.get_converters(expressions).items()
            for converter in converters
        ]
        self._model: type[M] = compiler.klass_info["model"]
        positions = compiler.klass_info["select_fields"]
        self._own = slice(positions[0], positions[-1] + 1)
        self._names = [expression.target.attname for expression in expressions[self._own]]
        # The stubs know a later version's signature.
        self._related = get_related_populators(  # type: ignore[call-arg]
            compiler.klass_info, compiler.select, connection.alias
        )
        self._annotations = dict(compiler.annotation_col_map)

    def run(self, ids: Sequence[str]) -> list[M]:
        """Ask the database and make the objects."""
        backend = connections[DEFAULT_DB_ALIAS]
        with backend.cursor() as cursor:
            cursor.execute(self._sql, [value if place is None else ids[place] for place, value in self._parameters])
            return [self._object(list(row), backend) for row in cursor.fetchall()]

    def _object(self, row: list[Any], backend: BaseDatabaseWrapper) -> M:
        for position, convert, expression in self._converters:
            if row[position] is not None:
                row[position] = convert(row[position], expression, backend)
        made = self._stored(row[self._own], backend.alias)
        for related in self._related:
            related.populate(row, made)
        for name, position in self._annotations.items():
            setattr(made, name, row[position])
        return made

    def _stored(self, values: Sequence[Any], alias: str) -> M:
        """An object of stored values, made as unpickling makes one: `from_db` does several times the work for it."""
        made = self._model.__new__(self._model)
        made.__dict__.update(zip(self._names, values, strict=True))
        made._state = ModelState()  # noqa: SLF001 - what a model keeps beside its values
        made._state.adding, made._state.db = False, alias  # noqa: SLF001
        return made


def _padded(ids: Sequence[str]) -> list[str]:
    """The ids with the last one repeated up to a power of two: few lengths, few shapes, the same rows."""
    items = list(ids)
    missing = (1 << (len(items) - 1).bit_length()) - len(items) if items else 0
    return items + items[-1:] * missing
