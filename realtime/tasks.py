"""What Celery runs for realtime: a shell around the purge."""

from typing import Final

from celery import shared_task

from realtime.purge import purge_lapsed

PURGE_BUDGET_SECONDS: Final = 20.0


@shared_task(name="realtime.tasks.purge", ignore_result=True)  # type: ignore[untyped-decorator]
def purge() -> None:
    """Delete places and watched tasks that have lapsed, as far as the budget goes."""
    purge_lapsed(PURGE_BUDGET_SECONDS)
