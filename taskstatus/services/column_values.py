"""Values of rows as statements take them: plain text and numbers, spelled alike by inserts and updates."""

# ruff: noqa: SLF001, ANN401 - Django documents Model._meta; a column's value can be anything

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from django.db import models
from pydantic_core import to_json

Spelling = tuple[str, Callable[[Any], Any] | None]


@lru_cache(1024)
def spellings(model: type[models.Model], names: tuple[str, ...]) -> tuple[Spelling, ...]:
    """For each named field its attribute, and what spells a value of it that is not null; None where nothing has to."""
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    return tuple((field.attname, _spelling(field)) for field in fields)


def spelled(row: models.Model, columns: tuple[Spelling, ...]) -> list[Any]:
    """The row's values of these columns."""
    held = row.__dict__
    return [
        value if spell is None or value is None else spell(value)
        for value, spell in ((held[name], spell) for name, spell in columns)
    ]


def set_columns(row: models.Model, columns: Mapping[str, Any]) -> None:
    """Set columns of a row, the domain's words as the plain text that the database would give back.

    Encoding a member of an enumeration takes longer than encoding a whole step (bench/).
    """
    for name, value in columns.items():
        setattr(row, name, str(value) if isinstance(value, StrEnum) else value)


def as_json(value: Any) -> str:
    """The value as compact JSON text."""
    return to_json(value).decode()


def _spelling(field: Any) -> Callable[[Any], Any] | None:
    if isinstance(field, models.JSONField):
        return as_json
    if isinstance(field, models.DateTimeField):
        return utc_text
    if isinstance(field, models.BooleanField):
        return int
    return None


# One transaction writes the same few moments again and again.
@lru_cache(256)
def utc_text(moment: datetime) -> str:
    """The moment as both servers and SQLite keep it: UTC, without an offset."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
