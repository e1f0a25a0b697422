"""Windows of one tenant's tasks by age: each goes by an index and looks at a bounded number of rows.

Each lifecycle and health is asked for by its own part of the index `task_browse_idx`, and the answers are merged.
Whoever wants only some of the rows gets a part of the answer and the place where to look on, never a query that reads
the whole table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from taskstatus.domain.lifecycle import Health, Lifecycle
from taskstatus.models import Task
from taskstatus.queries.cursors import Cursor

# How many tasks a page has, and how many of one lifecycle and health are looked at where not every one is shown.
PAGE_SIZE: Final = 50
LOOKED_AT: Final = 2_000

_Place = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class Window:
    """Which tasks: of these lifecycles and healths, and of those the ones that `shown` lets through, if it is said.

    `now` is the database's clock as it was read for the question.
    """

    now: datetime
    tenant: str
    lifecycles: Sequence[Lifecycle]
    healths: Sequence[Health]
    shown: Q | None = None
    created_until: datetime | None = None
    cursor: str | None = None
    oldest_first: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A page of tasks as of `now`; `next_cursor` leads on, `was_cut` says that rows remain that were not looked at."""

    tasks: Sequence[Task]
    next_cursor: str | None
    was_cut: bool
    now: datetime


def read_window(window: Window) -> Found:
    """A page of the tasks that are wanted; raises INVALID_FIELD for a cursor that is none."""
    parts = [_part(window, lifecycle, health) for lifecycle in window.lifecycles for health in window.healths]
    end = _end(window, parts) if window.shown is not None else None
    if end is not None:
        parts = [part.filter(_up_to(end, oldest_first=window.oldest_first)) for part in parts]
    if window.shown is not None:
        parts = [part.filter(window.shown) for part in parts]
    rows = [row for part in parts for row in part[: PAGE_SIZE + 1]]
    rows.sort(key=_place, reverse=not window.oldest_first)
    page = rows[:PAGE_SIZE]
    if len(rows) > PAGE_SIZE:
        return Found(page, _cursor(_place(page[-1])), was_cut=False, now=window.now)
    return Found(page, _cursor(end) if end else None, was_cut=end is not None, now=window.now)


def _part(window: Window, lifecycle: Lifecycle, health: Health) -> QuerySet[Task]:
    rows = Task.objects.filter(tenant_id=window.tenant, lifecycle_status=lifecycle, health=health)
    if window.created_until is not None:
        rows = rows.filter(created_at__lte=window.created_until)
    if window.cursor is not None:
        place = Cursor.decode(window.cursor)
        rows = rows.filter(_beyond((place.updated_at, place.id), oldest_first=window.oldest_first))
    return rows.order_by(*(("created_at", "id") if window.oldest_first else ("-created_at", "-id")))


def _end(window: Window, parts: Iterable[QuerySet[Task]]) -> _Place | None:
    """The last place that is still looked at: the nearest of those where a part has LOOKED_AT rows before it."""
    last = LOOKED_AT - 1
    places = [row for part in parts for row in part.values_list("created_at", "id")[last : last + 1]]
    return (min if window.oldest_first else max)(places, default=None)


# In both, the first condition alone is what an index can use.
def _up_to(place: _Place, *, oldest_first: bool) -> Q:
    created_at, task_id = place
    if oldest_first:
        return Q(created_at__lte=created_at) & (Q(created_at__lt=created_at) | Q(id__lte=task_id))
    return Q(created_at__gte=created_at) & (Q(created_at__gt=created_at) | Q(id__gte=task_id))


def _beyond(place: _Place, *, oldest_first: bool) -> Q:
    created_at, task_id = place
    if oldest_first:
        return Q(created_at__gte=created_at) & (Q(created_at__gt=created_at) | Q(id__gt=task_id))
    return Q(created_at__lte=created_at) & (Q(created_at__lt=created_at) | Q(id__lt=task_id))


def _place(task: Task) -> _Place:
    return task.created_at, task.id


def _cursor(place: _Place) -> str:
    return Cursor(*place).encode()
