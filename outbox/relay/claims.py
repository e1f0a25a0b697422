"""Taking commands out of the queue: a short transaction that leaves a lease behind (rulings 13 and 27)."""

import secrets
from dataclasses import dataclass, fields
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Command, Status
from outbox.publishers import Delivery

COLUMNS = tuple(column.name for column in fields(Delivery))


@dataclass(frozen=True, slots=True)
class Claim:
    """Commands that one relay holds until its lease ends; the token proves that it still does."""

    token: str
    deliveries: list[Delivery]
    taken_over: int


def due() -> QuerySet[OutboxMessage]:
    """The commands that wait and may be claimed, longest due first; served by outbox_claim_idx."""
    return OutboxMessage.objects.filter(status=Status.PENDING, available_at__lte=Now()).order_by("available_at", "id")


def lapsed() -> QuerySet[OutboxMessage]:
    """The commands whose relay did not settle them in time; served by outbox_claim_lapse_idx."""
    return OutboxMessage.objects.filter(status=Status.PROCESSING, claimed_until__lte=Now()).order_by(
        "claimed_until", "id"
    )


def claim(relay: str, limit: int, lease_seconds: float) -> Claim | None:
    """Claim up to `limit` commands for `relay`, lapsed ones first; None where nothing is to be had.

    Commands that another relay is about to claim are skipped, not waited for. On SQLite nothing skips locked rows: its
    one writer at a time keeps two relays apart.
    """
    # Looked up without a lock first, so that an idle relay holds nobody up; on SQLite it would hold up every writer.
    if not due().exists() and not lapsed().exists():
        return None
    with transaction.atomic(durable=True):
        taken_over = _lock(lapsed(), limit)
        rows = taken_over + _lock(due(), limit - len(taken_over))
        if not rows:
            return None
        token = secrets.token_hex(16)
        OutboxMessage.objects.filter(pk__in=[row.id for row in rows]).update(
            status=Status.PROCESSING,
            claim_token=token,
            claimed_by=relay,
            claimed_until=Now() + timedelta(seconds=lease_seconds),
            attempts=F("attempts") + 1,
        )
    return Claim(token, rows, len(taken_over))


def _lock(rows: QuerySet[OutboxMessage], limit: int) -> list[Delivery]:
    values = rows.select_for_update(skip_locked=True).values_list(*COLUMNS)[:limit]
    return [_delivery(*row) for row in values]


def _delivery(row_id: int, command: str, *others: object) -> Delivery:
    return Delivery(row_id, Command(command), *others)  # type: ignore[arg-type]  # in the order of COLUMNS
