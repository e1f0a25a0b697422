"""Tasks of one tenant as its operators look through them: by filters, or by a name that somebody gave them.

Every question goes by an index and looks at a bounded number of rows: an operator of a large tenant gets a part of the
answer and the place where to look on, never a query that reads the whole table.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet

from taskstatus.domain.identifiers import EXECUTION_ID, TASK_ID, WORKFLOW_ID
from taskstatus.domain.lifecycle import Health, Lifecycle
from taskstatus.models import EventDedup, Step, Task
from taskstatus.queries.access import task_not_found
from taskstatus.queries.clock import read_clock
from taskstatus.queries.task_windows import PAGE_SIZE, Found, Window, read_window

MAX_TERM: Final = 128
MAX_TENANTS: Final = 50


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of a tenant's tasks: those in any of the lifecycles, and what else is named."""

    tenant: str
    lifecycles: Sequence[Lifecycle]
    health: Health | None = None
    task_type: str | None = None
    authority_scope: str | None = None
    min_age: timedelta | None = None
    cursor: str | None = None


def browse_tasks(wanted: Wanted) -> Found:
    """A page of the tasks that are wanted, newest first; raises INVALID_FIELD for a cursor that is none."""
    named = {name: value for name in ("task_type", "authority_scope") if (value := getattr(wanted, name)) is not None}
    now, _epoch = read_clock()
    return read_window(
        Window(
            now,
            wanted.tenant,
            wanted.lifecycles,
            [wanted.health] if wanted.health is not None else list(Health),
            shown=Q(**named) if named else None,
            created_until=now - wanted.min_age if wanted.min_age is not None else None,
            cursor=wanted.cursor,
        )
    )


def find_tasks(term: str, tenant: str | None, key_tenant: str) -> list[Task]:
    """The tasks that this id or key names, at most PAGE_SIZE, those of other tenants left out.

    The term is a taskId, workflowId, executionId, eventId or clientTaskKey, in full. `tenant` is the only one that the
    asker reaches, None for one who reaches all; keys and eventIds mean something within `key_tenant` alone.
    """
    term = term.strip()
    if not term or len(term) > MAX_TERM:
        return []
    if re.fullmatch(TASK_ID, term):
        found = Task.objects.filter(pk=term)
    elif re.fullmatch(WORKFLOW_ID, term):
        found = Task.objects.filter(workflow_id=term).order_by("-updated_at", "-id")
    elif re.fullmatch(EXECUTION_ID, term):
        found = Task.objects.filter(pk__in=_values(Step.objects.filter(execution_id=term), "task_id"))
    else:
        return _named(term, key_tenant)
    return list((found if tenant is None else found.filter(tenant_id=tenant))[:PAGE_SIZE])


def _named(term: str, tenant: str) -> list[Task]:
    own = Task.objects.filter(tenant_id=tenant)
    events = EventDedup.objects.filter(tenant_id=tenant, event_id=term)
    by_event = own.filter(pk__in=_values(events, "aggregate_id"))
    by_key = own.filter(client_task_key=term).order_by("-id")[:PAGE_SIZE]
    return list({task.id: task for task in (*by_event, *by_key)}.values())[:PAGE_SIZE]


def _values(rows: "QuerySet[Step] | QuerySet[EventDedup]", column: str) -> list[str]:
    return list(rows.values_list(column, flat=True)[:1])


def tenants_with_tasks() -> list[str]:
    """The tenants that have tasks, in order, at most MAX_TENANTS; each is one step along an index."""
    tenants: list[str] = []
    while len(tenants) < MAX_TENANTS:
        last = tenants[-1] if tenants else ""
        following = (
            Task.objects.filter(tenant_id__gt=last).order_by("tenant_id").values_list("tenant_id", flat=True)[:1]
        )
        if not following:
            break
        tenants += following
    return tenants


def reached_task(task_id: str, tenant: str | None) -> Task:
    """The task, if it is of this tenant; None reaches all. Raises TASK_NOT_FOUND: unseen and absent are alike."""
    task = Task.objects.filter(pk=task_id).first() if re.fullmatch(TASK_ID, task_id) else None
    if task is None or tenant not in (None, task.tenant_id):
        raise task_not_found()
    return task
