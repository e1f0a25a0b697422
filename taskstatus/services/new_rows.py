"""Rows that every report leaves behind, made as reading makes them: `Model.__init__` takes several times as long."""

# ruff: noqa: SLF001 - Django documents Model._meta; what a model keeps beside its values; any column's value

from functools import lru_cache
from typing import Any, TypeVar

from django.db import models
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)


def new_row(model: type[M], **columns: Any) -> M:
    """The same as `model(**columns)`, with columns by the names of their attributes."""
    row = model.__new__(model)
    untouched = _untouched(model)
    row.__dict__ |= untouched | columns
    if len(row.__dict__) != len(untouched):
        raise TypeError(f"{model.__name__} has no {sorted(columns.keys() - untouched.keys())}")
    row._state = ModelState()
    return row


@lru_cache
def _untouched(model: type[models.Model]) -> dict[str, Any]:
    """What a row holds before anything is set."""
    fields = model._meta.concrete_fields
    if any(field.has_default() and callable(field.default) for field in fields):
        raise TypeError(f"{model.__name__} has a default that is made anew for each row")
    row = model()
    return {field.attname: getattr(row, field.attname) for field in fields}
