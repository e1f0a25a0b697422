"""Whom the reconciler has to look at: read by indexes of stored moments and without a lock (ruling 29).

What is due is asked of an index that holds all that is asked for. Otherwise the database would rather read and sort the
whole table where very many are due at once, as after a network's failure (tests/services/test_due_plans.py).
"""

from collections.abc import Sequence
from typing import Final

from django.db.models.functions import Now

from taskstatus.domain.outages import Outage
from taskstatus.models import ExecutionLease, ServiceOutage, Step

# Older ones can't matter: even the longest useful timeout is shorter than what so many of them span.
_OUTAGES: Final = 100


def overdue_leases(limit: int) -> list[ExecutionLease]:
    """Leases whose deadline has passed, the oldest first; those of executions that are STALE already have none."""
    due = ExecutionLease.objects.filter(deadline_at__lte=Now()).order_by("deadline_at", "pk")
    keys = list(due.values_list("pk", flat=True)[:limit])
    found = ExecutionLease.objects.in_bulk(keys)
    return [found[key] for key in keys if key in found]


def tasks_of_due_steps(limit: int) -> Sequence[str]:
    """Tasks with a step that some other clock than its lease runs out on, perhaps several times; at most `limit`."""
    due = Step.objects.filter(health_due_at__lte=Now()).order_by("health_due_at", "pk")
    keys = list(due.values_list("pk", flat=True)[:limit])
    return list(Step.objects.filter(pk__in=keys).values_list("task_id", flat=True))


def ended_outages() -> list[Outage]:
    """The newest outages of the service that are over."""
    rows = ServiceOutage.objects.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")[:_OUTAGES]
    return [Outage(row.began_at, row.ended_at) for row in rows]
