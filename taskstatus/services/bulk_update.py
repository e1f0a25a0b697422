"""Many rows of one table changed by one statement, each with its own values.

Django's bulk_update builds a CASE for every column and row, which costs more than all the rest of a batch (measured,
see bench/). Here the new values travel as one JSON parameter that the database reads as a table: MySQL 8, MariaDB
10.6 and SQLite all can, and the text of the statement is the same for any number of rows. A single row does without
that table, which the database would have to make.

On MySQL and MariaDB the statements name the order of the join and the index. Left to itself the optimizer scans a table
that it believes to be small, and a scan locks rows of other tasks: two of them deadlock (tests/services/test_plans.py).
"""

# ruff: noqa: SLF001, ANN401 - Django documents Model._meta; a column's value can be anything

import functools
from collections.abc import Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Field

from taskstatus.queries.packets import Statement
from taskstatus.services.column_values import as_json, spelled, spellings


def update(
    rows: Sequence[models.Model], columns: tuple[str, ...], guard: str, guards: Sequence[int | str]
) -> Statement | None:
    """What writes these columns of the rows, each only while its `guard` column still has the value in `guards`.

    It matches as many rows as it is given, unless one of them changed under us. None where there are no rows.
    """
    if not rows:
        return None
    model = type(rows[0])
    written = spellings(model, columns)
    values = [[row.pk, expected, *spelled(row, written)] for row, expected in zip(rows, guards, strict=True)]
    is_one = len(rows) == 1
    sql = _statement(model, columns, guard, connection.vendor, is_one=is_one)
    return Statement(sql, [*values[0][2:], *values[0][:2]] if is_one else [as_json(values)])


def deletion(model: type[models.Model], keys: Sequence[str]) -> Statement | None:
    """What deletes the rows with these primary keys, touching no other; keys that are absent are passed over."""
    if not keys:
        return None
    return Statement(_delete_statement(model, connection.vendor), [as_json([[key] for key in keys])])


def by_key(table: str, key: Any, columns: tuple[Any, ...]) -> str:
    """The JSON parameter's rows `j` with these columns, each joined to its row `t` of the table by the key c0."""
    declared = ", ".join(
        f"c{position} {_json_table_type(field)} PATH '$[{position}]' ERROR ON ERROR"
        for position, field in enumerate(columns)
    )
    return (
        f"JSON_TABLE(%s, '$[*]' COLUMNS ({declared})) j "
        f"STRAIGHT_JOIN `{table}` t FORCE INDEX (PRIMARY) ON t.`{key.column}` = j.c0"
    )


@functools.cache
def _delete_statement(model: type[models.Model], vendor: str) -> str:
    table = model._meta.db_table
    key: Any = model._meta.pk
    if vendor == "sqlite":
        chosen = "SELECT json_extract(value, '$[0]') FROM json_each(%s)"
        return f'DELETE FROM "{table}" WHERE "{key.column}" IN ({chosen})'  # noqa: S608 - names are the models'
    return f"DELETE t FROM {by_key(table, key, (key,))}"


def _fields(model: type[models.Model], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(model._meta.get_field(name) for name in names)


@functools.lru_cache(1024)
def _statement(model: type[models.Model], columns: tuple[str, ...], guard: str, vendor: str, *, is_one: bool) -> str:
    build_many = _sqlite_statement if vendor == "sqlite" else _mysql_statement
    build = _one_row_statement if is_one else build_many
    meta = model._meta
    key, guard_field = meta.pk, meta.get_field(guard)
    fields = _fields(model, columns)
    return build(meta.db_table, key, guard_field, fields)


def _one_row_statement(table: str, key: Any, guard: Any, fields: tuple[Any, ...]) -> str:
    quote = connection.ops.quote_name
    changes = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    where = f"{quote(key.column)} = %s AND {quote(guard.column)} = %s"
    return f"UPDATE {quote(table)} SET {changes} WHERE {where}"  # noqa: S608 - names are the models'


def _mysql_statement(table: str, key: Any, guard: Any, fields: tuple[Any, ...]) -> str:
    rows = by_key(table, key, (key, guard, *fields))
    changes = ", ".join(f"t.`{field.column}` = j.c{position}" for position, field in enumerate(fields, 2))
    return f"UPDATE {rows} AND t.`{guard.column}` = j.c1 SET {changes}"  # noqa: S608 - names are the models'


def _json_table_type(field: Any) -> str:
    field = field.target_field if isinstance(field, models.ForeignKey) else field
    if isinstance(field, models.DateTimeField):
        return "DATETIME(6)"
    if isinstance(field, models.BooleanField | models.IntegerField):
        return "BIGINT"
    if isinstance(field, models.JSONField | models.TextField):
        return "LONGTEXT CHARACTER SET utf8mb4"
    # One more than the column has: JSON_TABLE cuts what is too long without a word on MariaDB, the column refuses it.
    return f"VARCHAR({field.max_length + 1}) CHARACTER SET utf8mb4{_collation(field)}"


def _collation(field: "Field[Any, Any]") -> str:
    collation = field.db_parameters(connection).get("collation")
    return f" COLLATE {collation}" if collation else ""


def _sqlite_statement(table: str, key: Any, guard: Any, fields: tuple[Any, ...]) -> str:
    extracted = ", ".join(f"json_extract(value, '$[{position}]') AS c{position}" for position in range(len(fields) + 2))
    changes = ", ".join(f'"{field.column}" = j.c{position}' for position, field in enumerate(fields, 2))
    return (
        f'UPDATE "{table}" SET {changes} FROM (SELECT {extracted} FROM json_each(%s)) AS j '  # noqa: S608
        f'WHERE "{table}"."{key.column}" = j.c0 AND "{table}"."{guard.column}" = j.c1'
    )
