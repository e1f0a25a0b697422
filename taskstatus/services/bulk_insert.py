"""Many rows of one table written by one statement, whose text is made once.

Does what bulk_create does for rows that nobody needs the keys of, without making the statement anew for every call,
which costs more than running it (measured, see bench/).
"""

# ruff: noqa: SLF001 - Django documents Model._meta

from collections.abc import Iterator, Sequence
from functools import lru_cache

from django.db import connection, models

from taskstatus.queries.packets import Statement
from taskstatus.services.column_values import Spelling, spelled, spellings


def insertions(rows: Sequence[models.Model]) -> Iterator[Statement]:
    """What writes new rows of one model; what the database numbers is left to it, and not read back."""
    if not rows:
        return
    model = type(rows[0])
    columns = spellings(model, _filled(model, rows))
    limit = connection.features.max_query_params
    size = len(rows) if limit is None else limit // len(columns)
    beginning, places = _parts(model, columns, connection.vendor)
    for start in range(0, len(rows), size):
        chunk = rows[start : start + size]
        values = [value for row in chunk for value in spelled(row, columns)]
        yield Statement(beginning + ", ".join([places] * len(chunk)), values)


def _filled(model: type[models.Model], rows: Sequence[models.Model]) -> tuple[str, ...]:
    """The columns that are not null in all of the rows: what no row fills, the database leaves null."""
    held = [row.__dict__ for row in rows]
    return tuple(
        name
        for name, is_optional in _columns(model)
        if not is_optional or any(values[name] is not None for values in held)
    )


@lru_cache
def _columns(model: type[models.Model]) -> tuple[tuple[str, bool], ...]:
    """The attributes of the columns that are written, and which of them may be left out where they are null."""
    fields = (field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField))
    return tuple((field.attname, field.null and not field.has_db_default()) for field in fields)


@lru_cache(256)
def _parts(model: type[models.Model], columns: tuple[Spelling, ...], vendor: str) -> tuple[str, str]:
    """The statement up to its rows, and the places of one row's values."""
    del vendor  # part of the key: it decides how names are quoted
    quote = connection.ops.quote_name
    column_of = {field.attname: str(field.column) for field in model._meta.concrete_fields}
    names = ", ".join(quote(column_of[attribute]) for attribute, _ in columns)
    places = f"({', '.join(['%s'] * len(columns))})"
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ", places  # noqa: S608 - names are the models'
