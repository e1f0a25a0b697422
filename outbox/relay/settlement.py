"""Writing down what became of a claim, and only while the claim still holds."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from outbox.backoff import pause_seconds
from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.publishers import Delivery, PublishError
from outbox.relay.claims import Claim
from outbox.relay.coalescing import Plan
from outbox.relay.publishing import Answers

# By the backoff's mean pause this is most of an hour of a fault that spares the command's neighbours.
MAX_ATTEMPTS: Final = 100
_UNCLAIMED: Final[dict[str, Any]] = {"claim_token": None, "claimed_until": None}

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Fates:
    """What becomes of each command of a claim."""

    published: list[int] = field(default_factory=list)
    superseded: list[int] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    retried: list[tuple[Delivery, PublishError]] = field(default_factory=list)
    dead: list[tuple[Delivery, PublishError]] = field(default_factory=list)


def judge(plan: Plan, answers: Answers) -> Fates:
    """Decide the fate of every claimed command.

    A message is superseded only where its heir was published or will be tried again; otherwise it is released.
    """
    fates = Fates()
    for delivery in plan.to_publish:
        _judge_one(delivery, answers, fates)
    lost_heirs = {*fates.released, *(delivery.id for delivery, _ in fates.dead)}
    for old, heir in plan.heirs.items():
        (fates.released if heir in lost_heirs else fates.superseded).append(old)
    return fates


def _judge_one(delivery: Delivery, answers: Answers, fates: Fates) -> None:
    if delivery.id not in answers.verdicts:
        fates.released.append(delivery.id)
        return
    error = answers.verdicts[delivery.id]
    if error is None:
        fates.published.append(delivery.id)
    elif error.retryable and delivery.attempts + 1 < MAX_ATTEMPTS:
        fates.retried.append((delivery, error))
    else:
        fates.dead.append((delivery, error))


def settle(claim: Claim, fates: Fates) -> int:
    """Write the fates in one transaction and return how many commands were no longer held.

    Those were taken over after the lease had ended. They are left as they are: their new holder settles them.
    """
    with transaction.atomic(durable=True):
        settled = (
            _update(claim, fates.published, status=Status.PUBLISHED, published_at=Now(), last_error=None)
            + _update(claim, fates.superseded, status=Status.SUPERSEDED)
            + _release(claim, fates.released)
            + sum(_retry(claim, delivery, error) for delivery, error in fates.retried)
            + sum(_bury(claim, delivery, error) for delivery, error in fates.dead)
        )
    lost = len(claim.deliveries) - settled
    if lost:
        log.warning("claims were lost before they were settled", extra={"lost": lost, "claimed": len(claim.deliveries)})
    return lost


def _release(claim: Claim, ids: Iterable[int]) -> int:
    """Give commands back that nothing was learnt about: no attempt is counted.

    They go to the end of the queue, so that the single try after an outage is not always made with the same one.
    """
    return _update(claim, ids, status=Status.PENDING, attempts=F("attempts") - 1, available_at=Now())


def _retry(claim: Claim, delivery: Delivery, error: PublishError) -> int:
    due_at = Now() + timedelta(seconds=pause_seconds(delivery.attempts + 1))
    return _update(claim, [delivery.id], status=Status.PENDING, available_at=due_at, last_error=error.reason)


def _bury(claim: Claim, delivery: Delivery, error: PublishError) -> int:
    buried = _update(claim, [delivery.id], status=Status.DEAD, last_error=error.reason)
    if buried:
        log.error("a command can't be published and goes to the dead letters: %s", error.reason, extra=_ids(delivery))
    return buried


def _update(claim: Claim, ids: Iterable[int], **columns: Any) -> int:
    held = OutboxMessage.objects.filter(pk__in=list(ids), claim_token=claim.token)
    return held.update(**_UNCLAIMED, **columns)


def _ids(delivery: Delivery) -> dict[str, object]:
    return {
        "outboxId": delivery.id,
        "eventId": delivery.event_id,
        "aggregateId": delivery.aggregate_id,
        "aggregateVersion": delivery.aggregate_version,
        "channel": delivery.channel,
    }
