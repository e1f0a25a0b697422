"""Keep watch over the service itself: who was there when, and which outages that shows (ruling 45)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Case, When
from django.db.models.functions import Coalesce, Now

from taskstatus.domain.outages import Outage, Signs, gap, outage_now
from taskstatus.models import ServiceOutage, ServicePulse
from taskstatus.queries.clock import read_clock
from taskstatus.queries.due_health import ended_outages
from taskstatus.services.unit_of_work import use_case

# For operators who look back; the reconciler goes by the newest of them.
KEPT_OUTAGES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Watch:
    """What the reconciler knows at this moment; while nobody takes reports, silence proves nothing.

    `found` is the outage that shows now, if one does, and `is_news` whether it has just shown or ended; `ended` are
    those that are over, the newest first.
    """

    now: datetime
    found: Outage | None
    is_news: bool
    ended: Sequence[Outage]

    @property
    def is_deaf(self) -> bool:
        """Whether an outage lasts."""
        return self.found is not None and self.found.ended_at is None

    def holds(self, now: datetime) -> bool:
        """Whether nothing can have been missed between this look and `now`, or the next look would have to tell."""
        return now - self.now <= gap(settings.HEALTH_SCAN_SECONDS)


@use_case
def keep_watch() -> Watch:
    """Note that the reconciler is here, and write down the outage that its absence or the web's shows, if any."""
    now, own_sign = _own_sign()
    web = ServicePulse.objects.filter(pk=ServicePulse.WEB).values_list("seen_at", "steady_since").first()
    row = ServiceOutage.objects.filter(ended_at__isnull=True).first()
    lasting = Outage(row.began_at) if row else None
    outage = outage_now(Signs(own_sign, *(web or (None,))), lasting, now, settings.HEALTH_SCAN_SECONDS)
    is_news = outage is not None and (lasting is None or outage.ended_at is not None)
    if outage is not None:
        _write_down(row or ServiceOutage(), outage)
    ServicePulse.objects.filter(pk=ServicePulse.RECONCILER, seen_at__lt=now).update(seen_at=now)
    return Watch(now, outage, is_news, ended_outages())


def _write_down(row: ServiceOutage, outage: Outage) -> None:
    """Keep the outage in this row; a new one takes the place of the oldest of very many."""
    is_new = row.pk is None
    row.began_at, row.ended_at = outage.began_at, outage.ended_at
    row.save()
    if is_new:
        ServiceOutage.objects.filter(pk__lte=row.pk - KEPT_OUTAGES).delete()


def _own_sign() -> tuple[datetime, datetime]:
    """The database's clock, and when a reconciler was last here; its lock lets one after the other by."""
    pulses = ServicePulse.objects.filter(pk=ServicePulse.RECONCILER).select_for_update().annotate(db_now=Now())
    own = pulses.first()
    if own is None:
        _make(ServicePulse.RECONCILER)
        own = pulses.get()
    return own.db_now, own.seen_at


@use_case
def give_sign(name: str) -> None:
    """Note that a part of the service (see ServicePulse) works."""
    gap_before = When(seen_at__lt=Now() - gap(settings.HEALTH_SCAN_SECONDS), then=Now())
    # MySQL sets columns from left to right, and the gap is told by the sign before.
    told = {"steady_since": Case(gap_before, default=Coalesce("steady_since", Now())), "seen_at": Now()}
    if not ServicePulse.objects.filter(pk=name).update(**told):
        _make(name)


def _make(name: str) -> None:
    """Write the first sign of a part, unless another of its kind was quicker."""
    now, _ = read_clock()
    first = ServicePulse(name=name, seen_at=now, steady_since=now)
    ServicePulse.objects.bulk_create([first], ignore_conflicts=True)
