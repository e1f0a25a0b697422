"""Places in a table: a limit of n is n numbered rows."""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError

from realtime.models import Seat
from realtime.seats.contract import Held
from taskstatus.queries.clock import read_clock


class DatabaseSeats:
    """See `Seats`."""

    def take(self, holder: str, lease: str, limit: int, seconds: int) -> bool:
        """Sit down on the lease's own or any free place, and look again whenever somebody was faster."""
        for _ in range(limit + 1):
            now, _epoch = read_clock()
            taken = list(Seat.objects.filter(holder=holder))
            live = {seat.number for seat in taken if seat.expires_at > now}
            own = next((seat for seat in taken if seat.lease == lease), None)
            if len(live) >= limit and not (own and own.number in live):
                return False
            free = [number for number in range(limit) if number not in live]
            number = own.number if own else random.choice(free)  # noqa: S311 - spreads those who come together
            old = next((seat for seat in taken if seat.number == number), None)
            if _sit_down(holder, number, lease, old, now + timedelta(seconds=seconds)):
                return True
        return False

    def renew(self, places: Iterable[Held], seconds: int) -> None:
        """Move the ends of these places; a lease names its place alone."""
        now, _epoch = read_clock()
        leases = [place.lease for place in places]
        Seat.objects.filter(holder__in={place.holder for place in places}, lease__in=leases).update(
            expires_at=now + timedelta(seconds=seconds)
        )

    def leave(self, holder: str, lease: str) -> None:
        """Free the place."""
        Seat.objects.filter(holder=holder, lease=lease).delete()


def _sit_down(holder: str, number: int, lease: str, old: Seat | None, until: datetime) -> bool:
    """Take the place as it was seen; False where it has changed since."""
    try:
        if old is None:
            Seat.objects.create(holder=holder, number=number, lease=lease, expires_at=until)
            return True
        seen = Seat.objects.filter(pk=old.pk, lease=old.lease)
        if old.lease != lease:
            # Its holder may be renewing it; requests of one lease don't stand in each other's way.
            seen = seen.filter(expires_at=old.expires_at)
        return seen.update(lease=lease, expires_at=until) == 1
    except IntegrityError:
        return False
