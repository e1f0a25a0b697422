"""Column builders shared by the models: one spelling for ids, codes, words and times."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import Q

from taskstatus.fields import IdentifierField


def identifier(comment: str, max_length: int = 64, **options: Any) -> "models.CharField[Any, Any]":
    """A column for an id, key or code: compared as bytes."""
    return IdentifierField(max_length=max_length, db_comment=comment, **options)


def public_id(comment: str, **options: Any) -> "models.CharField[Any, Any]":
    """A column for an id that the service made, such as `tsk_0A1_<ULID>` (34 characters)."""
    return identifier(comment, 40, **options)


def word(comment: str, **options: Any) -> "models.CharField[Any, Any]":
    """A column for a member of one of the domain's enumerations."""
    return identifier(comment, 32, **options)


def moment(comment: str, **options: Any) -> "models.DateTimeField[Any, Any]":
    """A column for an instant in UTC, to the microsecond (ruling 30)."""
    return models.DateTimeField(db_comment=comment, **options)


def count(comment: str, **options: Any) -> "models.PositiveBigIntegerField[Any, Any]":
    """A column for a counter, sequence or version: 0 to 2^63-1."""
    return models.PositiveBigIntegerField(db_comment=comment, **options)


def words_only(name: str, column: str, words: Iterable[StrEnum], *, null: bool = False) -> models.CheckConstraint:
    """The constraint that a column holds one of these words (or null, where allowed)."""
    condition = Q(**{f"{column}__in": [w.value for w in words]})
    if null:
        condition |= Q(**{f"{column}__isnull": True})
    return models.CheckConstraint(name=name, condition=condition)
