"""Rows as the values that the domain judges by."""

from collections.abc import Iterable
from dataclasses import replace

from registries.data_schema import DataSchema
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinition, StatusDefinitionSet
from taskstatus.domain.definitions import RESERVED_STATUSES, ErrorText, Operation, StatusCode, StatusSet
from taskstatus.domain.lifecycle import (
    AppliesTo,
    Audience,
    EventType,
    FailurePolicy,
    Lifecycle,
    Mask,
    SequencePolicy,
    Severity,
)


def status_set_of(row: StatusDefinitionSet, codes: Iterable[StatusDefinition]) -> StatusSet:
    """The set with the reserved codes in it; of those a set chooses the display only (ruling 37)."""
    own = [_status_of(code) for code in codes]
    for_tasks = {status.code: status for status in own if AppliesTo.TASK in status.applies_to}
    for_steps = {status.code: status for status in own if AppliesTo.TASK not in status.applies_to}
    reserved = {code: _displayed_as(base, for_tasks.get(code)) for code, base in RESERVED_STATUSES.items()}
    return StatusSet(
        task_type=row.task_type,
        version=row.version,
        statuses=for_steps | for_tasks | reserved,
        task_data_schemas=frozenset(row.task_data_schemas),
        step_statuses={code: status for code, status in for_steps.items() if code in for_tasks | reserved},
    )


def operation_of(row: OperationDefinition) -> Operation:
    """The operation of a row; executions find it again by `definition_id`."""
    return Operation(
        code=row.code,
        task_type_pattern=row.task_type_pattern,
        version=row.version,
        display_name=row.display_name,
        producer_pattern=row.producer_pattern,
        allowed_event_types=frozenset(map(EventType, row.allowed_event_types)),
        allowed_data_schemas={EventType(event): frozenset(names) for event, names in row.allowed_data_schemas.items()},
        failure_policy=FailurePolicy(row.failure_policy),
        max_attempts=row.max_attempts,
        heartbeat_interval_seconds=row.heartbeat_interval_seconds,
        heartbeat_timeout_seconds=row.heartbeat_timeout_seconds,
        no_progress_seconds=row.no_progress_seconds,
        start_deadline_seconds=row.start_deadline_seconds,
        sequence_policy=SequencePolicy(row.sequence_policy),
        policy_executor=row.policy_executor,
        progress_min_interval_seconds=row.progress_min_interval_seconds,
        stale_escalation_seconds=row.stale_escalation_seconds,
        errors={error["code"]: ErrorText(error["user_message"], tuple(error["actions"])) for error in row.errors},
        generic=row.generic,
        definition_id=row.pk,
    )


def data_schema_of(row: DataSchemaDefinition) -> DataSchema:
    """The data schema of a row; it is compiled at its first use."""
    return DataSchema(
        name=row.name,
        json_schema=row.json_schema,
        max_bytes=row.max_bytes,
        views={Audience(audience): tuple(members) for audience, members in row.views.items()},
        masks={member: Mask(mask) for member, mask in row.masks.items()},
    )


def _status_of(row: StatusDefinition) -> StatusCode:
    return StatusCode(
        code=row.code,
        applies_to=frozenset(row.applies_to),
        lifecycle=Lifecycle(row.lifecycle),
        display_name=row.display_name,
        severity=Severity(row.severity),
        order=row.order,
        initial=row.initial,
        allowed_from=frozenset(row.allowed_from),
        presentation=row.presentation,
    )


def _displayed_as(reserved: StatusCode, own: StatusCode | None) -> StatusCode:
    if own is None:
        return reserved
    return replace(own, lifecycle=reserved.lifecycle, allowed_from=reserved.allowed_from, initial=False)
