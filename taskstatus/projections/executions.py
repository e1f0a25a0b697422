"""An execution as its coordinator's list shows it: what is needed to decide whether to wait or to supersede."""

from datetime import datetime

from taskstatus.models import Step
from taskstatus.projections.task_detail import last_heartbeat
from taskstatus.projections.task_summary import Json, instant


def execution_view(step: Step) -> Json:
    """The execution with its task, which were read together; lifecycleStatus is the task's (protocol 4.3)."""
    task = step.task
    return {
        "workflowId": task.workflow_id,
        "taskId": task.id,
        "taskVersion": str(task.version),
        "taskType": task.task_type,
        "title": task.title,
        "lifecycleStatus": task.lifecycle_status,
        "cancelRequestedAt": instant(task.cancel_requested_at),
        "taskAttempt": step.task_attempt,
        "stepId": step.step_id,
        "stepAttempt": step.attempt,
        "executionId": step.execution_id,
        "operationCode": step.operation_code,
        "producerId": step.producer_id,
        "stepLifecycleStatus": step.lifecycle_status,
        "health": step.health,
        "healthReason": step.health_reason,
        "healthSince": instant(health_since(step)),
        "lastHeartbeatAt": instant(last_heartbeat(step)),
        "staleSince": instant(step.stale_since),
        "activatedAt": instant(step.activated_at),
        "startedAt": instant(step.started_at),
    }


def health_since(step: Step) -> datetime | None:
    """Since when the execution is in its health: one that never changed is in it since its start, or its activation."""
    since: datetime | None = step.health_since or step.started_at or step.activated_at
    return since
