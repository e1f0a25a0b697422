"""The one reader of the outbox in this process. All of it runs in one thread, which keeps its connection meanwhile."""

from collections.abc import Collection, Mapping

from django.db import connections

from outbox.tail import Place, Tail, newest_id
from realtime.seats import Held, seats
from realtime.stream.hub import Batch, Moment
from realtime.stream.opening import SEAT_SECONDS
from realtime.watch_set import watchers
from taskstatus.identity.principals import User
from taskstatus.projections.channels import is_detail
from taskstatus.queries.clock import read_clock


class Reader:
    """Follows the table from the moment of its start; every method may raise Django's database errors."""

    def __init__(self) -> None:
        self._tail = Tail(Place(0))
        self._moment = Moment(0, 0)

    def start(self) -> tuple[Place, Moment]:
        """Stand behind the newest row, and say where that is."""
        self._moment = read_moment()
        self._tail = Tail.from_now()
        return self._tail.place, self._moment

    def look_around(self) -> tuple[Moment, bool]:
        """The moment, and whether the table is another than it was: a newer epoch, or rows that are gone again.

        Then nothing leads from the old place to the new rows, and the reader has to `start` anew.
        """
        moment = read_moment()
        is_other = moment.epoch != self._moment.epoch or newest_id() < self._tail.place.last
        self._moment = moment
        return moment, is_other

    def read(self, sessions: Mapping[str, User]) -> Batch:
        """The next rows; who watches is read after them, so that a watch set holds for all that came after it."""
        rows = self._tail.ahead()
        details = {seen.row.channel for seen in rows if is_detail(seen.row.channel)}
        batch = Batch(rows, watchers(details, sessions) if details and sessions else {})
        self._tail.move(rows)
        return batch

    def renew(self, places: Collection[Held]) -> None:
        """Keep the places of the open streams."""
        seats().renew(places, SEAT_SECONDS)

    def stop(self) -> None:
        """Give the connection back."""
        connections.close_all()


def read_moment() -> Moment:
    """The data epoch and the database's clock."""
    now, epoch = read_clock()
    return Moment(epoch, int(now.timestamp()))
