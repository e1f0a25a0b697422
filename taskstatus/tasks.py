"""What Celery runs: shells around use cases."""

from celery import shared_task

from taskstatus.services import flush_progress as progress
from taskstatus.services import reconcile_health as health


@shared_task(  # type: ignore[untyped-decorator]
    name="taskstatus.tasks.flush_progress", ignore_result=True
)
def flush_progress() -> None:
    """Make kept progress that is due a version (ruling 35); beat asks for it every second."""
    progress.flush_progress()


@shared_task(  # type: ignore[untyped-decorator]
    name="taskstatus.tasks.reconcile_health", ignore_result=True
)
def reconcile_health() -> None:
    """Find executions that fell silent, stuck, late or over time; beat asks for it every HEALTH_SCAN_SECONDS."""
    health.reconcile_health()
