"""Makes model objects of a query's rows, as unpickling makes them: `from_db` does several times the work for it.

A query for values has rows without a model; they are tuples.
"""

# ruff: noqa: SLF001, ANN401 - Django documents Model._meta; what a model keeps beside its values; any column's value

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.base import ModelState
from django.db.models.sql.compiler import SQLCompiler
from pydantic_core import from_json

M = TypeVar("M", bound=models.Model)
R = TypeVar("R")


class StoredRows(Generic[R]):
    """What a compiled query's rows become: objects with their related ones and their annotations, or tuples."""

    def __init__(self, compiler: SQLCompiler) -> None:
        """Take a compiler that has written its SQL."""
        expressions = [expression for expression, _, _ in compiler.select]
        self._converters = [
            (position, _quick(converter, expression), expression)
            for position, (converters, expression) in compiler.get_converters(expressions).items()
            for converter in converters
        ]
        is_values = compiler.query.has_select_fields
        self._maker: _Maker[Any] | None = None if is_values else _Maker(compiler.klass_info, expressions)
        self._annotations = dict(compiler.annotation_col_map or {})

    def read(self, rows: Iterable[Sequence[Any]], backend: BaseDatabaseWrapper) -> list[R]:
        """What each row is."""
        converted = [self._converted(row, backend) for row in rows]
        maker = self._maker
        made: list[Any] = (
            [tuple(values) for values in converted]
            if maker is None
            else [self._annotated(maker.make(values, backend.alias), values) for values in converted]
        )
        return made

    def _converted(self, row: Sequence[Any], backend: BaseDatabaseWrapper) -> list[Any]:
        values = list(row)
        for position, convert, expression in self._converters:
            if values[position] is not None:
                values[position] = convert(values[position], expression, backend)
        return values

    def _annotated(self, made: models.Model, values: Sequence[Any]) -> models.Model:
        for name, position in self._annotations.items():
            setattr(made, name, values[position])
        return made


class _Maker(Generic[M]):
    """Makes the objects of one model from their part of a row, and those that come along."""

    def __init__(self, info: dict[str, Any], expressions: Sequence[Any]) -> None:
        self._model: type[M] = info["model"]
        positions = info["select_fields"]
        self._part = slice(positions[0], positions[-1] + 1)
        self._names = [expression.target.attname for expression in expressions[self._part]]
        self._key = positions[0] + self._names.index(self._model._meta.pk.attname)
        self._related = [
            (related["local_setter"], related["remote_setter"], _Maker[Any](related, expressions))
            for related in info.get("related_klass_infos", ())
        ]

    def make(self, row: Sequence[Any], alias: str) -> M:
        made = self._model.__new__(self._model)
        made.__dict__.update(zip(self._names, row[self._part], strict=True))
        made._state = ModelState()
        made._state.adding, made._state.db = False, alias
        for set_here, set_there, maker in self._related:
            related = None if row[maker._key] is None else maker.make(row, alias)
            set_here(made, related)
            if related is not None:
                set_there(related, made)
        return made


def _quick(converter: Any, expression: Any) -> Any:
    """The same conversion, at less cost where a column holds JSON."""
    field = expression.output_field
    return _from_json if isinstance(field, models.JSONField) and field.decoder is None else converter


def _from_json(value: str, _expression: Any, _connection: Any) -> Any:
    return from_json(value)
