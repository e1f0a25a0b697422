"""What Celery runs: shells around use cases."""

from celery import shared_task

from taskstatus.services import flush_progress as progress


@shared_task(  # type: ignore[untyped-decorator]
    name="taskstatus.tasks.flush_progress", ignore_result=True
)
def flush_progress() -> None:
    """Make kept progress that is due a version (ruling 35); beat asks for it every second."""
    progress.flush_progress()
