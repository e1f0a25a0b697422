"""How others put commands into the outbox: in their own transaction, one statement for many."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db import connection, transaction

from outbox.models import OutboxMessage
from outbox.models.message import Command, Status
from outbox.nudge import nudge


class Outgoing(NamedTuple):
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
_COLUMNS: Final = Outgoing._fields


def enqueue(messages: Sequence[Outgoing], execute: Callable[[str, Sequence[Any]], object] | None = None) -> None:
    """Write the messages as PENDING rows; the caller's transaction decides whether they come to be.

    A caller that gives `execute` takes the statements and their values, and runs them in that transaction itself.
    """
    if not messages:
        return
    transaction.on_commit(nudge, robust=True)
    most_rows = (connection.features.max_query_params or MAX_STATEMENT_CHARACTERS) // len(_COLUMNS)
    for chunk in _chunks(messages, most_rows):
        values = [value for message in chunk for value in message]
        (execute or _execute)(_statement(len(chunk), connection.vendor), values)


def _execute(sql: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@lru_cache
def _statement(rows: int, vendor: str) -> str:
    """The INSERT of so many rows; bulk_create would make it anew for each call, which costs more than running it.

    Every row begins as PENDING and untried; the database adds the times, and the rest stays null until it is claimed.
    """
    del vendor  # part of the key: it decides how names are quoted
    quote = connection.ops.quote_name
    columns = ", ".join(map(quote, ("status", "attempts", *_COLUMNS)))
    places = f"('{Status.PENDING}', 0, {', '.join(['%s'] * len(_COLUMNS))})"
    return f"INSERT INTO {quote(OutboxMessage._meta.db_table)} ({columns}) VALUES {', '.join([places] * rows)}"  # noqa: S608, SLF001


def _chunks(messages: Sequence[Outgoing], most_rows: int) -> Iterator[list[Outgoing]]:
    chunk: list[Outgoing] = []
    size = 0
    for message in messages:
        if chunk and (size + len(message.payload) > MAX_STATEMENT_CHARACTERS or len(chunk) == most_rows):
            yield chunk
            chunk, size = [], 0
        chunk.append(message)
        size += len(message.payload)
    if chunk:
        yield chunk
