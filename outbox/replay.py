"""Reading again what somebody missed: rows between two places, of the channels that are theirs."""

from collections.abc import Collection, Iterator
from typing import Final

from django.db.models import Q

from outbox.tail import Place, Row, Seen, read_rows

PAGE_ROWS: Final = 200


def missed_rows(since: Place, until: Place, channels: Collection[str]) -> Iterator[list[Seen]]:
    """Yield pages of the rows that one at `since` has not seen and one at `until` has, oldest first.

    Each row comes with a place to go on from. Rows that `until` itself waits for are not asked for: its owner gets
    them when they come.
    """
    wanted = Q(channel__in=channels) & (Q(id__gt=since.last, id__lte=until.last) | Q(id__in=since.gaps))
    after = 0
    while page := read_rows(wanted & Q(id__gt=after), PAGE_ROWS):
        after = page[-1].id
        yield [Seen(row, _place_at(row, since, until)) for row in page]


def _place_at(row: Row, since: Place, until: Place) -> Place:
    """Late rows come first. One who breaks off among them starts again, and sees a message twice at most."""
    if row.id <= since.last:
        return since
    return Place(row.id, frozenset(gap for gap in until.gaps if gap < row.id))
