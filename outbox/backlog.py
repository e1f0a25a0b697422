"""How much waits in the outbox, and since when."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Count, DateTimeField, ExpressionWrapper, Min
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Status

UNSETTLED: Final = (Status.PENDING, Status.PROCESSING, Status.DEAD)


@dataclass(frozen=True, slots=True)
class Backlog:
    """The rows of one status; `oldest_age` is None where there are none."""

    status: Status
    rows: int = 0
    oldest_age: timedelta | None = None


def backlog() -> list[Backlog]:
    """Return the rows that wait, are being published, and are dead, with the age of the oldest by the database's clock.

    Two statements, the first from an index alone: the rows that were settled are not looked at.
    """
    groups = (
        OutboxMessage.objects.filter(status__in=UNSETTLED)
        .order_by()
        .values("status")
        .annotate(rows=Count("pk"), oldest=Min("pk"))
    )
    found = {group["status"]: (group["rows"], group["oldest"]) for group in groups}
    ages = _ages([oldest for _, oldest in found.values()])
    return [
        Backlog(status, found[status][0], ages.get(found[status][1])) if status in found else Backlog(status)
        for status in UNSETTLED
    ]


def _ages(ids: list[int]) -> dict[int, timedelta]:
    now = ExpressionWrapper(Now(), output_field=DateTimeField())
    rows = OutboxMessage.objects.filter(pk__in=ids).annotate(now=now).values_list("pk", "now", "created_at")
    return {pk: max(timedelta(), now - created_at) for pk, now, created_at in rows}
