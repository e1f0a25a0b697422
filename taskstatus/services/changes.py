"""A fact about a task, and the row that the log keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from taskstatus.domain.decisions import NoticeType
from taskstatus.models import Step, Task, TaskEvent
from taskstatus.services.new_rows import new_row


@dataclass(frozen=True, slots=True)
class Change:
    """One fact about a task, or about one of its steps, that is about to receive its version.

    `event` holds the columns of the log's row that neither the task nor the step determine.
    """

    task: Task
    event_type: str
    event_id: str
    producer_id: str
    step: Step | None = None
    event: Mapping[str, Any] = field(default_factory=dict)
    notice: NoticeType | None = None
    coalescible: bool = False


def log_row(change: Change, now: datetime) -> TaskEvent:
    """The log's row of a change whose task and step already have their new versions."""
    task = change.task
    return new_row(
        TaskEvent,
        task_id=task.id,
        task_version=task.version,
        workflow_id=task.workflow_id,
        event_id=change.event_id,
        event_type=change.event_type,
        task_attempt=task.attempt,
        producer_id=change.producer_id,
        lifecycle_status=task.lifecycle_status,
        business_status=task.business_status,
        health=task.health,
        health_reason=task.health_reason,
        **({} if change.step is None else _about(change.step)),
        **{"received_at": now, "committed_at": now, **change.event},
    )


def _about(step: Step) -> dict[str, Any]:
    return {
        "step_id": step.step_id,
        "step_attempt": step.attempt,
        "step_version": step.version,
        "execution_id": step.execution_id,
        "parent_execution_id": step.parent_execution_id,
        "operation_code": step.operation_code,
        "step_lifecycle_status": step.lifecycle_status,
        "step_business_status": step.business_status,
    }
