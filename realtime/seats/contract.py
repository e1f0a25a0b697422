"""What is asked of those who give places away."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Held:
    """A place that `holder` has for `lease`."""

    holder: str
    lease: str


class Seats(Protocol):
    """Gives places away and takes them back. A place that is not renewed is free again after its time."""

    def take(self, holder: str, lease: str, limit: int, seconds: int) -> bool:
        """Give the holder a place for this lease, or renew it; False when all `limit` places are taken."""
        ...

    def renew(self, places: Iterable[Held], seconds: int) -> None:
        """Keep these places for that much longer."""
        ...

    def leave(self, holder: str, lease: str) -> None:
        """Give the place back; nothing happens where there is none."""
        ...
