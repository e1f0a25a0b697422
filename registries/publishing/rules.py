"""The rules of publishing for every kind of definition."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from registries.items import DataSchemaItem, DefinitionItem, OperationItem, StatusSetItem
from registries.problems import Problem
from registries.publishing.operations import operation_problems
from registries.publishing.schemas import data_schema_problems
from registries.publishing.statuses import status_set_problems, twin_codes


def publishing_problems(
    item: DefinitionItem, known_schemas: frozenset[str], profiles: Iterable[OperationItem] = ()
) -> Iterator[Problem]:
    """Everything that keeps a definition from being published, each with its place within the definition.

    Arguments:
        item: the definition.
        known_schemas: the data schemas it may name: published, built in, or to be published with it.
        profiles: the scope's generic operations: published, or to be published with it.
    """
    match item:
        case DataSchemaItem():
            return data_schema_problems(item)
        case StatusSetItem():
            return status_set_problems(item, known_schemas)
        case OperationItem():
            return operation_problems(item, known_schemas, profiles)
    assert_never(item)


def draft_problems(item: DefinitionItem) -> Iterator[Problem]:
    """What not even a draft can hold."""
    return twin_codes(item) if isinstance(item, StatusSetItem) else iter(())
