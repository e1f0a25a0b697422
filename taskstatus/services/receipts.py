"""The answer to a report (protocol 4.3)."""

from typing import Any

from taskstatus.domain.decisions import StaleReason
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.models import Step, Task, TaskEvent

Receipt = dict[str, Any]
COALESCED = "COALESCED"


def receipt(
    event_id: str,
    task: Task,
    step: Step | None,
    epoch: int,
    *,
    recorded: TaskEvent | None = None,
    duplicate: bool = False,
    stale: StaleReason | None = None,
    reason: str | None = None,
) -> Receipt:
    """The receipt with the current values; `recorded` is the version that the report became, if it became one."""
    return {
        "accepted": stale is None,
        "duplicate": duplicate,
        "stale": stale is not None,
        "reason": stale or reason,
        "eventId": event_id,
        "workflowId": task.workflow_id,
        "taskId": task.id,
        "stepId": step.step_id if step else None,
        "executionId": step.execution_id if step else None,
        "operationCode": step.operation_code if step else None,
        "taskVersion": str(task.version),
        "stepVersion": str(step.version) if step else None,
        "epoch": str(epoch),
        "lifecycleStatus": task.lifecycle_status,
        "businessStatus": task.business_status,
        "health": task.health,
        "stepLifecycleStatus": step.lifecycle_status if step else None,
        "stepBusinessStatus": step.business_status if step else None,
        "committedAt": format_utc_millis(recorded.committed_at) if recorded else None,
    }
