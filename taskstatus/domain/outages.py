"""Outages of the service itself, and the grace that executions get after one (ruling 45): pure arithmetic.

An outage shows as a gap: whoever takes beats says so every second. Where nobody did, silence proves nothing about a
worker. The reconciler's own gap counts only where it can't know that beats were taken all the while.
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
    """When the service's parts last gave a sign, None where they never did; since when the web's have had no gap."""

    reconciler: datetime | None
    web: datetime | None
    web_since: datetime | None = None

    def cover(self, now: datetime, longest_gap: timedelta) -> bool:
        """Whether the web took beats all the time since the reconciler last came by."""
        if self.reconciler is None or self.web is None or self.web_since is None:
            return False
        return self.web_since <= self.reconciler and now - self.web <= longest_gap


def gap(scan_seconds: float) -> timedelta:
    """Longer than this nobody who comes by every `scan_seconds` stays away but for an outage."""
    return timedelta(seconds=GAP_IN_SCANS * scan_seconds)


def outage_now(signs: Signs, lasting: Outage | None, now: datetime, scan_seconds: float) -> Outage | None:
    """What the reconciler finds when it comes by at `now`, `lasting` being the outage that had not ended before.

    None: nothing was missed. With `ended_at` None nobody takes beats, so nothing can be said of silence.
    """
    longest = gap(scan_seconds)
    web_is_away = signs.web is not None and longest < now - signs.web <= LONGEST_DEAFNESS
    counted = (None if signs.cover(now, longest) else signs.reconciler, signs.web if web_is_away else None)
    missed = [sign for sign in counted if sign and now - sign > longest]
    begins = [*missed, *([lasting.began_at] if lasting else [])]
    if not begins:
        return None
    return Outage(min(begins), None if web_is_away else now)


def graced_deadline(last_beat: datetime, timeout_seconds: int, outages: Iterable[Outage]) -> datetime | None:
    """Until when an execution is believed after these outages, if they may have cost it its lease.

    That is so if since its last beat they took so long together that one of the few beats was lost that its timeout
    forgives. From the end of the one with which they did, it has its whole timeout again.
    """
    until, lost = None, timedelta()
    for began_at, ended_at in sorted((o.began_at, o.ended_at) for o in outages if o.ended_at is not None):
        lost += max(ended_at - max(began_at, last_beat), timedelta())
        if lost and lost * INTERVALS_PER_TIMEOUT >= timedelta(seconds=timeout_seconds):
            until, lost = deadline(ended_at, timeout_seconds), timedelta()
    return until
