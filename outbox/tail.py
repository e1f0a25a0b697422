"""Following the outbox: committed rows in the order of their ids, and late ones as soon as they are there (ruling 23).

Two transactions may take the ids 7 and 8 and commit in the other order. Whoever asks only for ids beyond the last one
they saw would miss 7 for good. So a place in the table is the last id that was seen *and* the ids below it that were
not there yet; these are asked for again, until no transaction can still hold them.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Self

from django.db.models import Max, Q
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Command

# Longer than a transaction can last: its statements end after half a minute, and a lock wait long before.
PATIENCE_SECONDS: Final = 60.0
# How far below the newest row a new tail looks for rows that are still to come.
LOOK_BACK_IDS: Final = 1_000
MAX_GAPS: Final = 500
BATCH_ROWS: Final = 500


@dataclass(frozen=True, slots=True)
class Place:
    """Everything up to the id `last` was seen, but for `gaps`: ids below it that were not there yet."""

    last: int
    gaps: frozenset[int] = frozenset()

    def after(self, row_id: int) -> "Place":
        """The place of one who has now seen this row too; the newest MAX_GAPS gaps are kept."""
        if row_id <= self.last:
            return Place(self.last, self.gaps - {row_id})
        skipped = range(max(self.last + 1, row_id - MAX_GAPS), row_id)
        gaps = self.gaps.union(skipped) if skipped else self.gaps
        return Place(row_id, gaps if len(gaps) <= MAX_GAPS else frozenset(sorted(gaps)[-MAX_GAPS:]))

    def without(self, given_up: frozenset[int]) -> "Place":
        """The same place, no longer waiting for these ids."""
        return Place(self.last, self.gaps - given_up)


@dataclass(frozen=True, slots=True)
class Row:
    """A committed command; `payload` is JSON text."""

    id: int
    command: Command
    aggregate_type: str
    aggregate_id: str
    channel: str
    projection: str
    payload: str
    coalescible: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A row, and the place of one who has read up to it."""

    row: Row
    place: Place


class Tail:
    """One reader at the end of the table. It is used by one thread at a time."""

    def __init__(self, place: Place, clock: Callable[[], float] = time.monotonic) -> None:
        self.place = place
        self._clock = clock
        self._missed_since = dict.fromkeys(place.gaps, clock())

    @classmethod
    def from_now(cls) -> Self:
        """A tail behind the newest row, waiting for those below it whose transactions may still be open."""
        last = newest_id()
        return cls(Place(last, _open_gaps(last)))

    def ahead(self) -> list[Seen]:
        """The next rows, at most BATCH_ROWS; the tail stays where it is until `move`, so a failure loses none."""
        seen: list[Seen] = []
        place = self.place
        for row in read_rows(Q(id__gt=place.last) | Q(id__in=place.gaps), BATCH_ROWS):
            place = place.after(row.id)
            seen.append(Seen(row, place))
        return seen

    def move(self, seen: Sequence[Seen]) -> None:
        """Go behind these rows, and give up the gaps that nothing can fill any more."""
        now = self._clock()
        place = seen[-1].place if seen else self.place
        self._missed_since = {gap: self._missed_since.get(gap, now) for gap in place.gaps}
        given_up = frozenset(gap for gap, since in self._missed_since.items() if now - since > PATIENCE_SECONDS)
        self.place = place.without(given_up)


def newest_id() -> int:
    """The id of the newest row that is there, 0 without any."""
    newest: int | None = OutboxMessage.objects.aggregate(newest=Max("id"))["newest"]
    return newest or 0


def read_rows(which: Q, limit: int) -> list[Row]:
    """The first of these rows by id."""
    fields = ("id", "command", "aggregate_type", "aggregate_id", "channel", "projection", "payload", "coalescible")
    found = OutboxMessage.objects.filter(which).order_by("id").values_list(*fields)[:limit]
    return [Row(row[0], Command(row[1]), *row[2:]) for row in found]


def _open_gaps(last: int) -> frozenset[int]:
    """The ids below `last` that are missing before a row so young that their transactions may still be open."""
    rows = OutboxMessage.objects.filter(id__gt=last - LOOK_BACK_IDS, id__lte=last).annotate(now=Now()).order_by("id")
    gaps: list[int] = []
    before: int | None = None
    for row_id, created_at, now in rows.values_list("id", "created_at", "now"):
        if before is not None and now - created_at < timedelta(seconds=PATIENCE_SECONDS):
            gaps.extend(range(before + 1, row_id))
        before = row_id
    return frozenset(gaps[-MAX_GAPS:])
