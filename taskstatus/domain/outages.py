"""Outages of the service itself, and the grace that executions get after one (ruling 45): pure arithmetic.

An outage shows as a gap: the reconciler comes by every second, and whoever takes beats says so every second. Where one
of them was away, silence proves nothing about a worker.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from taskstatus.domain.leases import INTERVALS_PER_TIMEOUT, deadline

# In scans of the reconciler: a single late one is no outage.
GAP_IN_SCANS: Final = 2.5
# Without a sign of those who take beats for longer, it is the sign that is missing: then silence counts again.
LONGEST_DEAFNESS: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Outage:
    """From when until when beats may have been lost; `ended_at` None while it lasts."""

    began_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Signs:
    """When the service's parts last gave a sign; None where they never did."""

    reconciler: datetime | None
    web: datetime | None


def outage_now(signs: Signs, lasting: Outage | None, now: datetime, scan_seconds: float) -> Outage | None:
    """What the reconciler finds when it comes by at `now`, `lasting` being the outage that had not ended before.

    None: nothing was missed. With `ended_at` None nobody takes beats, so nothing can be said of silence.
    """
    gap = timedelta(seconds=GAP_IN_SCANS * scan_seconds)
    web_is_away = signs.web is not None and gap < now - signs.web <= LONGEST_DEAFNESS
    missed = [sign for sign in (signs.reconciler, signs.web if web_is_away else None) if sign and now - sign > gap]
    begins = [*missed, *([lasting.began_at] if lasting else [])]
    if not begins:
        return None
    return Outage(min(begins), None if web_is_away else now)


def graced_deadline(last_beat: datetime, timeout_seconds: int, outages: Iterable[Outage]) -> datetime | None:
    """Until when an execution is believed after these outages, if one of them may have cost it its lease.

    That is so if it last beat before the outage was over, and the outage was long enough to take one of the few beats
    that its timeout forgives.
    """
    graces = [
        deadline(outage.ended_at, timeout_seconds)
        for outage in outages
        if outage.ended_at is not None and last_beat <= outage.ended_at and _costs_a_lease(outage, timeout_seconds)
    ]
    return max(graces, default=None)


def _costs_a_lease(outage: Outage, timeout_seconds: int) -> bool:
    ended_at = outage.ended_at or outage.began_at
    return (ended_at - outage.began_at) * INTERVALS_PER_TIMEOUT >= timedelta(seconds=timeout_seconds)
