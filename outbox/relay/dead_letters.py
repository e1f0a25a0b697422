"""What an operator may do with a message that was refused for good: send it again, or give it up."""

from collections.abc import Callable, Iterable, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.nudge import nudge

# Called in the same transaction with the rows that are about to change, so that who did it is kept or nothing happens.
Record = Callable[[Sequence[OutboxMessage]], None]


def requeue(ids: Iterable[int], record: Record) -> int:
    """Make those of the messages that are dead wait again, with all their tries; return how many."""
    with transaction.atomic(durable=True):
        rows = _locked_dead(ids)
        record(rows)
        _same(rows).update(status=Status.PENDING, attempts=0, available_at=Now())
        transaction.on_commit(nudge, robust=True)
    return len(rows)


def discard(ids: Iterable[int], record: Record) -> int:
    """Delete those of the messages that are dead; return how many."""
    with transaction.atomic(durable=True):
        rows = _locked_dead(ids)
        record(rows)
        _same(rows).delete()
    return len(rows)


def _locked_dead(ids: Iterable[int]) -> list[OutboxMessage]:
    dead = OutboxMessage.objects.filter(pk__in=list(ids), status=Status.DEAD)
    return list(dead.order_by("pk").select_for_update())


def _same(rows: Iterable[OutboxMessage]) -> QuerySet[OutboxMessage]:
    return OutboxMessage.objects.filter(pk__in=[row.pk for row in rows])
