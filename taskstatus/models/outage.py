"""When the service itself could not hear or judge: what silence of executions then proves nothing about (ruling 45)."""

from django.db import models
from django.db.models import F, Q

from taskstatus.models._columns import identifier, moment


class ServicePulse(models.Model):
    """When a part of the service was last known to work: the reconciler, and whoever takes beats."""

    RECONCILER = "reconciler"
    WEB = "web"

    name = identifier("reconciler or web", primary_key=True)
    seen_at = moment("When it last said so, by the database's clock")
    steady_since = moment("Since when there has been no gap between its signs; null: not known", null=True)

    class Meta:
        db_table = "service_pulse"
        db_table_comment = "Signs of life of the service's own parts"

    def __str__(self) -> str:
        return f"{self.name}"


class ServiceOutage(models.Model):
    """A time in which beats may have been lost because of the service or its database, not of the workers."""

    began_at = moment("Since when nothing was heard or judged")
    ended_at = moment("When it was over; null while it lasts", null=True)

    class Meta:
        db_table = "service_outage"
        db_table_comment = "Outages of the service itself: leases older than one get a grace period"
        constraints = [
            models.CheckConstraint(
                name="service_outage_ends_after_begin",
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")),
            )
        ]
        indexes = [models.Index(fields=["ended_at", "id"], name="service_outage_end_idx")]

    def __str__(self) -> str:
        return f"outage since {self.began_at}"
