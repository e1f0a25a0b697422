"""The executions of a scope that have not ended, by their health: what a coordinator decides about (protocol 4.1)."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from taskstatus.commands.queries import ListExecutions
from taskstatus.domain.lifecycle import LIVE, Health
from taskstatus.identity.principals import Service
from taskstatus.models import Step
from taskstatus.projections.executions import execution_view
from taskstatus.projections.task_summary import Json, instant
from taskstatus.queries.clock import read_clock, reading
from taskstatus.queries.cursors import Cursor

# Narrow: what is sorted for a page is every such execution, and texts and JSON would be sorted along.
_COLUMNS: Final = (
    "task__workflow_id",
    "task__version",
    "task__task_type",
    "task__title",
    "task__lifecycle_status",
    "task__cancel_requested_at",
    "task_attempt",
    "step_id",
    "attempt",
    "execution_id",
    "operation_code",
    "producer_id",
    "lifecycle_status",
    "health",
    "health_reason",
    "health_since",
    "stale_since",
    "last_heartbeat_at",
    "activated_at",
    "started_at",
    "lease__last_heartbeat_at",
)
# Health and its reason last changed then; before that it is what an execution begins with.
SINCE: Final = Coalesce("health_since", "started_at", "activated_at")


def list_executions(caller: Service, query: ListExecutions) -> Json:
    """A page of `{items, nextCursor, epoch, asOf}`: those that are longest in their health come first.

    Activated and not ended, in the current attempts of tasks that have not ended. What it costs grows with the number
    of the tenant's live tasks in these healths; ended ones are not looked at.
    """
    now, epoch = read_clock()
    found = _running(caller, query.health)
    if query.older_than_seconds is not None:
        found = found.filter(since__lte=now - timedelta(seconds=query.older_than_seconds))
    if query.cursor is not None:
        found = found.filter(_after(Cursor.decode(query.cursor)))
    rows = list(found.order_by("since", "execution_id")[: query.limit + 1])
    last = rows[query.limit - 1] if len(rows) > query.limit else None
    return {
        "items": [execution_view(row) for row in rows[: query.limit]],
        "nextCursor": Cursor(reading(last, "since"), str(last.execution_id)).encode() if last is not None else None,
        "epoch": str(epoch),
        "asOf": instant(now),
    }


def _running(caller: Service, healths: Iterable[str]) -> "QuerySet[Any]":
    """Annotated with `since`."""
    wanted = frozenset(healths) or frozenset(Health)
    live = sorted(LIVE)
    steps = Step.objects.filter(
        task__tenant_id=caller.tenant,
        task__lifecycle_status__in=live,
        task__health__in=_at_least(wanted),
        task__authority_scope=caller.scope,
        is_current=True,
        lifecycle_status__in=live,
        execution_id__isnull=False,
        health__in=sorted(wanted),
    )
    return steps.select_related("task", "lease").only(*_COLUMNS).annotate(since=SINCE)


def _at_least(healths: Iterable[str]) -> list[Health]:
    """The healths of tasks with such executions: a task's is the worst of its steps' (ruling 15)."""
    order = list(Health)
    return order[min(order.index(Health(health)) for health in healths) :]


def _after(place: Cursor) -> Q:
    return Q(since__gt=place.updated_at) | Q(since=place.updated_at, execution_id__gt=place.id)
