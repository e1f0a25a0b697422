"""The summary of a task: what its owner's list shows (protocol 6)."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from taskstatus.domain.definitions import GENERIC_SET, StatusCode
from taskstatus.domain.durations import queue_ms, run_ms, total_ms
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.models import Step, Task
from taskstatus.projections.context import ProjectionContext

Json = dict[str, object]


def task_summary(task: Task, steps: Sequence[Step], context: ProjectionContext) -> Json:
    """The TaskSummary of a task and its current steps."""
    step = current_step(steps)
    return {
        "id": task.id,
        "workflowId": task.workflow_id,
        "ownerId": task.owner_id,
        "title": task.title,
        "taskType": task.task_type,
        "productId": task.product_id,
        "batchId": task.batch_id,
        "parentTaskId": task.parent_task_id,
        "attempt": task.attempt,
        "lifecycleStatus": task.lifecycle_status,
        "businessStatus": task.business_status,
        "statusDisplay": status_display(task, context),
        "health": task.health,
        "healthReason": task.health_reason,
        "phaseCode": step.phase_code if step else None,
        "phaseLabel": step.phase_label if step else None,
        "progress": step.progress if step else None,
        "currentStep": _step_reference(step, context) if step else None,
        "failure": _failure(task, steps, context),
        "requiresAction": task.requires_action,
        "actions": task.actions,
        "cancelRequestedAt": instant(task.cancel_requested_at),
        "version": str(task.version),
        "createdAt": instant(task.created_at),
        "startedAt": instant(task.started_at),
        "finishedAt": instant(task.finished_at),
        "updatedAt": instant(task.updated_at),
        "elapsedMs": run_ms(None, task.started_at, task.finished_at or context.now),
        "asOf": instant(context.now),
        "durationMs": task.duration_ms,
        "queueDurationMs": queue_ms(task.created_at, task.first_started_at),
        "totalDurationMs": total_ms(task.created_at, task.finished_at),
        "summaryData": _summary_data(task),
    }


def current_step(steps: Sequence[Step]) -> Step | None:
    """The running step that was last heard of, if any runs."""
    running = [step for step in steps if step.lifecycle_status == Lifecycle.RUNNING]
    return max(running, key=lambda step: (step.updated_at, step.position), default=None)


# One message says the same few moments again and again.
@lru_cache(256)
def instant(moment: datetime | None) -> str | None:
    """The instant as it leaves the service: UTC with milliseconds."""
    return None if moment is None else format_utc_millis(moment)


def step_name(step: Step, context: ProjectionContext) -> str | None:
    """The name given at registration, else the operation's in the reader's language."""
    if step.display_name is not None:
        return step.display_name
    operation = context.registry.operation(step.operation_definition_id, step.operation_code)
    return context.text(operation.display_name)


def status_display(task: Task, context: ProjectionContext) -> Json:
    """How the task's business status is shown; without one, its lifecycle's generic display (ruling 31)."""
    code = task.business_status
    status = context.statuses(task).statuses.get(code) if code is not None else None
    return _display(status or _GENERIC[task.lifecycle_status], context)


_GENERIC: Final = GENERIC_SET.statuses


def _display(status: StatusCode, context: ProjectionContext) -> Json:
    return {
        "name": context.text(status.display_name) or status.code,
        "severity": str(status.severity),
        "colorToken": status.presentation.get("colorToken"),
        "iconKey": status.presentation.get("iconKey"),
    }


def _step_reference(step: Step, context: ProjectionContext) -> Json:
    return {
        "stepId": step.step_id,
        "operationCode": step.operation_code,
        "displayName": step_name(step, context),
        "serviceName": step.producer_id or step.expected_producer,
    }


def _failure(task: Task, steps: Sequence[Step], context: ProjectionContext) -> Json | None:
    if task.failure_code is None:
        return None
    words = failure_text(task, steps, context)
    return {"code": task.failure_code, "message": words, "failedStepId": task.failed_step_id}


def failure_text(task: Task, steps: Sequence[Step], context: ProjectionContext) -> str | None:
    """What users read of the task's failure: the failed operation's words for the code, else what was sent."""
    failed = next((s for s in steps if s.step_id == task.failed_step_id), None)
    words = _registered_text(failed, task.failure_code, context) if failed and task.failure_code else None
    return words or task.failure_message


def error_text(step: Step, context: ProjectionContext) -> str | None:
    """What users read of the step's error: its operation's words for the code, else what was sent, redacted."""
    words = _registered_text(step, step.error_code, context) if step.error_code else None
    return words or step.error_message


def _registered_text(step: Step, code: str, context: ProjectionContext) -> str | None:
    operation = context.registry.operation(step.operation_definition_id, step.operation_code)
    registered = operation.errors.get(code)
    return context.text(registered.user_message) if registered else None


def _summary_data(task: Task) -> Json | None:
    if task.summary_schema is None:
        return None
    return {"schema": task.summary_schema, "value": task.summary_data}
