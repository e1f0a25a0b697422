"""What a use case begins with: its tasks under lock, and what has to be read under the same locks, in one packet."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Q, QuerySet

from taskstatus.models import DataEpoch, EventDedup, Step, Task
from taskstatus.queries.clock import READINGS, reading
from taskstatus.queries.packets import send
from taskstatus.queries.prepared import Prepared


def _locked_tasks(ids: Sequence[str]) -> QuerySet[Task, Task]:
    return Task.objects.filter(pk__in=ids).order_by("pk").select_for_update().annotate(**READINGS)


def _free_tasks(ids: Sequence[str]) -> QuerySet[Task, Task]:
    return Task.objects.filter(pk__in=ids).order_by("pk").select_for_update(skip_locked=True).annotate(**READINGS)


def _steps(task_ids: Sequence[str], execution_ids: Sequence[str]) -> QuerySet[Step, Step]:
    wanted = Q(is_current=True) | Q(execution_id__in=execution_ids)
    return Step.objects.filter(wanted, task_id__in=task_ids).select_related("lease").order_by("position", "pk")


def _accepted(tenant: Sequence[str], event_ids: Sequence[str]) -> QuerySet[EventDedup, EventDedup]:
    return EventDedup.objects.filter(tenant_id__in=tenant, event_id__in=event_ids)


_LOCKED_TASKS = Prepared(_locked_tasks)
_FREE_TASKS = Prepared(_free_tasks)
_STEPS = Prepared(_steps)
_ACCEPTED = Prepared(_accepted)


@dataclass(frozen=True, slots=True)
class EventIds:
    """The ids of events that a tenant's producers report."""

    tenant: str
    ids: Collection[str]


@dataclass(frozen=True, slots=True)
class LockedRows:
    """The tasks that exist, their current steps and the named executions, and which events were accepted before.

    `now` and `epoch` are the database's, read with the locks.
    """

    tasks: Sequence[Task]
    steps: Sequence[Step]
    accepted: Sequence[EventDedup]
    now: datetime
    epoch: int


def lock_rows(
    task_ids: Iterable[str], execution_ids: Iterable[str], events: EventIds | None, *, only_free: bool = False
) -> LockedRows:
    """Lock the tasks in ascending order, and read the rest after it; without tasks nothing is asked.

    With `only_free` those that somebody holds are left out and not waited for, where rows have locks of their own.
    """
    ids = sorted(set(task_ids))
    if not ids:
        return LockedRows((), (), (), *_readings(()))
    locked = (_FREE_TASKS if only_free else _LOCKED_TASKS).ask(ids)
    steps = _STEPS.ask(ids, sorted(set(execution_ids)))
    known = _ACCEPTED.ask([events.tenant], sorted(set(events.ids))) if events else None
    answers = send([question.statement for question in (locked, steps, known) if question])
    tasks = locked.read(answers[0])
    ours = {task.pk for task in tasks}
    rows = [step for step in steps.read(answers[1]) if step.task_id in ours]
    return LockedRows(tasks, rows, known.read(answers[2]) if known else (), *_readings(tasks))


def _readings(tasks: Sequence[Task]) -> tuple[datetime, int]:
    """The clock and the epoch, which every locked task brings along."""
    if not tasks:
        return datetime.min.replace(tzinfo=UTC), DataEpoch.FIRST
    return reading(tasks[0], "db_now"), reading(tasks[0], "db_epoch")
