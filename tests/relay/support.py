"""An outbox with messages in it, and publishers whose answers a test decides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from outbox.enqueue import Outgoing, enqueue
from outbox.models import OutboxMessage
from outbox.models.message import Command
from outbox.publishers import Delivery, PublishError
from outbox.relay import Relay, Terms
from outbox.relay.breaker import Breaker

# More than a busy machine needs: for a drain, and for publishing a batch.
BUDGET_SECONDS = 60
TERMS = Terms(batch_size=100, lease_seconds=300, publish_deadline_seconds=60)
Answer = Callable[[Delivery], PublishError | None]


def message(version: int = 1, aggregate: str = "tsk_000_A", **members: Any) -> Outgoing:
    """A message about an aggregate, on its detail channel unless another is named."""
    known: dict[str, Any] = {
        "aggregate_type": "TASK",
        "aggregate_id": aggregate,
        "aggregate_version": version,
        "epoch": 1,
        "channel": f"task_detail:acme/{aggregate}",
        "projection": "TASK_DETAIL",
        "payload": f'{{"taskVersion":"{version}"}}',
    }
    return Outgoing(**known | members)


def put(*messages: Outgoing) -> list[int]:
    """Commit the messages and return the ids of their rows, in order."""
    last = OutboxMessage.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    with transaction.atomic():
        enqueue(messages)
    return list(OutboxMessage.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True))


def delivery(row_id: int = 1, **members: Any) -> Delivery:
    """A claimed command that no database knows."""
    known: dict[str, Any] = {
        "id": row_id,
        "command": Command.PUBLISH,
        "aggregate_type": "TASK",
        "aggregate_id": "tsk_000_A",
        "aggregate_version": row_id,
        "epoch": 1,
        "channel": "task_detail:acme/tsk_000_A",
        "projection": "TASK_DETAIL",
        "payload": "{}",
        "coalescible": False,
        "event_id": None,
        "attempts": 0,
    }
    return Delivery(**known | members)


@dataclass
class Scripted:
    """A publisher that answers as it is told and keeps what it was given, call by call."""

    answer: Answer = lambda _: None
    calls: list[list[int]] = field(default_factory=list)
    before: Callable[[], object] = lambda: None

    def publish(self, deliveries: Sequence[Delivery], timeout_seconds: float) -> list[PublishError | None]:  # noqa: ARG002
        self.calls.append([delivery.id for delivery in deliveries])
        self.before()
        return [self.answer(delivery) for delivery in deliveries]

    @property
    def published(self) -> list[int]:
        """All ids in the order in which they came."""
        return [row_id for call in self.calls for row_id in call]


def refusing(*ids: int, retryable: bool) -> Answer:
    """An answer that refuses these and takes all others."""
    return lambda d: PublishError("no", retryable=retryable) if d.id in ids else None


def relay(publisher: Any, name: str = "relay-1", terms: Terms = TERMS, breaker: Breaker | None = None) -> Relay:
    """A relay of this publisher."""
    return Relay(publisher, name, terms, breaker)


def statuses() -> dict[int, str]:
    """The status of every row, by id."""
    return dict(OutboxMessage.objects.order_by("pk").values_list("pk", "status"))


def row(row_id: int) -> OutboxMessage:
    """The row as it is now."""
    return OutboxMessage.objects.get(pk=row_id)


def let_leases_lapse(**which: Any) -> None:
    """End these leases now, or all."""
    OutboxMessage.objects.filter(status="PROCESSING", **which).update(claimed_until=Now())


def make_due() -> None:
    """End every pause now."""
    OutboxMessage.objects.filter(status="PENDING").update(available_at=Now())
