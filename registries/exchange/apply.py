"""Carrying out one step of a plan, with the scope locked."""

from datetime import datetime

from registries.exchange.plan import Change, Step
from registries.exchange.rows import columns, status_rows
from registries.exchange.stored import DefinitionRow
from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusSetItem
from registries.models import (
    DataSchemaDefinition,
    DefinitionScope,
    OperationDefinition,
    StatusDefinition,
    StatusDefinitionSet,
)
from registries.states import State

_ROW_OF: dict[type[DefinitionItem], type[DefinitionRow]] = {
    DataSchemaItem: DataSchemaDefinition,
    StatusSetItem: StatusDefinitionSet,
    OperationItem: OperationDefinition,
}


def apply_step(scope: DefinitionScope, step: Step, now: datetime) -> None:
    """Write what the step changes; a step without a change writes nothing."""
    if step.change is Change.UNCHANGED:
        return
    row = step.stored.row if step.stored else _ROW_OF[type(step.item)](scope=scope)
    if step.change is not Change.RETIRED:
        _fill(row, step.item)
    _enter_state(row, step.item.state, now)
    row.save()
    if isinstance(row, StatusDefinitionSet) and isinstance(step.item, StatusSetItem):
        _replace_codes(row, step)


def _fill(row: DefinitionRow, item: DefinitionItem) -> None:
    for column, value in columns(item).items():
        setattr(row, column, value)


def _enter_state(row: DefinitionRow, state: State, now: datetime) -> None:
    row.state = state
    if state is not State.DRAFT:
        row.published_at = row.published_at or now
    if state is State.RETIRED:
        row.retired_at = now


def _replace_codes(row: StatusDefinitionSet, step: Step) -> None:
    """A published set's codes are never touched again; a draft's are written anew."""
    if step.change is Change.RETIRED or not isinstance(step.item, StatusSetItem):
        return
    if step.stored:
        row.statuses.all().delete()
    StatusDefinition.objects.bulk_create(status_rows(row, step.item))
