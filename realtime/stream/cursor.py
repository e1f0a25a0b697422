"""The id of a frame: where in the outbox a client stands, in any web worker and at any time (Last-Event-ID)."""

import re
from dataclasses import dataclass
from typing import Final, Self

from outbox.tail import Place

# More gaps than these are left out of the id; one who comes back with it hears some messages twice.
MAX_GAPS: Final = 32
_NUMBER: Final = "(?:0|[1-9][0-9]{0,18})"
_CURSOR: Final = re.compile(rf"{_NUMBER}(?:\.{_NUMBER}){{2,{2 + MAX_GAPS}}}")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in one data epoch, and the second (Unix time of the database) in which it was given out.

    The age tells whether what came after the place is surely still kept; ids alone can't, for a purge leaves some.
    """

    epoch: int
    place: Place
    issued_at: int

    def encode(self) -> str:
        """The cursor as one word of digits and dots."""
        last, gaps = self.place.last, sorted(self.place.gaps)
        if len(gaps) > MAX_GAPS:
            last, gaps = gaps[MAX_GAPS] - 1, gaps[:MAX_GAPS]
        return ".".join(map(str, (self.epoch, last, self.issued_at, *gaps)))

    @classmethod
    def decode(cls, word: str) -> Self | None:
        """The cursor that a word spells; None for one that was never given out."""
        if _CURSOR.fullmatch(word) is None:
            return None
        epoch, last, issued_at, *gaps = map(int, word.split("."))
        if gaps != sorted(set(gaps)) or (gaps and not 0 < gaps[0] <= gaps[-1] < last):
            return None
        return cls(epoch, Place(last, frozenset(gaps)), issued_at)
