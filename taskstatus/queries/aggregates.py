"""Tasks together with their current steps, such that one version names one state."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from taskstatus.domain.errors import DomainError
from taskstatus.models import Step, Task
from taskstatus.queries.clock import READINGS

MAX_READS: Final = 5


@dataclass(frozen=True, slots=True)
class TaskWithSteps:
    """A task and the current attempt of each of its steps, as they stood at the task's version."""

    task: Task
    steps: Sequence[Step]


def with_steps(tasks: Iterable[Task]) -> list[TaskWithSteps]:
    """The tasks, read with READINGS, in their order, each with its steps.

    Tasks and steps are two reads. What moved in between is read again; raises DATABASE_BUSY for a task that never
    stands still.
    """
    read = list(tasks)
    order = [task.pk for task in read]
    whole: dict[str, TaskWithSteps] = {}
    for _ in range(MAX_READS):
        steps = current_steps([task.pk for task in read])
        moved = _moved(read)
        whole |= {t.pk: TaskWithSteps(t, steps.get(t.pk, ())) for t in read if t.pk not in moved}
        if not moved:
            return [whole[pk] for pk in order if pk in whole]
        read = list(Task.objects.filter(pk__in=moved).annotate(**READINGS))
    raise DomainError("DATABASE_BUSY", "The task changes faster than it can be read; try again.")


def current_steps(task_ids: Collection[str]) -> dict[str, list[Step]]:
    """The current attempt of each step of these tasks with its lease, in the order of their making."""
    steps: dict[str, list[Step]] = {task_id: [] for task_id in task_ids}
    if steps:
        rows = Step.objects.filter(task_id__in=list(steps), is_current=True).select_related("lease")
        for step in rows.order_by("position", "pk"):
            steps[step.task_id].append(step)
    return steps


def _moved(tasks: Sequence[Task]) -> set[str]:
    """The tasks whose version is no longer the one that was read."""
    if not tasks:
        return set()
    now = dict(Task.objects.filter(pk__in=[task.pk for task in tasks]).values_list("pk", "version"))
    return {task.pk for task in tasks if now.get(task.pk) != task.version}
