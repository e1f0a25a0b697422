"""The id of a frame: where in the outbox a client stands, in any web worker and at any time (Last-Event-ID)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Self

from outbox.tail import MAX_GAPS, Place

# More runs of gaps than these are left out of the id; one who comes back with it hears some messages twice.
MAX_RUNS: Final = 32
_NUMBER: Final = "(?:0|[1-9][0-9]{0,18})"
_CURSOR: Final = re.compile(
    rf"(?P<head>{_NUMBER}(?:\.{_NUMBER}){{2}})(?P<runs>(?:\.{_NUMBER}(?:-{_NUMBER})?){{0,{MAX_RUNS}}})"
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in one data epoch, and the second (Unix time of the database) in which it was given out.

    The age tells whether what came after the place is surely still kept; ids alone can't, for a purge leaves some.
    """

    epoch: int
    place: Place
    issued_at: int

    def encode(self) -> str:
        """The cursor as one word of digits, dots and hyphens."""
        last, runs = self.place.last, list(_runs(self.place.gaps))
        if len(runs) > MAX_RUNS:
            last, runs = runs[MAX_RUNS][0] - 1, runs[:MAX_RUNS]
        gaps = (f"{first}" if first == end else f"{first}-{end}" for first, end in runs)
        return ".".join((f"{self.epoch}.{last}.{self.issued_at}", *gaps))

    @classmethod
    def decode(cls, word: str) -> Self | None:
        """The cursor that a word spells; None for one that was never given out."""
        match = _CURSOR.fullmatch(word)
        if match is None:
            return None
        epoch, last, issued_at = map(int, match["head"].split("."))
        runs = [tuple(map(int, run.split("-"))) for run in match["runs"].split(".")[1:]]
        edges = [0, *(number for run in runs for number in (run[0] - 1, run[0], run[-1])), last]
        if edges != sorted(edges) or sum(run[-1] - run[0] + 1 for run in runs) > MAX_GAPS:
            return None
        gaps = frozenset(gap for run in runs for gap in range(run[0], run[-1] + 1))
        return cls(epoch, Place(last, gaps), issued_at)


def _runs(ids: Iterable[int]) -> Iterable[tuple[int, int]]:
    """The first and last of each run of ids that follow each other."""
    for _, run in groupby(enumerate(sorted(ids)), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], numbers[-1]
