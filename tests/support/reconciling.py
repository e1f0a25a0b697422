"""Time that passes without anybody waiting, and the reconciler's passes over it."""

from datetime import timedelta
from typing import Any

from django.db.models import F, Model
from django.db.models.functions import Now
from django.test import override_settings

from taskstatus.models import ExecutionLease, ServiceOutage, ServicePulse, Step, Task, TaskEvent
from taskstatus.services.reconcile_health import HealthPass, reconcile_health
from tests.support.api import user_api
from tests.support.cast import ALICE

TIMEOUT_SECONDS = 60
# A slow machine's pauses are no outages.
UNHURRIED_SCAN_SECONDS = 60
RECONCILER = "task-status-reconciler"

_MOMENTS: dict[type[Model], tuple[str, ...]] = {
    Task: ("created_at", "started_at", "finished_at"),
    Step: (
        "created_at", "activated_at", "started_at", "finished_at", "progress_moved_at", "progress_versioned_at",
        "health_since", "health_due_at", "stale_since", "stale_escalated_at",
    ),
    ExecutionLease: ("last_heartbeat_at", "deadline_at"),
}  # fmt: skip


def time_passes(seconds: float, *workers: Any) -> None:
    """Let every moment that the reconciler goes by lie further back: of these workers' tasks, or of all."""
    task_ids = [worker.context["taskId"] for worker in workers]
    for model, names in _MOMENTS.items():
        rows = model._default_manager.all()
        if task_ids:
            rows = rows.filter(**{"pk__in" if model is Task else "task_id__in": task_ids})
        rows.update(**{name: F(name) - timedelta(seconds=seconds) for name in names})


def silence(*workers: Any) -> None:
    """Let the workers' executions, or all, just have missed their deadline."""
    time_passes(TIMEOUT_SECONDS + 1, *workers)


def reconciled() -> HealthPass:
    """A pass of a reconciler that was there all the time, however long the test took to come to it."""
    if not ServicePulse.objects.filter(pk=ServicePulse.RECONCILER).update(seen_at=Now()):
        sign(ServicePulse.RECONCILER)
    with override_settings(HEALTH_SCAN_SECONDS=UNHURRIED_SCAN_SECONDS):
        return reconcile_health()


def changed() -> int:
    """How many executions such a pass brings into another state."""
    return reconciled().changed


def due() -> int:
    """How many steps the reconciler would look at now for another clock than their lease's."""
    return Step.objects.filter(health_due_at__lte=Now()).count()


def sign(name: str, seconds_ago: float = 0) -> None:
    """Let a part of the service have given its last sign so long ago."""
    ServicePulse.objects.update_or_create(name=name, defaults={"seen_at": Now() - timedelta(seconds=seconds_ago)})


def outage(began: float, ended: float | None) -> None:
    """Let the service have been away from so many seconds ago until so many seconds ago; None: it still is."""
    ends = None if ended is None else Now() - timedelta(seconds=ended)
    ServiceOutage.objects.create(began_at=Now() - timedelta(seconds=began), ended_at=ends)


def shown(worker: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The worker's task as its owner sees it, and its first step."""
    detail = user_api(ALICE).get(f"/tasks/{worker.context['taskId']}").ok()
    return detail, detail["steps"][0]


def health(worker: Any) -> tuple[str, str | None]:
    """The health and its reason that the owner sees, the task's being its only step's."""
    detail, step = shown(worker)
    assert (detail["health"], detail["healthReason"]) == (step["health"], step["healthReason"])
    return step["health"], step["healthReason"]


def health_log(worker: Any) -> list[TaskEvent]:
    """What was told of health changes of the worker's task, oldest first."""
    events = TaskEvent.objects.filter(task_id=worker.context["taskId"], event_type="STEP_HEALTH_CHANGED")
    return list(events.order_by("pk"))
