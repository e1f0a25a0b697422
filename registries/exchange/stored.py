"""What a scope has already: its definitions by key, drafts included."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registries.exchange.rows import data_schema_item, operation_item, status_set_item
from registries.item import Key
from registries.items import DefinitionItem
from registries.kinds import DefinitionRow
from registries.models import (
    DataSchemaDefinition,
    DefinitionScope,
    OperationDefinition,
    StatusDefinitionSet,
)
from registries.snapshot import NO_STAMP
from registries.states import State


@dataclass(frozen=True, slots=True)
class StoredDefinition:
    """A row and its content."""

    row: DefinitionRow
    item: DefinitionItem

    @property
    def state(self) -> State:
        """How far the row has come; of a data schema only the row knows it."""
        return State(self.row.state)


def find_scope(tenant: str, authority_scope: str) -> DefinitionScope | None:
    """The scope's row, if it was ever given definitions."""
    return DefinitionScope.objects.filter(tenant_id=tenant, authority_scope=authority_scope).first()


def make_scope(tenant: str, authority_scope: str) -> None:
    """Make the row that writers lock, in a transaction of its own: who finds it made holds no lock on it."""
    DefinitionScope.objects.get_or_create(
        tenant_id=tenant, authority_scope=authority_scope, defaults={"stamp": NO_STAMP}
    )


def lock_scope(tenant: str, authority_scope: str) -> DefinitionScope:
    """The scope's row, which exists, locked against every other writer of its definitions."""
    rows = DefinitionScope.objects.select_for_update()
    return rows.get(tenant_id=tenant, authority_scope=authority_scope)


def read_stored(scope: DefinitionScope | None) -> Mapping[Key, StoredDefinition]:
    """All definitions of the scope, in four queries; none for a scope without a row."""
    return {} if scope is None else {stored.item.key: stored for stored in _read(scope)}


def _read(scope: DefinitionScope) -> Iterator[StoredDefinition]:
    for schema in DataSchemaDefinition.objects.filter(scope=scope):
        yield StoredDefinition(schema, data_schema_item(schema))
    for status_set in StatusDefinitionSet.objects.filter(scope=scope).prefetch_related("statuses"):
        yield StoredDefinition(status_set, status_set_item(status_set))
    for operation in OperationDefinition.objects.filter(scope=scope):
        yield StoredDefinition(operation, operation_item(operation))
