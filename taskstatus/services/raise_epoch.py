"""Raise the data epoch after a restore, so that clients take the lower versions (ruling 14)."""

from taskstatus.models import DataEpoch
from taskstatus.services.fresh_clock import fresh_clock
from taskstatus.services.unit_of_work import use_case


@use_case
def raise_epoch() -> int:
    """Raise the epoch by one and return it."""
    now, _ = fresh_clock()
    row = DataEpoch.objects.select_for_update().get(pk=DataEpoch.ROW)
    row.epoch += 1
    row.raised_at = now
    row.save(update_fields=["epoch", "raised_at"])
    return int(row.epoch)
