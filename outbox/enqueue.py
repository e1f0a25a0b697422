"""How others put commands into the outbox: in their own transaction, one statement for many."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from outbox.models import OutboxMessage
from outbox.models.message import Command
from outbox.nudge import nudge


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A command about one channel. `payload` is JSON text: what a PUBLISH publishes, `{"user": …}` of a REVOKE.

    `coalescible` says that a newer message of the same aggregate, channel and projection may replace it: never true
    for notices, ends, creations, new attempts and removals (ruling 20).
    """

    aggregate_type: str
    aggregate_id: str
    aggregate_version: int
    epoch: int
    channel: str
    projection: str
    payload: str
    coalescible: bool = False
    event_id: str | None = None
    command: Command = Command.PUBLISH


# Keeps one INSERT well below the smallest default packet limit of the supported servers (16 MiB).
MAX_STATEMENT_CHARACTERS = 4_000_000


def enqueue(messages: Sequence[Outgoing]) -> None:
    """Write the messages as PENDING rows; the caller's transaction decides whether they come to be."""
    transaction.on_commit(nudge, robust=True)
    for chunk in _chunks(messages):
        OutboxMessage.objects.bulk_create([_row(message) for message in chunk])


def _row(message: Outgoing) -> OutboxMessage:
    return OutboxMessage(
        command=message.command,
        aggregate_type=message.aggregate_type,
        aggregate_id=message.aggregate_id,
        aggregate_version=message.aggregate_version,
        epoch=message.epoch,
        channel=message.channel,
        projection=message.projection,
        payload=message.payload,
        coalescible=message.coalescible,
        event_id=message.event_id,
    )


def _chunks(messages: Sequence[Outgoing]) -> list[list[Outgoing]]:
    chunks: list[list[Outgoing]] = []
    size = MAX_STATEMENT_CHARACTERS
    for message in messages:
        if size + len(message.payload) > MAX_STATEMENT_CHARACTERS:
            chunks.append([])
            size = 0
        chunks[-1].append(message)
        size += len(message.payload)
    return chunks
