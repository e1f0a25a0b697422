"""Whom the reconciler has to look at: read by indexes of stored moments and without a lock (ruling 29)."""

from collections.abc import Sequence

from django.db.models.functions import Now

from taskstatus.domain.outages import Outage
from taskstatus.models import ExecutionLease, ServiceOutage, Step

# Older ones can't matter: even the longest useful timeout is shorter than what so many of them span.
_OUTAGES: int = 100


def overdue_leases(limit: int) -> list[ExecutionLease]:
    """Leases whose deadline has passed, the oldest first; those of executions that are STALE already have none."""
    due = ExecutionLease.objects.filter(deadline_at__lte=Now()).order_by("deadline_at", "execution_id")
    return list(due[:limit])


def tasks_of_due_steps(limit: int) -> Sequence[str]:
    """Tasks with a step that some other clock than its lease runs out on, the oldest first, perhaps several times."""
    due = Step.objects.filter(health_due_at__lte=Now()).order_by("health_due_at", "pk")
    return list(due.values_list("task_id", flat=True)[:limit])


def ended_outages() -> list[Outage]:
    """The newest outages of the service that are over."""
    rows = ServiceOutage.objects.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")[:_OUTAGES]
    return [Outage(row.began_at, row.ended_at) for row in rows]
