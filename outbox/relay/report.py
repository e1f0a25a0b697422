"""What a drain did."""

from dataclasses import dataclass, replace
from typing import Self

from outbox.relay.claims import Claim
from outbox.relay.settlement import Fates

COUNTS = ("claimed", "taken_over", "published", "superseded", "retried", "dead", "released", "lost")


@dataclass(frozen=True, slots=True)
class DrainReport:
    """How many commands were claimed, and what became of them.

    `batch_full` says that the last batch was a full one, so that more is likely to wait; `outage` that the publisher
    can't be used, and why.
    """

    claimed: int = 0
    taken_over: int = 0
    published: int = 0
    superseded: int = 0
    retried: int = 0
    dead: int = 0
    released: int = 0
    lost: int = 0
    batch_full: bool = False
    outage: str | None = None

    @classmethod
    def of(cls, claim: Claim, fates: Fates, *, lost: int, batch_full: bool, outage: str | None) -> Self:
        """The report of one batch."""
        return cls(
            claimed=len(claim.deliveries),
            taken_over=claim.taken_over,
            published=len(fates.published),
            superseded=len(fates.superseded),
            retried=len(fates.retried),
            dead=len(fates.dead),
            released=len(fates.released),
            lost=lost,
            batch_full=batch_full,
            outage=outage,
        )

    def then(self, later: "DrainReport") -> "DrainReport":
        """The report of both, this one first."""
        return replace(later, **{name: getattr(self, name) + getattr(later, name) for name in COUNTS})
