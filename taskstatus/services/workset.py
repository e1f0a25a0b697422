"""The rows of a use case: locked in order, changed in memory, written once (design/architecture).

Whoever changes a task does it here: `lock` takes the task rows in ascending order, `record` gives a change its version
and everything that goes with a version, `flush` writes all of it in a fixed number of statements.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from outbox.enqueue import Outgoing, enqueue
from registries.resolver import registry
from taskstatus.domain import health
from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.overdue import next_look
from taskstatus.models import (
    ActivationCommand,
    AuditEntry,
    EventDedup,
    ExternalRef,
    Step,
    Task,
    TaskEvent,
    TaskGrant,
    Workflow,
)
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.fanout import task_messages
from taskstatus.services import task_columns
from taskstatus.services.changes import Change, log_row
from taskstatus.services.column_values import set_columns
from taskstatus.services.lease_book import LeaseBook
from taskstatus.services.locked_rows import EventIds, lock_rows
from taskstatus.services.row_book import RowBook
from taskstatus.services.writes import Writes

# Rows that refer to a task and are written right after it.
Dependent = ActivationCommand | AuditEntry | ExternalRef | TaskGrant


class Workset:
    """Tasks under lock with their steps, and what is to be written about them."""

    def __init__(
        self,
        tasks: Iterable[Task],
        steps: Iterable[Step],
        now: datetime,
        epoch: int,
        accepted: Iterable[EventDedup] = (),
    ) -> None:
        self.tasks = {task.id: task for task in tasks}
        self.now = now
        self.epoch = epoch
        self._steps: dict[str, list[Step]] = {task_id: [] for task_id in self.tasks}
        self._new_tasks: list[Task] = []
        self._new_steps: list[Step] = []
        self._dependents: dict[type[Dependent], list[Dependent]] = {}
        self._locked: RowBook[Task] = RowBook(task_columns.TASK, "version")
        self._read: RowBook[Step] = RowBook(task_columns.STEP, "version")
        self._events: list[TaskEvent] = []
        self._accepted = {dedup.event_id: dedup for dedup in accepted}
        self._dedups: dict[str, EventDedup] = {}
        self._messages: list[Outgoing] = []
        self._leases = LeaseBook()
        for task in self.tasks.values():
            self._locked.add(task)
        for step in steps:
            self._steps[step.task_id].append(step)
            self._read.add(step)

    @classmethod
    def lock(
        cls,
        task_ids: Iterable[str],
        *,
        execution_ids: Iterable[str] = (),
        events: EventIds | None = None,
        only_free: bool = False,
    ) -> Self:
        """Lock the tasks that exist, ascending, and read their current steps and the named executions.

        The steps need no lock of their own: every writer of a step holds its task's. Which of the events were accepted
        before is read under the same locks. With `only_free` tasks that somebody holds are left out and not waited for.
        """
        rows = lock_rows(task_ids, execution_ids, events, only_free=only_free)
        return cls(rows.tasks, rows.steps, rows.now, rows.epoch, rows.accepted)

    def time_of(self, task: Task) -> datetime:
        """The moment of a change to this task: the database's clock, never before the task's last version.

        The clock is read when the statement begins, which may be before a waited-for lock was released.
        """
        last_change: datetime = task.updated_at
        return max(self.now, last_change)

    def steps(self, task: Task) -> list[Step]:
        """The current attempt of each of the task's steps."""
        return [step for step in self._steps[task.id] if step.is_current]

    def step(self, task: Task, step_id: str) -> Step | None:
        """The current attempt of this step, if the task has the step."""
        return next((step for step in self.steps(task) if step.step_id == step_id), None)

    def execution(self, task: Task, execution_id: str) -> Step | None:
        """The step attempt that this execution runs, current or not, if it was read."""
        return next((step for step in self._steps[task.id] if step.execution_id == execution_id), None)

    def context(self, task: Task) -> ProjectionContext:
        """What projections of this task need."""
        return ProjectionContext(registry(task.tenant_id, task.authority_scope), self.epoch, self.time_of(task))

    def add_task(self, task: Task, steps: Sequence[Step]) -> None:
        """Take in a task that is created now, with its first steps."""
        self.tasks[task.id] = task
        self._new_tasks.append(task)
        self._steps[task.id] = list(steps)
        self._new_steps.extend(steps)

    def add_step(self, task: Task, step: Step) -> None:
        """Take in a step attempt that is created now."""
        self._steps[task.id].append(step)
        self._new_steps.append(step)

    def add_dependents(self, rows: Iterable[Dependent]) -> None:
        """Take in rows that refer to tasks and are written right after them: grants, outside numbers, commands."""
        for row in rows:
            self._dependents.setdefault(type(row), []).append(row)

    def change_step(self, step: Step, columns: Mapping[str, Any]) -> None:
        """Set columns of a step without giving it a version."""
        set_columns(step, columns)

    def record(self, change: Change) -> TaskEvent:
        """Give the change its versions, its row in the log and its messages; columns were set before."""
        task, step, now = change.task, change.step, self.time_of(change.task)
        if task.id in self._locked:
            task.version += 1
        if step is not None and step.pk is not None:
            step.version += 1
        task.updated_at = now
        told = self._settle_health(task, step)
        event = log_row(change, now)
        self._events.append(event)
        if step is not None:
            self.change_step(step, {"updated_at": now})
        self._messages += task_messages(
            task,
            self.steps(task),
            event,
            self.context(task),
            notice_type=change.notice or told,
            coalescible=change.coalescible,
        )
        return event

    def _settle_health(self, task: Task, step: Step | None) -> NoticeType | None:
        """Let the task's health, the changed step's lease and its next look follow; returns what its users are told."""
        before, state = task.health, health.of_steps(self.steps(task))
        set_columns(task, {"health": state.health, "health_reason": state.reason})
        changed = [] if step is None else [step]
        for touched in changed if is_live(task) else self.steps(task):
            self.wait_on(task, touched)
        return health.notice_of_change(before, state, step) if is_live(task) else None

    def remember(self, dedup: EventDedup) -> None:
        """Keep that an eventId was accepted, and its receipt."""
        self._dedups[dedup.event_id] = dedup

    def remembered(self, event_id: str) -> EventDedup | None:
        """What was accepted under this eventId, before the lock or since, if anything."""
        return self._accepted.get(event_id) or self._dedups.get(event_id)

    def beat(self, step: Step, heartbeat_seq: int | None = None) -> None:
        """Note a sign of life of a running execution."""
        self._leases.beat(step, self.time_of(self.tasks[step.task_id]), heartbeat_seq)

    def wait_on(self, task: Task, step: Step) -> None:
        """Let the step's lease and its next look agree with the health that it has."""
        self._leases.settle(step, self.time_of(task))
        step.health_due_at = next_look(step, task) if is_live(task) else None

    def end_lease(self, step: Step) -> None:
        """Close the execution's lease and keep what it knew with the step."""
        lease = self._leases.end(step)
        if lease is not None:
            columns = {"last_heartbeat_at": lease.last_heartbeat_at, "last_heartbeat_seq": lease.heartbeat_seq}
            self.change_step(step, columns)

    def flush(self) -> None:
        """Write everything: one statement a table, more only where a packet would grow too large."""
        Task.objects.bulk_create(self._new_tasks)
        Step.objects.bulk_create(self._new_steps)
        for model, rows in self._dependents.items():
            model.objects.bulk_create(rows)  # type: ignore[arg-type]
        writes = Writes()
        self._locked.write(writes)
        self._read.write(writes)
        self._leases.write(writes)
        writes.insert(self._events)
        writes.insert(list(self._dedups.values()))
        enqueue(self._messages, writes.execute)
        writes.send()


def is_live(row: Task | Step | Workflow) -> bool:
    """Whether the workflow, task or step has not ended."""
    return not Lifecycle(row.lifecycle_status).is_terminal
