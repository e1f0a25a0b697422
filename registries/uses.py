"""Who needs a data schema: the definitions of its scope that name it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from registries.exchange.stored import read_stored
from registries.items import DefinitionItem, OperationItem, StatusSetItem
from registries.models import DataSchemaDefinition, DefinitionScope


def users_of_schema(schema: DataSchemaDefinition) -> list[str]:
    """The labels of status sets and operations, drafts and retired ones included, that name the schema."""
    items = (stored.item for stored in read_stored(schema.scope).values())
    return sorted(item.label for item in items if schema.name in _named_by(item))


def use_counts(schemas: Sequence[DataSchemaDefinition]) -> list[int]:
    """How many definitions of its scope name each schema; each scope is read once."""
    counts = {scope: _counts(scope) for scope in {schema.scope for schema in schemas}}
    return [counts[schema.scope][schema.name] for schema in schemas]


def _counts(scope: DefinitionScope) -> Counter[str]:
    return Counter(name for stored in read_stored(scope).values() for name in _named_by(stored.item))


def _named_by(item: DefinitionItem) -> Iterable[str]:
    match item:
        case StatusSetItem():
            return item.task_data_schemas
        case OperationItem():
            return {name for names in item.allowed_data_schemas.values() for name in names}
        case _:
            return ()
