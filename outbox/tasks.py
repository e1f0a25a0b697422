"""What Celery runs for the outbox: shells around the relay and the purge."""

import threading
from typing import Final

from celery import shared_task

from outbox import relay
from outbox.nudge import DRAIN_TASK
from outbox.purge import purge_settled

DRAIN_BUDGET_SECONDS: Final = 2.0
PURGE_BUDGET_SECONDS: Final = 20.0

_asked = threading.Event()
_draining = threading.Lock()


@shared_task(name=DRAIN_TASK, ignore_result=True)  # type: ignore[untyped-decorator]
def drain() -> None:
    """Publish what is due; a drain that is asked for while this process drains is done by the one that runs."""
    _asked.set()
    while _asked.is_set() and _draining.acquire(blocking=False):
        try:
            _asked.clear()
            relay.drain(DRAIN_BUDGET_SECONDS)
        finally:
            _draining.release()


@shared_task(name="outbox.tasks.purge", ignore_result=True)  # type: ignore[untyped-decorator]
def purge() -> None:
    """Delete what was settled longer ago than RETENTION_OUTBOX, as far as the budget goes."""
    purge_settled(PURGE_BUDGET_SECONDS)
