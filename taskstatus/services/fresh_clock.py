"""The clock and the epoch for a use case that locks no row which could carry them."""

from datetime import datetime

from django.db.models.functions import Now

from taskstatus.models import DataEpoch


def read_clock() -> tuple[datetime, int]:
    """The database's clock and the data epoch; makes the epoch's row where it is missing."""
    query = DataEpoch.objects.filter(pk=DataEpoch.ROW).annotate(db_now=Now()).values_list("db_now", "epoch")
    reading = query.first()
    if reading is None:
        DataEpoch.objects.get_or_create(pk=DataEpoch.ROW)
        reading = query.get()
    return reading
