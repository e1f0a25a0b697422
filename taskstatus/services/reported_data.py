"""The operation's own data in a report: is it allowed, sound and small enough, and what of it users see at a glance."""

from collections.abc import Collection

from registries.resolver import Registry, registry
from taskstatus.commands.events import ReportEvent
from taskstatus.domain.definitions import Operation, StatusSet
from taskstatus.domain.errors import DomainError, FieldError
from taskstatus.domain.idempotency import canonical_json
from taskstatus.domain.lifecycle import Audience, EventType
from taskstatus.models import Task


def require_step_data(report: ReportEvent, operation: Operation, reg: Registry) -> None:
    """Judge a step event's data by its operation (row 10)."""
    _require_data(report, operation.allowed_data_schemas.get(report.kind, frozenset()), reg)


def require_task_data(report: ReportEvent, statuses: StatusSet, reg: Registry) -> None:
    """Judge a task event's data by its status set; the generic set takes a result with TASK_COMPLETED only."""
    allowed: Collection[str] = statuses.task_data_schemas
    if statuses.is_generic and report.kind is not EventType.TASK_COMPLETED:
        allowed = ()
    _require_data(report, allowed, reg)


def summarise(task: Task, report: ReportEvent) -> None:
    """Let the task's summary show the summary view of the report's data, if it has any (protocol 6)."""
    if report.data is None:
        return
    schema = registry(task.tenant_id, task.authority_scope).data_schema(report.data.schema_name)
    if schema is not None:
        task.summary_schema = report.data.schema_name
        task.summary_data = schema.view(Audience.USER_SUMMARY, report.data.value)


def _require_data(report: ReportEvent, allowed: Collection[str], reg: Registry) -> None:
    if report.data is None:
        return
    name = report.data.schema_name
    schema = reg.data_schema(name) if name in allowed else None
    if schema is None:
        raise DomainError("SCHEMA_NOT_ALLOWED", f"{report.event_type} may not carry data of this schema here.")
    size = len(canonical_json(report.data.value).encode())
    if size > schema.max_bytes:
        raise DomainError("DATA_TOO_LARGE", f"The data has {size} bytes; {name} allows {schema.max_bytes}.")
    errors = schema.reject(report.data.value)
    if errors:
        found = [FieldError(f"/data/value{e.pointer}", "DATA_REJECTED", e.detail) for e in errors]
        raise DomainError("DATA_REJECTED", f"The data doesn't fit {name}; see errors.", errors=found)
