"""How long things took, in whole milliseconds: waiting, running, altogether (protocol 6, ruling 36).

Each is the difference of the two times as they leave the service, cut to milliseconds, so that a reader who
subtracts finds the same. Clocks that ran backwards make 0, never less; what is not known yet is None.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

_UNIX_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def queue_ms(created: datetime, started: datetime | None) -> int | None:
    """How long a task waited: from its creation to the first start of any of its attempts."""
    return _between(created, started)


def run_ms(reported: int | None, started: datetime | None, finished: datetime | None) -> int | None:
    """How long the current attempt ran: as the event that ended it reported, else by the service's clock."""
    return _between(started, finished) if reported is None else max(reported, 0)


def total_ms(created: datetime, finished: datetime | None) -> int | None:
    """How long the user waited: from the task's creation to its end, every retry included."""
    return _between(created, finished)


def _between(earlier: datetime | None, later: datetime | None) -> int | None:
    if earlier is None or later is None:
        return None
    return max(_unix_ms(later) - _unix_ms(earlier), 0)


def _unix_ms(moment: datetime) -> int:
    return (moment - _UNIX_EPOCH) // _MILLISECOND
