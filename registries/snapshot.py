"""One scope's published and retired definitions as plain values, read at one moment."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from registries.builtin import BUILT_IN_SCHEMAS
from registries.data_schema import DataSchema
from registries.models import DataSchemaDefinition, DefinitionScope, OperationDefinition, StatusDefinitionSet
from registries.states import State
from registries.values import data_schema_of, operation_of, status_set_of
from taskstatus.domain.definitions import Operation, StatusSet, matches_pattern

NO_STAMP: Final = ""
_BINDING_STATES: Final = (State.PUBLISHED, State.RETIRED)
_MOST_READS: Final = 3


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What tasks of one tenant and scope are bound to, and (published only) what they may bind to."""

    stamp: str
    bound_sets: Mapping[tuple[str, int], StatusSet]
    published_sets: Mapping[str, Mapping[int, StatusSet]]
    bound_operations: Mapping[int, Operation]
    published_operations: Mapping[str, tuple[Operation, ...]]
    data_schemas: Mapping[str, DataSchema]

    def defines(self, code: str, task_type: str | None) -> bool:
        """Whether some definition, retired ones included, names that operation for that task type."""
        return any(op.code == code and _serves(op, task_type) for op in self.bound_operations.values())

    def operations_named(self, code: str, task_type: str | None) -> dict[int, Operation]:
        """The published versions of the operation, of the most specific pattern that matches."""
        return _most_specific(self.published_operations.get(code, ()), task_type)

    def generic_operations(self, task_type: str | None) -> dict[int, Operation]:
        """The published versions of the scope's generic profile, of the most specific pattern too."""
        profiles = (op for ops in self.published_operations.values() for op in ops if op.generic)
        return _most_specific(profiles, task_type)

    def has_operation_version(self, version: int, task_type: str | None) -> bool:
        """Whether a published operation for that task type has that version."""
        operations = (op for ops in self.published_operations.values() for op in ops)
        return any(op.version == version and _serves(op, task_type) for op in operations)


def read_stamp(tenant: str, scope: str) -> str:
    """The scope's current stamp: one query by its unique key."""
    stamps = DefinitionScope.objects.filter(tenant_id=tenant, authority_scope=scope)
    return next(iter(stamps.values_list("stamp", flat=True)[:1]), NO_STAMP)


def read_snapshot(tenant: str, scope: str, stamp: str) -> Snapshot:
    """The scope's definitions, and the stamp that they were read under.

    Rows come by several queries. If a writer commits in between, the stamp has changed and they are read
    again, so that no half of one load meets the other half of the next.
    """
    for _ in range(_MOST_READS):
        snapshot = _read(tenant, scope, stamp)
        now = read_stamp(tenant, scope)
        if now == stamp:
            break
        stamp = now
    return snapshot


def _read(tenant: str, scope: str, stamp: str) -> Snapshot:
    if stamp == NO_STAMP:
        return Snapshot(NO_STAMP, {}, {}, {}, {}, BUILT_IN_SCHEMAS)
    where = {"scope__tenant_id": tenant, "scope__authority_scope": scope, "state__in": _BINDING_STATES}
    sets = [
        (row, status_set_of(row, row.statuses.all()))
        for row in StatusDefinitionSet.objects.filter(**where).prefetch_related("statuses")
    ]
    operations = [(row, operation_of(row)) for row in OperationDefinition.objects.filter(**where)]
    schemas = {row.name: data_schema_of(row) for row in DataSchemaDefinition.objects.filter(**where)}
    return Snapshot(
        stamp=stamp,
        bound_sets={(row.task_type, row.version): value for row, value in sets},
        published_sets=_by_type(value for row, value in sets if row.state == State.PUBLISHED),
        bound_operations={row.pk: value for row, value in operations},
        published_operations=_by_code(value for row, value in operations if row.state == State.PUBLISHED),
        data_schemas=schemas | BUILT_IN_SCHEMAS,
    )


def _by_type(sets: Iterable[StatusSet]) -> dict[str, dict[int, StatusSet]]:
    found: dict[str, dict[int, StatusSet]] = defaultdict(dict)
    for status_set in sets:
        if status_set.task_type is not None and status_set.version is not None:
            found[status_set.task_type][status_set.version] = status_set
    return dict(found)


def _by_code(operations: Iterable[Operation]) -> dict[str, tuple[Operation, ...]]:
    found: dict[str, tuple[Operation, ...]] = {}
    for operation in operations:
        found[operation.code] = (*found.get(operation.code, ()), operation)
    return found


def _serves(operation: Operation, task_type: str | None) -> bool:
    pattern = operation.task_type_pattern
    return pattern == "*" if task_type is None else matches_pattern(pattern, task_type)


def _most_specific(operations: Iterable[Operation], task_type: str | None) -> dict[int, Operation]:
    """By version, the operations of the pattern that says most: exact, else the longest prefix, else `*`."""
    serving = [op for op in operations if _serves(op, task_type)]
    best = max((_specificity(op) for op in serving), default=None)
    # Two generic profiles may share pattern and version under different codes: the first by code serves.
    ordered = sorted(serving, key=lambda op: op.code, reverse=True)
    return {op.version: op for op in ordered if _specificity(op) == best}


def _specificity(operation: Operation) -> tuple[bool, int]:
    pattern = operation.task_type_pattern
    return not pattern.endswith("*"), len(pattern)
