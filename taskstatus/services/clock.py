"""The database's clock and the data epoch, read together with the rows that a use case locks (ruling 13)."""

from datetime import datetime
from typing import Any

from django.db.models import Model, Subquery, Value
from django.db.models.functions import Coalesce, Now

from taskstatus.models import DataEpoch

# Adds `db_now` and `db_epoch` to a query; without its row the epoch is the first.
READINGS: dict[str, Any] = {
    "db_now": Now(),
    "db_epoch": Coalesce(
        Subquery(DataEpoch.objects.filter(pk=DataEpoch.ROW).values("epoch")), Value(DataEpoch.FIRST)
    ),
}


def read_clock() -> tuple[datetime, int]:
    """The clock and the epoch, for a use case that locks no row which could carry them."""
    query = DataEpoch.objects.filter(pk=DataEpoch.ROW).annotate(db_now=Now()).values_list("db_now", "epoch")
    reading = query.first()
    if reading is None:
        DataEpoch.objects.get_or_create(pk=DataEpoch.ROW)
        reading = query.get()
    return reading


def reading(row: Model, name: str) -> Any:
    """A value that READINGS added to a locked row: the clock or the epoch."""
    return getattr(row, name)
