"""Who listens to what in this process, and the way of a committed row to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from outbox.models.message import Command
from outbox.tail import Place, Row, Seen
from realtime.stream import frames
from realtime.stream.cursor import Cursor
from realtime.stream.frames import Frame
from realtime.stream.listener import Ending, Listener
from taskstatus.identity.principals import User


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that were read together, and which sessions watch the tasks of those that are details."""

    rows: Sequence[Seen]
    watchers: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Moment:
    """The data epoch, and the database's clock in Unix seconds, as they were last read."""

    epoch: int
    unix_seconds: int


class Hub:
    """Touched by the event loop's thread alone, so it needs no lock."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.place = Place(0)
        self.moment = Moment(0, 0)
        self._by_channel: dict[str, set[Listener]] = {}
        self._by_session: dict[str, set[Listener]] = {}

    @property
    def cursor(self) -> str:
        """The cursor of somebody who has heard everything up to now."""
        return self.cursor_at(self.place)

    def cursor_at(self, place: Place) -> str:
        """The cursor of somebody who has heard everything up to this place."""
        return Cursor(self.moment.epoch, place, self.moment.unix_seconds).encode()

    def add(self, listener: Listener) -> None:
        """Let it hear what is delivered from now on."""
        self.listeners.add(listener)
        self._by_session.setdefault(listener.session, set()).add(listener)
        for channel in listener.channels:
            self._by_channel.setdefault(channel, set()).add(listener)

    def remove(self, listener: Listener) -> None:
        """Forget it."""
        self.listeners.discard(listener)
        _discard(self._by_session, listener.session, listener)
        for channel in listener.channels:
            _discard(self._by_channel, channel, listener)

    def sessions(self) -> dict[str, User]:
        """The sessions with an open stream, and whose they are."""
        return {listener.session: listener.user for listener in self.listeners}

    def deliver(self, batch: Batch) -> None:
        """Queue each message for those who may hear it; one frame is made for all of them."""
        for seen in batch.rows:
            self.place = seen.place
            audience = self._audience(seen.row, batch.watchers)
            if audience:
                frame = self._frame(seen)
                for listener in audience:
                    listener.offer(frame)

    def reset(self, place: Place, moment: Moment) -> None:
        """Begin anew at this place: what lies between can't be told, so everybody loads a snapshot (ruling 14)."""
        self.place, self.moment = place, moment
        self._offer_to_all(Frame(frames.reset(self.cursor, moment.epoch), ("reset",)))

    def end_all(self, why: Ending) -> None:
        """Ask for the end of every stream."""
        for listener in self.listeners:
            listener.end(why)

    def message(self, seen: Seen) -> bytes:
        """The event of a row, with the cursor behind it."""
        return frames.message(self.cursor_at(seen.place), seen.row.payload)

    def _audience(self, row: Row, watchers: Mapping[str, frozenset[str]]) -> set[Listener]:
        if row.command is not Command.PUBLISH:
            return set()
        watching = (self._by_session.get(session, set()) for session in watchers.get(row.channel, ()))
        return self._by_channel.get(row.channel, set()).union(*watching)

    def _frame(self, seen: Seen) -> Frame:
        row = seen.row
        subject = (row.aggregate_type, row.aggregate_id, row.channel, row.projection)
        return Frame(self.message(seen), subject, row.coalescible)

    def _offer_to_all(self, frame: Frame) -> None:
        for listener in self.listeners:
            listener.offer(frame)


def _discard(index: dict[str, set[Listener]], key: str, listener: Listener) -> None:
    listeners = index.get(key, set())
    listeners.discard(listener)
    if not listeners:
        index.pop(key, None)
