"""All that is on file about one task, for the operators of its tenant."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from taskstatus.models import AuditEntry, Step, Task, TaskEvent, Workflow
from taskstatus.queries.clock import read_clock

EVENTS: Final = 100
STEPS: Final = 200
ENTRIES: Final = 50
SIBLINGS: Final = 20


@dataclass(frozen=True, slots=True)
class TaskFile:
    """A task with what belongs to it, each list bounded; `older_than` leads to the events before those shown.

    `now` and `epoch` are the database's.
    """

    task: Task
    workflow: Workflow | None
    steps: Sequence[Step]
    events: Sequence[TaskEvent]
    older_than: int | None
    audit: Sequence[AuditEntry]
    siblings: Sequence[Task]
    more_siblings: bool
    now: datetime
    epoch: int


def task_file(task: Task, before_version: int | None = None) -> TaskFile:
    """The file on a task; its events are the newest, or the newest before this version."""
    now, epoch = read_clock()
    steps = _steps(task)
    events = _events(task, before_version)
    siblings = list(Task.objects.filter(workflow_id=task.workflow_id).order_by("-updated_at", "-id")[: SIBLINGS + 2])
    others = [sibling for sibling in siblings if sibling.id != task.id]
    return TaskFile(
        task,
        Workflow.objects.filter(pk=task.workflow_id).first(),
        steps,
        events[:EVENTS],
        events[EVENTS - 1].task_version if len(events) > EVENTS else None,
        _audit(task, steps),
        others[:SIBLINGS],
        len(others) > SIBLINGS,
        now,
        epoch,
    )


def _steps(task: Task) -> list[Step]:
    """Every attempt of every step, in the order of their making, the newest attempt of each first."""
    rows = Step.objects.filter(task=task).select_related("lease")
    return list(rows.order_by("-task_attempt", "position", "-attempt")[:STEPS])


def _events(task: Task, before_version: int | None) -> list[TaskEvent]:
    events = TaskEvent.objects.filter(task_id=task.id)
    if before_version is not None:
        events = events.filter(task_version__lt=before_version)
    return list(events.order_by("-task_version")[: EVENTS + 1])


def _audit(task: Task, steps: Sequence[Step]) -> list[AuditEntry]:
    """What was done or attempted with the task or with one of its executions, the newest first."""
    named = [task.id, *(step.execution_id for step in steps if step.execution_id is not None)]
    entries = AuditEntry.objects.filter(tenant_id=task.tenant_id, object_id__in=named)
    return list(entries.order_by("-created_at", "-id")[:ENTRIES])
