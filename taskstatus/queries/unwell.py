"""Tasks that need a look: with an execution that the reconciler finds due, or that is not well (acceptance O06)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from django.db.models import QuerySet
from django.db.models.functions import Now

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import LIVE, Health
from taskstatus.models import ExecutionLease, Step, Task
from taskstatus.queries.task_browser import tenants_with_tasks


@dataclass(frozen=True, slots=True)
class Within:
    """Of which tenant and authority scope; None: of all."""

    tenant: str | None = None
    authority_scope: str | None = None

    def conditions(self, prefix: str = "") -> dict[str, str]:
        """What they are filtered by, by the path to the task."""
        wanted = {"tenant_id": self.tenant, "authority_scope": self.authority_scope}
        return {f"{prefix}{name}": value for name, value in wanted.items() if value is not None}


def tasks_to_look_at(within: Within, limit: int) -> list[Task]:
    """At most `limit` tasks, the oldest first: those that are due, those that are unwell.

    By the indexes of deadlines and of health: tasks that are well and not due are not read. Where no tenant is named
    the unwell ones of MAX_TENANTS tenants at most are.
    """
    leases = ExecutionLease.objects.filter(deadline_at__lte=Now(), **within.conditions("execution__task__"))
    steps = Step.objects.filter(health_due_at__lte=Now(), **within.conditions("task__"))
    found = chain(
        leases.order_by("deadline_at", "execution_id").values_list("task_id", flat=True)[:limit],
        steps.order_by("health_due_at", "pk").values_list("task_id", flat=True)[:limit],
        _unwell(within).order_by("created_at", "id").values_list("id", flat=True)[:limit],
    )
    return list(Task.objects.filter(pk__in=set(found), lifecycle_status__in=LIVE).order_by("created_at", "id")[:limit])


def _unwell(within: Within) -> QuerySet[Task]:
    tenants = [within.tenant] if within.tenant is not None else tenants_with_tasks()
    return Task.objects.filter(
        tenant_id__in=tenants,
        lifecycle_status__in=sorted(LIVE),
        health__in=[Health.DEGRADED, Health.STALE],
        **within.conditions(),
    )


def named_tasks(names: Iterable[str], within: Within) -> list[Task]:
    """The tasks with these taskIds or executionIds, in the order in which they are named.

    Raises TASK_NOT_FOUND, naming what names none.
    """
    names = list(dict.fromkeys(names))
    by_execution = dict(Step.objects.filter(execution_id__in=names).values_list("execution_id", "task_id"))
    task_ids = [by_execution.get(name, name) for name in names]
    tasks = Task.objects.filter(pk__in=task_ids, **within.conditions()).in_bulk()
    missing = [name for name, task_id in zip(names, task_ids, strict=True) if task_id not in tasks]
    if missing:
        raise DomainError("TASK_NOT_FOUND", f"There is no such task or execution: {', '.join(missing)}.")
    return _once(tasks[task_id] for task_id in task_ids)


def _once(tasks: Iterable[Task]) -> list[Task]:
    seen: dict[str, Task] = {task.id: task for task in tasks}
    return list(seen.values())
