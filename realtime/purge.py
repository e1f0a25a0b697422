"""Deleting places and watched tasks that have lapsed, a bounded batch at a time (O04).

Neither is a fact and both lapse by themselves; this only keeps the tables small.
"""

import time
from datetime import timedelta
from typing import Final, TypeVar

from django.db.models import Model, QuerySet
from django.db.models.functions import Now

from realtime.models import Seat, WatchedTask

Row = TypeVar("Row", bound=Model)

BATCH_SIZE: Final = 500
# A stream that could not renew its place while the database was away finds it again when the database is back.
KEPT_AFTER_LAPSE: Final = timedelta(hours=1)


def purge_lapsed(budget_seconds: float) -> int:
    """Delete what lapsed an hour ago or earlier; return how many rows went.

    One short transaction a batch, so that nobody waits for it; ends when nothing is left or the budget is spent.
    """
    end = time.monotonic() + budget_seconds
    deleted = 0
    for rows in (Seat.objects.all(), WatchedTask.objects.all()):
        while time.monotonic() < end and (ids := list(_lapsed(rows).values_list("pk", flat=True)[:BATCH_SIZE])):
            # Asked again, for somebody may have sat down on the place meanwhile.
            deleted += _lapsed(rows).filter(pk__in=ids).order_by().delete()[0]
    return deleted


def _lapsed(rows: QuerySet[Row]) -> QuerySet[Row]:
    return rows.filter(expires_at__lte=Now() - KEPT_AFTER_LAPSE).order_by("expires_at")
