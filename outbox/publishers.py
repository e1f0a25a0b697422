"""What the relay asks of a publisher, and in which words a publisher answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from django.conf import settings
from django.utils.module_loading import import_string

from outbox.models.message import Command


@dataclass(frozen=True, slots=True)
class Delivery:
    """A command as the relay hands it on; `payload` is JSON text, `id` the row's."""

    id: int
    command: Command
    aggregate_type: str
    aggregate_id: str
    aggregate_version: int
    epoch: int
    channel: str
    projection: str
    payload: str
    coalescible: bool
    event_id: str | None
    attempts: int


class PublishError(Exception):
    """One command was not carried out: try it again later, or never.

    `reason` is kept with the row and shown to operators, so it is made of fixed words and numbers: no address, no
    credential, nothing of the payload.
    """

    def __init__(self, reason: str, *, retryable: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable


class PublisherUnavailableError(Exception):
    """Nothing can be published now, and that is no fault of any command: an outage, or a wrong key.

    `reason` follows the rule of `PublishError.reason`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Publisher(Protocol):
    """Carries commands to the realtime layer. At least once: a command may come again."""

    def publish(self, deliveries: Sequence[Delivery], timeout_seconds: float) -> Sequence[PublishError | None]:
        """Carry the commands out in order, within the time, and answer for each: None, or why not.

        Raises PublisherUnavailableError where the answer would be the same for any command, and PublishError where
        the call as a whole was refused because of a command in it; the relay then finds out which.
        """
        ...


def configured_publisher() -> Publisher:
    """Make the publisher that OUTBOX_PUBLISHER names by its dotted path."""
    return cast("Publisher", import_string(settings.OUTBOX_PUBLISHER)())
