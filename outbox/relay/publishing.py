"""One batch goes to the publisher; a command that spoils the whole call is found and stands alone."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection

from outbox.publishers import Delivery, Publisher, PublishError, PublisherUnavailableError

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Answers:
    """What the publisher said of each command, by id; a command that is missing here was not answered for."""

    verdicts: dict[int, PublishError | None] = field(default_factory=dict)
    outage: str | None = None


def publish(publisher: Publisher, deliveries: Sequence[Delivery], deadline_seconds: float) -> Answers:
    """Publish within the deadline, in one call if nothing spoils it; raises RuntimeError inside a transaction.

    A call that is refused as a whole, or that breaks the publisher, is halved until the culprit is alone.
    """
    if connection.in_atomic_block:
        raise RuntimeError("a publisher must not be called while a transaction is open")
    end = time.monotonic() + deadline_seconds
    answers = Answers()
    parts = [list(deliveries)] if deliveries else []
    while parts:
        part = parts.pop()
        seconds_left = end - time.monotonic()
        if seconds_left <= 0:
            answers.outage = "the publish deadline passed"
            break
        try:
            answers.verdicts |= _ask(publisher, part, seconds_left)
        except PublisherUnavailableError as error:
            answers.outage = error.reason
            break
        except PublishError as error:
            if len(part) == 1:
                answers.verdicts[part[0].id] = error
            else:
                # Popped from the end: the first half goes first, so that the order is kept.
                parts += [part[len(part) // 2 :], part[: len(part) // 2]]
    return answers


def _ask(publisher: Publisher, part: Sequence[Delivery], seconds: float) -> dict[int, PublishError | None]:
    try:
        answers = publisher.publish(part, seconds)
        verdicts = {delivery.id: answer for delivery, answer in zip(part, answers, strict=True)}
    except (PublishError, PublisherUnavailableError):
        raise
    except Exception as error:
        log.exception("the publisher broke", extra={"outboxIds": [delivery.id for delivery in part]})
        raise PublishError(f"the publisher broke: {type(error).__name__}", retryable=True) from error
    if len(part) > 1 and all(answer is not None and answer.retryable for answer in verdicts.values()):
        # Not one of several gets through: that is the publisher's state and no command's fault.
        raise PublisherUnavailableError(next(str(answer) for answer in verdicts.values()))
    return verdicts
