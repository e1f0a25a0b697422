"""What a client that comes back has missed, if that can still be told (protocol 6, R14)."""

from collections.abc import Iterator
from typing import Final

from django.conf import settings

from outbox.models.message import Command
from outbox.replay import missed_rows
from outbox.tail import Place, Seen, newest_id
from realtime.stream.cursor import Cursor
from realtime.stream.hub import Moment
from realtime.stream.listener import Listener
from realtime.watch_set import watched_channels

# Further back, a snapshot is cheaper for both sides than reading everybody's rows to find a user's.
MAX_ROWS_BACK: Final = 10_000


def place_of(word: str, moment: Moment) -> Place | None:
    """Where the client stood; None where it has to load a snapshot instead.

    That is so for a cursor that was never given out, of another epoch, ahead of the table, too far back, or as old as
    the rows that are purged.
    """
    cursor = Cursor.decode(word)
    if cursor is None or cursor.epoch != moment.epoch:
        return None
    is_kept = moment.unix_seconds - cursor.issued_at < settings.RETENTION_OUTBOX.total_seconds()
    is_near = 0 <= newest_id() - cursor.place.last <= MAX_ROWS_BACK
    return cursor.place if is_kept and is_near else None


def missed_messages(listener: Listener, since: Place, until: Place) -> Iterator[list[Seen]]:
    """Yield pages of what this listener would have been sent between the two places."""
    channels = listener.channels.union(watched_channels(listener.user))
    for page in missed_rows(since, until, channels):
        yield [seen for seen in page if seen.row.command is Command.PUBLISH]
