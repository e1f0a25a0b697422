"""The three kinds of definition: their tables and their contents."""

from typing import Final

from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusSetItem
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinitionSet

DefinitionRow = DataSchemaDefinition | StatusDefinitionSet | OperationDefinition

ITEM_OF: Final[dict[type[DefinitionRow], type[DefinitionItem]]] = {
    DataSchemaDefinition: DataSchemaItem,
    StatusDefinitionSet: StatusSetItem,
    OperationDefinition: OperationItem,
}
ROW_OF: Final[dict[type[DefinitionItem], type[DefinitionRow]]] = {item: row for row, item in ITEM_OF.items()}


def item_kind(row: DefinitionRow) -> str:
    """What a row's kind is called."""
    return next(item.kind for kind, item in ITEM_OF.items() if isinstance(row, kind))
