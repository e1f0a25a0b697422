"""The clock and the epoch for a use case that locks no row which could carry them."""

from datetime import datetime

from taskstatus.models import DataEpoch
from taskstatus.queries.clock import read_clock, stored_clock


def fresh_clock() -> tuple[datetime, int]:
    """The database's clock and the data epoch; makes the epoch's row where it is missing."""
    stored = stored_clock()
    if stored is not None:
        return stored
    DataEpoch.objects.get_or_create(pk=DataEpoch.ROW)
    return read_clock()
