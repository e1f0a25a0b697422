"""Rows of the registries: what a tenant's scope has defined, version by version."""

from registries.models.change import DefinitionChange
from registries.models.data_schema import DataSchemaDefinition
from registries.models.operation import OperationDefinition
from registries.models.scope import DefinitionScope
from registries.models.status_set import StatusDefinition, StatusDefinitionSet

__all__ = [
    "DataSchemaDefinition",
    "DefinitionChange",
    "DefinitionScope",
    "OperationDefinition",
    "StatusDefinition",
    "StatusDefinitionSet",
]
