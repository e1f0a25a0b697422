"""Tasks of one tenant as its operators look through them: by filters, or by a name that somebody gave them.

Every question goes by an index and looks at a bounded number of rows: an operator of a large tenant gets a part of the
answer and the place where to look on, never a query that reads the whole table.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from taskstatus.domain.identifiers import EXECUTION_ID, TASK_ID, WORKFLOW_ID
from taskstatus.domain.lifecycle import Health, Lifecycle
from taskstatus.models import EventDedup, Step, Task
from taskstatus.queries.access import task_not_found
from taskstatus.queries.clock import read_clock
from taskstatus.queries.cursors import Cursor

PAGE_SIZE: Final = 50
# How many rows of one lifecycle and health are looked at for a page when not every one of them is shown.
LOOKED_AT: Final = 2_000
MAX_TERM: Final = 128
MAX_TENANTS: Final = 50

_ORDER: Final = ("-created_at", "-id")


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

    @property
    def shows_all(self) -> bool:
        """Whether every task of the lifecycles and healths is shown, so that none is passed over."""
        return self.task_type is None and self.authority_scope is None


@dataclass(frozen=True, slots=True)
class Found:
    """A page of tasks, newest first; `next_cursor` leads on, `was_cut` says that rows remain that were not looked at.

    `now` is the database's clock.
    """

    tasks: Sequence[Task]
    next_cursor: str | None
    was_cut: bool
    now: datetime


def browse_tasks(wanted: Wanted) -> Found:
    """A page of the tasks that are wanted; raises INVALID_FIELD for a cursor that is none.

    Each lifecycle and health is asked for apart, by its own part of the index, and the answers are merged.
    """
    now, _epoch = read_clock()
    healths = [wanted.health] if wanted.health is not None else list(Health)
    parts = [_part(wanted, lifecycle, health, now) for lifecycle in wanted.lifecycles for health in healths]
    floor = None if wanted.shows_all else _floor(parts)
    if floor is not None:
        parts = [part.filter(_not_before(*floor)) for part in parts]
    chosen = [_narrowed(part, wanted)[: PAGE_SIZE + 1] for part in parts]
    rows = sorted((row for part in chosen for row in part), key=_place, reverse=True)
    page = rows[:PAGE_SIZE]
    if len(rows) > PAGE_SIZE:
        return Found(page, _after(_place(page[-1])), was_cut=False, now=now)
    return Found(page, _after(floor) if floor else None, was_cut=floor is not None, now=now)


def _part(wanted: Wanted, lifecycle: Lifecycle, health: Health, now: datetime) -> QuerySet[Task]:
    rows = Task.objects.filter(tenant_id=wanted.tenant, lifecycle_status=lifecycle, health=health).order_by(*_ORDER)
    if wanted.min_age is not None:
        rows = rows.filter(created_at__lte=now - wanted.min_age)
    if wanted.cursor is not None:
        place = Cursor.decode(wanted.cursor)
        # As in _not_before.
        rows = rows.filter(Q(created_at__lt=place.updated_at) | Q(id__lt=place.id), created_at__lte=place.updated_at)
    return rows


def _floor(parts: Iterable[QuerySet[Task]]) -> tuple[datetime, str] | None:
    """The oldest place that is still looked at: the newest of those where a part has LOOKED_AT rows behind it."""
    ends = (part.values_list("created_at", "id")[LOOKED_AT - 1 : LOOKED_AT] for part in parts)
    return max((row for end in ends for row in end), default=None)


def _not_before(created_at: datetime, task_id: str) -> Q:
    # The first condition alone is what an index can use.
    return Q(created_at__gte=created_at) & (Q(created_at__gt=created_at) | Q(id__gte=task_id))


def _narrowed(rows: QuerySet[Task], wanted: Wanted) -> QuerySet[Task]:
    for name in ("task_type", "authority_scope"):
        value = getattr(wanted, name)
        if value is not None:
            rows = rows.filter(**{name: value})
    return rows


def _place(task: Task) -> tuple[datetime, str]:
    return task.created_at, task.id


def _after(place: tuple[datetime, str]) -> str:
    return Cursor(*place).encode()


def find_tasks(term: str, tenant: str | None, key_tenant: str) -> list[Task]:
    """The tasks that this id or key names, at most PAGE_SIZE, those of other tenants left out.

    The term is a taskId, workflowId, executionId, eventId or clientTaskKey, in full. `tenant` is the only one that the
    asker reaches, None for one who reaches all; keys and eventIds mean something within `key_tenant` alone.
    """
    term = term.strip()
    if not term or len(term) > MAX_TERM:
        return []
    if re.match(TASK_ID, term):
        found = Task.objects.filter(pk=term)
    elif re.match(WORKFLOW_ID, term):
        found = Task.objects.filter(workflow_id=term).order_by("-updated_at", "-id")
    elif re.match(EXECUTION_ID, term):
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
    task = Task.objects.filter(pk=task_id).first() if re.match(TASK_ID, task_id) else None
    if task is None or tenant not in (None, task.tenant_id):
        raise task_not_found()
    return task
