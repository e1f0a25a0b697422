"""Keep watch over the service itself: who was there when, and which outages that shows (ruling 45)."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models.functions import Now

from taskstatus.domain.outages import Outage, Signs, outage_now
from taskstatus.models import ServiceOutage, ServicePulse
from taskstatus.queries.clock import read_clock
from taskstatus.services.unit_of_work import use_case


@dataclass(frozen=True, slots=True)
class Watch:
    """What the reconciler knows when it begins a pass; while `is_deaf`, silence proves nothing."""

    now: datetime
    is_deaf: bool
    outage: Outage | None


@use_case
def begin_watch() -> Watch:
    """Note that the reconciler is here, and write down the outage that its absence or the web's shows, if any."""
    ServicePulse.objects.bulk_create(
        [ServicePulse(name=ServicePulse.RECONCILER, seen_at=read_clock()[0])], ignore_conflicts=True
    )
    # Its lock lets one reconciler after the other by: an outage is found once.
    own = ServicePulse.objects.select_for_update().annotate(db_now=Now()).get(pk=ServicePulse.RECONCILER)
    now: datetime = own.db_now
    web = ServicePulse.objects.filter(pk=ServicePulse.WEB).values_list("seen_at", flat=True).first()
    row = ServiceOutage.objects.filter(ended_at__isnull=True).first()
    lasting = Outage(row.began_at) if row else None
    outage = outage_now(Signs(own.seen_at, web), lasting, now, settings.HEALTH_SCAN_SECONDS)
    if outage is not None:
        row = row or ServiceOutage()
        row.began_at, row.ended_at = outage.began_at, outage.ended_at
        row.save()
    ServicePulse.objects.filter(pk=own.pk, seen_at__lt=now).update(seen_at=now)
    return Watch(now, is_deaf=outage is not None and outage.ended_at is None, outage=outage)


@use_case
def give_sign(name: str) -> None:
    """Note that a part of the service (see ServicePulse) works."""
    if not ServicePulse.objects.filter(pk=name).update(seen_at=Now()):
        ServicePulse.objects.bulk_create([ServicePulse(name=name, seen_at=read_clock()[0])], ignore_conflicts=True)
