"""Between rows and items: what a row says, as a file would say it, and an item as a row's columns."""

from types import SimpleNamespace
from typing import Any, assert_never

from registries.item import Item
from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusItem, StatusSetItem
from registries.kinds import DefinitionRow
from registries.models import (
    DataSchemaDefinition,
    OperationDefinition,
    StatusDefinition,
    StatusDefinitionSet,
)
from taskstatus.domain.lifecycle import AppliesTo


def data_schema_item(row: DataSchemaDefinition) -> DataSchemaItem:
    """The data schema's content."""
    return DataSchemaItem.model_validate(row, from_attributes=True, by_alias=False, by_name=True)


def operation_item(row: OperationDefinition) -> OperationItem:
    """The operation's content."""
    return OperationItem.model_validate(row, from_attributes=True, by_alias=False, by_name=True)


def status_set_item(row: StatusDefinitionSet) -> StatusSetItem:
    """The set's content, its codes in the order of showing."""
    codes = sorted(row.statuses.all(), key=lambda status: (status.order, status.code, status.applies_to))
    content = SimpleNamespace(
        task_type=row.task_type,
        version=row.version,
        state=row.state,
        task_data_schemas=row.task_data_schemas,
        statuses=codes,
    )
    return StatusSetItem.model_validate(content, from_attributes=True, by_alias=False, by_name=True)


def item_of(row: DefinitionRow) -> DefinitionItem:
    """The content of a row of any kind."""
    match row:
        case DataSchemaDefinition():
            return data_schema_item(row)
        case StatusDefinitionSet():
            return status_set_item(row)
        case OperationDefinition():
            return operation_item(row)
    assert_never(row)


def columns(item: Item) -> dict[str, Any]:
    """The columns that hold the item's content, without its state and without rows of other tables."""
    return item.model_dump(mode="json", exclude={"state", "statuses", "applies_to"})


def status_rows(status_set: StatusDefinitionSet, item: StatusSetItem) -> list[StatusDefinition]:
    """A row, not saved yet, for each of the set's codes."""
    return [_status_row(status_set, status) for status in item.statuses]


def _status_row(status_set: StatusDefinitionSet, status: StatusItem) -> StatusDefinition:
    return StatusDefinition(
        status_set=status_set,
        applies_to_task=AppliesTo.TASK in status.applies_to,
        applies_to_step=AppliesTo.STEP in status.applies_to,
        **columns(status),
    )
