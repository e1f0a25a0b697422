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
    """Write what the step changes, which is something."""
    row = step.stored.row if step.stored else _ROW_OF[type(step.item)](scope=scope)
    is_new_content = step.change is not Change.RETIRED
    if is_new_content:
        _fill(row, step.item)
    _enter_state(row, step.item.state, now)
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
