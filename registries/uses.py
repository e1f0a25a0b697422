"""How much a data schema is needed: by the definitions of its scope that name it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from registries.exchange.stored import read_stored
from registries.items import DefinitionItem, OperationItem, StatusSetItem
from registries.models import DataSchemaDefinition, DefinitionScope


def use_counts(schemas: Sequence[DataSchemaDefinition]) -> list[int]:
    """How many definitions of its scope, drafts and retired ones included, name each schema; a scope is read once."""
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
