"""What every kind of definition has: a scope, a state, and when the state was reached."""

from enum import StrEnum

from django.db import models
from django.db.models import Q

from registries.models.scope import DefinitionScope
from registries.states import State
from taskstatus.fields import IdentifierField

STATE_CHOICES = [(state.value, state.value) for state in State]


class Definition(models.Model):
    """A versioned row of a scope. Published ones are never edited, only retired (rulings 41, 42)."""

    scope = models.ForeignKey(
        DefinitionScope, on_delete=models.PROTECT, related_name="+", db_comment="Tenant and authority scope"
    )
    state = IdentifierField(
        max_length=16,
        choices=STATE_CHOICES,
        default=State.DRAFT.value,
        db_comment="draft, published or retired",
    )
    created_at = models.DateTimeField(auto_now_add=True, db_comment="When the row was made")
    published_at = models.DateTimeField(null=True, db_comment="When it was frozen; null for a draft")
    retired_at = models.DateTimeField(null=True, db_comment="Since when nothing new binds to it")

    class Meta:
        abstract = True


def one_of(column: str, words: type[StrEnum], name: str) -> models.CheckConstraint:
    """The constraint that a column holds a word of that enumeration."""
    return models.CheckConstraint(condition=Q(**{f"{column}__in": [word.value for word in words]}), name=name)


def state_has_its_times(name: str) -> models.CheckConstraint:
    """The constraint that a definition says when it reached its state, and no more than that."""
    draft = Q(state=State.DRAFT.value, published_at=None, retired_at=None)
    published = Q(state=State.PUBLISHED.value, published_at__isnull=False, retired_at=None)
    retired = Q(state=State.RETIRED.value, published_at__isnull=False, retired_at__isnull=False)
    return models.CheckConstraint(condition=draft | published | retired, name=name)
