"""Times on the wire: any RFC 3339 time with an offset in, UTC with milliseconds out (protocol)."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_RFC3339: Final = re.compile(
    r"(?P<minute>[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9])"
    r":(?P<second>[0-5][0-9]|60)(?P<fraction>\.[0-9]{1,9})?(?P<offset>Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])",
    re.IGNORECASE | re.ASCII,
)
_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 2999
_OUTSIDE: Final = f"lies outside the years {_FIRST_YEAR} to {_LAST_YEAR}"
_LEAP_SECOND: Final = "60"
_UTC_SUFFIX: Final = len("+00:00")


def parse_rfc3339(text: str) -> datetime:
    """The moment in UTC, cut to microseconds; it is compared with no clock.

    A leap second is read as POSIX does, as the first second of the next minute, and only where UTC has had or
    may have one: at the very end of a month.

    Raises:
        ValueError: saying what is wrong, without repeating the text.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise ValueError("is not an RFC 3339 time with an offset and at most 9 digits of a second's fraction")
    try:
        moment = _leap(match) if match["second"] == _LEAP_SECOND else _moment(text)
    except OverflowError:  # beyond the calendar: outside the years 1 to 9999
        raise ValueError(_OUTSIDE) from None
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise ValueError(_OUTSIDE)
    return moment


def format_utc_millis(moment: datetime) -> str:
    """The moment as `2026-09-21T07:10:18.120Z`; what is finer than a millisecond is cut off, not rounded.

    Raises:
        ValueError: for a moment without a time zone.
    """
    if moment.tzinfo is not UTC:
        if moment.tzinfo is None:
            raise ValueError("a time without a zone names no moment")
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds")[:-_UTC_SUFFIX] + "Z"


def _moment(text: str) -> datetime:
    try:
        local = datetime.fromisoformat(text.upper())
    except ValueError:
        raise ValueError("names a day that the calendar lacks") from None
    return local.astimezone(UTC)


def _leap(match: re.Match[str]) -> datetime:
    before = _moment(f"{match['minute']}:59{match['fraction'] or ''}{match['offset']}")
    moment = before + timedelta(seconds=1)
    if (moment.day, moment.hour, moment.minute) != (1, 0, 0):
        raise ValueError("names a leap second where there is none")
    return moment
