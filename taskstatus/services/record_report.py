"""An accepted report becomes a version: log row, idempotency record, receipt."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from taskstatus.commands.events import ErrorPart, ReportEvent
from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.definitions import Operation
from taskstatus.domain.lifecycle import DurationSource
from taskstatus.domain.redaction import redact
from taskstatus.models import EventDedup, Step, Task
from taskstatus.services.changes import Change
from taskstatus.services.logged_errors import logged_error
from taskstatus.services.new_rows import new_row
from taskstatus.services.receipts import Receipt, receipt
from taskstatus.services.workset import Workset, is_live


@dataclass(frozen=True, slots=True)
class Origin:
    """Who sent a report, the hash of its content, and when it came, where that was before now."""

    producer_id: str
    content_hash: str
    received_at: datetime | None = None


def record_report(
    workset: Workset,
    report: ReportEvent,
    task: Task,
    step: Step | None,
    origin: Origin,
    *,
    operation: Operation | None = None,
    notice: NoticeType | None = None,
) -> Receipt:
    """Record the report, whose columns are set, as the task's next version, and remember its eventId."""
    if report.business_status is not None and task.task_type is not None:
        task.classification_used = True
    columns = _event_columns(report, operation)
    if origin.received_at is not None:
        columns["received_at"] = origin.received_at
    event = workset.record(
        Change(
            task,
            report.event_type,
            report.event_id,
            origin.producer_id,
            step=step,
            event=columns,
            notice=notice,
            coalescible=is_live(task),
        )
    )
    given = receipt(report.event_id, task, step, workset.epoch, recorded=event)
    workset.remember(
        new_row(
            EventDedup,
            tenant_id=task.tenant_id,
            event_id=report.event_id,
            authority_scope=task.authority_scope,
            producer_id=origin.producer_id,
            aggregate_id=task.id,
            payload_hash=origin.content_hash,
            result=given,
            created_at=event.committed_at,
        )
    )
    return given


def _event_columns(report: ReportEvent, operation: Operation | None) -> dict[str, Any]:
    source = report.duration_source or DurationSource.MONOTONIC
    return {
        "source_seq": report.source_seq,
        "data_schema": report.data.schema_name if report.data else None,
        "error_code": report.error.code if report.error else None,
        "duration_ms": report.duration_ms,
        "duration_source": source if report.duration_ms is not None else None,
        "occurred_at": report.occurred_at,
        "payload": _payload(report, operation) or None,
    }


def _payload(report: ReportEvent, operation: Operation | None) -> dict[str, Any]:
    """What the report carries beyond the log's own columns, with the error as users may read it."""
    members = {
        "error": _error(report.error, operation) if report.error else None,
        "data": report.data.value if report.data else None,
        "progress": report.progress.as_json() if report.progress else None,
        "phaseCode": report.phase_code,
        "phaseLabel": report.phase_label,
        "message": report.message,
        "failedStepId": report.failed_step_id,
        "requiresAction": report.requires_action,
        "actions": report.actions,
    }
    return {name: value for name, value in members.items() if value is not None}


def _error(error: ErrorPart, operation: Operation | None) -> dict[str, Any]:
    said = redact(error.user_message)
    logged = logged_error(operation, category=error.category, code=error.code, said=said, retryable=error.retryable)
    return {**logged, "diagnosticsRef": error.diagnostics_ref}
