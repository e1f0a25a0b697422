"""What was done to definitions, newest first, and what each change changed (acceptance G06)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from registries.differences import Difference, differences
from registries.exchange.plan import Change
from registries.kinds import DefinitionRow, item_kind
from registries.models import DefinitionChange, DefinitionScope

MOST_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class PastChange:
    """One change and what it changed; of a new or a deleted definition everything."""

    change: DefinitionChange
    differences: tuple[Difference, ...]


def history_of(row: DefinitionRow, most: int = MOST_SHOWN) -> Sequence[PastChange]:
    """The latest changes of one definition, newest first, in one query."""
    found = list(_changes(row)[: most + 1])
    pairs = zip(found, [*found[1:], None], strict=True)
    return [PastChange(change, _changed(change, before)) for change, before in pairs][:most]


def past_change(change: DefinitionChange) -> PastChange:
    """One change by itself, beside the one before it."""
    earlier = DefinitionChange.objects.filter(kind=change.kind, definition_id=change.definition_id, pk__lt=change.pk)
    return PastChange(change, _changed(change, earlier.order_by("-id").first()))


def history_of_scope(scope: DefinitionScope, most: int = MOST_SHOWN) -> Sequence[DefinitionChange]:
    """The latest changes in a scope, newest first, those of deleted definitions included."""
    return list(DefinitionChange.objects.filter(scope=scope).order_by("-id")[:most])


def last_change(row: DefinitionRow) -> DefinitionChange | None:
    """The latest change of the definition; none of one that is older than the history."""
    return _changes(row).first()


def _changed(change: DefinitionChange, before: DefinitionChange | None) -> tuple[Difference, ...]:
    after = None if change.action == Change.DELETED else change.content
    return differences(before.content if before else None, after)


def _changes(row: DefinitionRow) -> QuerySet[DefinitionChange]:
    kind = item_kind(row)
    return DefinitionChange.objects.filter(kind=kind, definition_id=row.pk).order_by("-id")
