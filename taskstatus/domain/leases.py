"""Heartbeat leases: how often a worker beats, and until when it is believed (protocol 4.1, 4.4)."""

from datetime import datetime, timedelta
from typing import Final

from taskstatus.domain.errors import FieldError

MAX_INTERVAL_SECONDS: Final = 3_600
MAX_TIMEOUT_SECONDS: Final = 2**31 - 1
INTERVALS_PER_TIMEOUT: Final = 3


def deadline(last_beat: datetime, timeout_seconds: int) -> datetime:
    """The moment after which an execution that has not beaten again is STALE."""
    return last_beat + timedelta(seconds=timeout_seconds)


def newest_deadline_to_move(now: datetime, interval_seconds: int, timeout_seconds: int) -> datetime:
    """A stored deadline up to this moment is moved by a beat at `now`; a later one may stay as it is.

    The index on deadlines is so written at most once per half interval (source design 15.1); see believed_until.
    """
    return deadline(now, timeout_seconds) - timedelta(seconds=interval_seconds) / 2


def believed_until(last_beat: datetime, stored_deadline: datetime, timeout_seconds: int) -> datetime:
    """Until when an execution is believed: its last beat counts in full, also where it left the deadline as it was."""
    return max(stored_deadline, deadline(last_beat, timeout_seconds))


def next_interval(interval_seconds: int, timeout_seconds: int) -> int:
    """In how many seconds, at least 1, the worker is asked to beat again.

    That is its interval, but never so late that fewer than three beats fit into the timeout.
    """
    return max(1, min(interval_seconds, timeout_seconds // INTERVALS_PER_TIMEOUT))


def heartbeat_problems(interval_seconds: int, timeout_seconds: int, pointer: str = "") -> list[FieldError]:
    """What is wrong with an interval and its timeout; `pointer` leads to the object that holds the two.

    The interval is 1 to 3,600 s, and the timeout three intervals at least: one lost beat proves nothing.
    """
    problems = []
    if not 1 <= interval_seconds <= MAX_INTERVAL_SECONDS:
        detail = f"must be 1 to {MAX_INTERVAL_SECONDS} seconds"
        problems.append(FieldError(f"{pointer}/heartbeatIntervalSeconds", "INVALID_FIELD", detail))
    least = INTERVALS_PER_TIMEOUT * interval_seconds
    if not least <= timeout_seconds <= MAX_TIMEOUT_SECONDS:
        detail = f"must be {INTERVALS_PER_TIMEOUT} heartbeat intervals at least, and fit into 31 bits"
        problems.append(FieldError(f"{pointer}/heartbeatTimeoutSeconds", "INVALID_FIELD", detail))
    return problems
