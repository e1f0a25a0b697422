"""The detail of a task: its summary and the current attempt of each of its steps (protocol 6)."""

from collections.abc import Sequence
from datetime import datetime

from taskstatus.domain.durations import run_ms
from taskstatus.domain.lifecycle import Audience
from taskstatus.models import ExecutionLease, Step, Task
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.task_summary import Json, error_text, instant, step_name


def task_detail(
    task: Task,
    steps: Sequence[Step],
    context: ProjectionContext,
    summary: Json,
    permissions: Sequence[str] | None = None,
) -> Json:
    """The TaskDetail around the summary; `permissions` is the viewer's, None where there is no single viewer."""
    return {
        **summary,
        "steps": [step_view(step, context) for step in sorted(steps, key=lambda step: step.position)],
        "statusDefinitionVersion": task.status_definition_version,
        "operationDefinitionVersion": task.operation_definition_version,
        "permissions": permissions,
        "epoch": str(context.epoch),
    }


def step_view(step: Step, context: ProjectionContext) -> Json:
    """The StepView of one attempt of a step."""
    return {
        "stepId": step.step_id,
        "clientStepKey": step.client_step_key,
        "attempt": step.attempt,
        "executionId": step.execution_id,
        "parentExecutionId": step.parent_execution_id,
        "depth": step.depth,
        "operationCode": step.operation_code,
        "operationDefinitionVersion": step.operation_definition_version,
        "displayName": step_name(step, context),
        "serviceName": step.producer_id or step.expected_producer,
        "dependsOn": step.depends_on,
        "failurePolicy": step.failure_policy,
        "lifecycleStatus": step.lifecycle_status,
        "businessStatus": step.business_status,
        "health": step.health,
        "healthReason": step.health_reason,
        "lastHeartbeatAt": instant(last_heartbeat(step)),
        "staleSince": instant(step.stale_since),
        "phaseCode": step.phase_code,
        "phaseLabel": step.phase_label,
        "progress": step.progress,
        "progressUpdatedAt": instant(step.progress_updated_at),
        "version": str(step.version),
        "createdAt": instant(step.created_at),
        "startedAt": instant(step.started_at),
        "finishedAt": instant(step.finished_at),
        "updatedAt": instant(step.updated_at),
        "durationMs": step.duration_ms,
        "durationSource": step.duration_source,
        "elapsedMs": run_ms(None, step.started_at, step.finished_at or context.now),
        "asOf": instant(context.now),
        "error": _error(step, context),
        "data": context.data_view(Audience.TASK_DETAIL, step.data_schema, step.state_data),
    }


def lease_of(step: Step) -> ExecutionLease | None:
    """The step's lease as it was read with it; None once the execution ended."""
    return getattr(step, "lease", None)


def last_heartbeat(step: Step) -> datetime | None:
    """When the step's worker was last heard of, as far as its beats and its start tell; None before that."""
    lease = lease_of(step)
    last: datetime | None = lease.last_heartbeat_at if lease else step.last_heartbeat_at
    return last


def _error(step: Step, context: ProjectionContext) -> Json | None:
    if step.error_code is None:
        return None
    operation = context.registry.operation(step.operation_definition_id, step.operation_code)
    registered = operation.errors.get(step.error_code)
    return {
        "category": step.error_category,
        "code": step.error_code,
        "userMessage": error_text(step, context),
        "retryable": step.error_retryable,
        "actions": list(registered.actions) if registered else [],
    }
