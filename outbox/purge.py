"""Deleting settled rows after their retention, a bounded batch at a time (O04)."""

import time
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Status

BATCH_SIZE: Final = 500


def purge_settled(budget_seconds: float) -> int:
    """Delete published and superseded rows older than RETENTION_OUTBOX; return how many.

    One short transaction a batch, so that nobody waits for it; ends when nothing is left or the budget is spent.
    """
    end = time.monotonic() + budget_seconds
    deleted = 0
    for rows in (_published(), _superseded()):
        while time.monotonic() < end and (ids := list(rows.values_list("pk", flat=True)[:BATCH_SIZE])):
            deleted += OutboxMessage.objects.filter(pk__in=ids).delete()[0]
    return deleted


def _superseded() -> QuerySet[OutboxMessage]:
    # In the order of outbox_claim_idx: the oldest rows stand first, and no index has to be kept for the purge.
    return OutboxMessage.objects.filter(
        status=Status.SUPERSEDED, available_at__lte=Now() - settings.RETENTION_OUTBOX
    ).order_by("available_at", "id")


def _published() -> QuerySet[OutboxMessage]:
    # What was due long ago may have been published just now, after an outage.
    cutoff = Now() - settings.RETENTION_OUTBOX
    return OutboxMessage.objects.filter(
        status=Status.PUBLISHED, available_at__lte=cutoff, published_at__lte=cutoff
    ).order_by("available_at", "id")
