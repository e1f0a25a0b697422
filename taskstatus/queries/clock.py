"""The database's clock and the data epoch, read together with the rows that a caller reads (ruling 13)."""

from datetime import datetime
from typing import Any

from django.db.models import Model, Subquery, Value
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from taskstatus.models import DataEpoch
from taskstatus.queries.prepared import Prepared

# Adds `db_now` and `db_epoch` to a query; without its row the epoch is the first.
READINGS: dict[str, Any] = {
    "db_now": Now(),
    "db_epoch": Coalesce(Subquery(DataEpoch.objects.filter(pk=DataEpoch.ROW).values("epoch")), Value(DataEpoch.FIRST)),
}


# The two by themselves: one row at most, and no list of ids.
CLOCK = Prepared(
    lambda: DataEpoch.objects.filter(pk=DataEpoch.ROW).annotate(db_now=Now()).values_list("db_now", "epoch")
)


def stored_clock() -> tuple[datetime, int] | None:
    """The database's clock and the data epoch; None while the epoch has no row."""
    return next(iter(CLOCK.rows()), None)


def read_clock() -> tuple[datetime, int]:
    """The database's clock and the data epoch, where no row is read that could carry them."""
    return stored_clock() or (timezone.now(), DataEpoch.FIRST)


def read_epoch() -> int:
    """The current data epoch."""
    return read_clock()[1]


def reading(row: Model, name: str) -> Any:  # noqa: ANN401 - a time or a number
    """A value that READINGS added to a locked row: the clock or the epoch."""
    return getattr(row, name)
