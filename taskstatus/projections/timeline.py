"""One entry of a task's timeline (protocol 6)."""

from collections.abc import Mapping
from typing import Any

from taskstatus.domain.lifecycle import Audience
from taskstatus.models import TaskEvent
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.task_summary import Json, instant


def timeline_event(event: TaskEvent, context: ProjectionContext) -> Json:
    """The TimelineEvent of a logged fact; lifecycle and status are the task's after it."""
    carried = event.payload or {}
    return {
        "eventId": event.event_id,
        "eventType": event.event_type,
        "taskVersion": str(event.task_version),
        "stepVersion": None if event.step_version is None else str(event.step_version),
        "taskAttempt": event.task_attempt,
        "stepId": event.step_id,
        "stepAttempt": event.step_attempt,
        "executionId": event.execution_id,
        "parentExecutionId": event.parent_execution_id,
        "operationCode": event.operation_code,
        "producerId": event.producer_id,
        "sourceSeq": event.source_seq,
        "lifecycleStatus": event.lifecycle_status,
        "businessStatus": event.business_status,
        "health": event.health,
        "healthReason": event.health_reason,
        "durationMs": event.duration_ms,
        "error": _error(carried.get("error"), context),
        "data": context.data_view(Audience.TASK_DETAIL, event.data_schema, carried.get("data")),
        "occurredAt": instant(event.occurred_at),
        "receivedAt": instant(event.received_at),
        "committedAt": instant(event.committed_at),
    }


def _error(error: Mapping[str, Any] | None, context: ProjectionContext) -> Json | None:
    """The error, in the words that its operation had for it then, else in those that were sent."""
    if error is None:
        return None
    words = context.text(error.get("userMessages", {}))
    return {
        "category": error["category"],
        "code": error["code"],
        "userMessage": words or error["userMessage"],
        "retryable": error["retryable"],
        "actions": error["actions"],
    }
