"""Many rows of one table written by one statement, whose text is made once for each number of rows.

Does what bulk_create does for rows that nobody needs the keys of, without making the statement anew for every call,
which costs more than running it (measured, see bench/).
"""

# ruff: noqa: SLF001, ANN401 - Django documents Model._meta; a column's value can be anything

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import connection, models


def insert_rows(rows: Sequence[models.Model]) -> None:
    """Write new rows of one model; what the database numbers is left to it, and not read back."""
    if not rows:
        return
    model = type(rows[0])
    fields = _fields(model)
    limit = connection.features.max_query_params
    size = len(rows) if limit is None else limit // len(fields)
    with connection.cursor() as cursor:
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            values = [_value(field, row) for row in chunk for field in fields]
            cursor.execute(_statement(model, len(chunk), connection.vendor), values)


def _value(field: Any, row: models.Model) -> Any:
    value = getattr(row, field.attname)
    if value is None:
        return None
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    if isinstance(field, models.DateTimeField):
        return connection.ops.adapt_datetimefield_value(value)
    return value


@lru_cache
def _fields(model: type[models.Model]) -> tuple[Any, ...]:
    return tuple(field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField))


@lru_cache(256)
def _statement(model: type[models.Model], number: int, vendor: str) -> str:
    del vendor  # part of the key: it decides how names are quoted
    quote, fields = connection.ops.quote_name, _fields(model)
    columns = ", ".join(quote(field.column) for field in fields)
    places = f"({', '.join(['%s'] * len(fields))})"
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES {', '.join([places] * number)}"  # noqa: S608
