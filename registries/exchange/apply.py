"""Carrying out one step of a plan, with the scope locked, and keeping its history."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from registries.actors import Actor
from registries.exchange.plan import Change, Step
from registries.exchange.rows import columns, status_rows
from registries.items import DefinitionItem, StatusSetItem
from registries.kinds import ROW_OF, DefinitionRow
from registries.models import DefinitionChange, DefinitionScope, StatusDefinition, StatusDefinitionSet
from registries.states import State

_WITHOUT_NEW_CONTENT = frozenset({Change.RETIRED, Change.DELETED})


class Source(StrEnum):
    """By which way a change came."""

    EDITOR = "editor"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Signature:
    """Who makes a change, by which way, and when."""

    actor: Actor
    source: Source
    now: datetime


def apply_step(scope: DefinitionScope, step: Step, by: Signature) -> DefinitionRow:
    """Write what the step changes, which is something, and who did it; the row that it concerned."""
    row = step.stored.row if step.stored else ROW_OF[type(step.item)](scope=scope)
    if step.change is Change.DELETED:
        _note(scope, step, row.pk, by)
        row.delete()
        return row
    _write(row, step, by.now)
    _note(scope, step, row.pk, by)
    return row


def _write(row: DefinitionRow, step: Step, now: datetime) -> None:
    is_new_content = step.change not in _WITHOUT_NEW_CONTENT
    if is_new_content:
        _fill(row, step.item)
    _enter_state(row, step.state, now)
    row.save()
    if is_new_content and isinstance(row, StatusDefinitionSet) and isinstance(step.item, StatusSetItem):
        _replace_codes(row, step.item)


def _fill(row: DefinitionRow, item: DefinitionItem) -> None:
    for column, value in columns(item).items():
        setattr(row, column, value)


def _enter_state(row: DefinitionRow, state: State, now: datetime) -> None:
    row.state = state
    if state is not State.DRAFT:
        row.published_at = row.published_at or now
    if state is State.RETIRED:
        row.retired_at = now


def _replace_codes(row: StatusDefinitionSet, item: StatusSetItem) -> None:
    """Only of a set that is new, or was a draft until now: published codes are never touched again."""
    row.statuses.all().delete()
    StatusDefinition.objects.bulk_create(status_rows(row, item))


def _note(scope: DefinitionScope, step: Step, definition_id: int, by: Signature) -> None:
    DefinitionChange.objects.create(
        scope=scope,
        kind=step.item.kind,
        definition_id=definition_id,
        name=step.item.label,
        action=step.change,
        source=by.source,
        actor=by.actor.name,
        changed_at=by.now,
        state=step.state,
        digest_before=step.stored.item.digest() if step.stored else None,
        digest_after=None if step.change is Change.DELETED else step.item.digest(),
        content=step.item.spelled(),
    )
