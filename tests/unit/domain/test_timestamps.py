"""Times come in as RFC 3339 with an offset, and leave in UTC with milliseconds."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.timestamps import format_utc_millis, parse_rfc3339

MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2999, 12, 30))  # noqa: DTZ001 - the zone is drawn apart
MINUTES = st.integers(-23 * 60 - 59, 23 * 60 + 59)
bounded = settings(max_examples=200, deadline=None)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-09-21T07:10:18Z", utc(2026, 9, 21, 7, 10, 18)),
        ("2026-09-21t07:10:18z", utc(2026, 9, 21, 7, 10, 18)),
        ("2026-09-21T15:10:18+08:00", utc(2026, 9, 21, 7, 10, 18)),
        ("2026-09-21T07:10:18-00:00", utc(2026, 9, 21, 7, 10, 18)),
        ("2026-09-20T08:11:18-22:59", utc(2026, 9, 21, 7, 10, 18)),
        ("2026-09-21T07:10:18.1Z", utc(2026, 9, 21, 7, 10, 18, 100_000)),
        ("2026-09-21T07:10:18.123456789Z", utc(2026, 9, 21, 7, 10, 18, 123_456)),
        ("2026-09-21T07:10:18.999999999Z", utc(2026, 9, 21, 7, 10, 18, 999_999)),
        ("2024-02-29T00:00:00Z", utc(2024, 2, 29)),
        ("1970-01-01T00:00:00Z", utc(1970, 1, 1)),
        ("1969-12-31T23:30:00-01:00", utc(1970, 1, 1, 0, 30)),
        ("2999-12-31T23:59:59.999999999Z", utc(2999, 12, 31, 23, 59, 59, 999_999)),
        ("3000-01-01T00:30:00+01:00", utc(2999, 12, 31, 23, 30)),
        ("2016-12-31T23:59:60Z", utc(2017, 1, 1)),
        ("2016-12-31T15:59:60.5-08:00", utc(2017, 1, 1, 0, 0, 0, 500_000)),
    ],
)
def test_it_reads_a_moment(text, moment):
    read = parse_rfc3339(text)
    assert read == moment
    assert read.tzinfo is UTC


FORM, DAY, YEARS, LEAP = "RFC 3339", "calendar", "years 1970 to 2999", "leap second"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", FORM),
        ("2026-09-21", FORM),
        ("2026-09-21T07:10:18", FORM),
        ("2026-09-21 07:10:18Z", FORM),
        ("2026-09-21T07:10Z", FORM),
        ("2026-09-21T07:10:18.Z", FORM),
        ("2026-09-21T07:10:18,5Z", FORM),
        ("2026-09-21T07:10:18.1234567890Z", FORM),
        ("2026-09-21T24:00:00Z", FORM),
        ("2026-09-21T07:60:00Z", FORM),
        ("2026-09-21T07:10:61Z", FORM),
        ("2026-09-21T07:10:18+0800", FORM),
        ("2026-09-21T07:10:18+24:00", FORM),
        ("2026-09-21T07:10:18+08:60", FORM),
        ("2026-W38-1T07:10:18Z", FORM),
        ("20260921T071018Z", FORM),
        ("2026-09-21T07:10:18Z\n", FORM),
        (" 2026-09-21T07:10:18Z", FORM),
        ("12026-09-21T07:10:18Z", FORM),
        ("２026-09-21T07:10:18Z", FORM),  # noqa: RUF001 - a full-width digit
        ("2026-02-29T00:00:00Z", DAY),
        ("2026-13-01T00:00:00Z", DAY),
        ("2026-00-10T00:00:00Z", DAY),
        ("0000-01-01T00:00:00Z", DAY),
        ("1900-01-01T00:00:00Z", YEARS),
        ("1970-01-01T00:30:00+01:00", YEARS),
        ("9999-12-31T23:59:59Z", YEARS),
        ("9999-12-31T23:59:59-01:00", YEARS),
        ("9999-12-31T23:59:60Z", YEARS),
        ("0001-01-01T00:00:00+01:00", YEARS),
        ("2999-12-31T23:59:60Z", YEARS),
        ("2016-12-31T23:58:60Z", LEAP),
        ("2016-12-30T23:59:60Z", LEAP),
        ("2016-12-31T23:59:60+08:00", LEAP),
    ],
)
def test_it_says_why_it_refuses(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_rfc3339(text)


@bounded
@given(MOMENTS, MINUTES, st.integers(0, 9), st.sampled_from("Tt"))
def test_any_offset_and_fraction_give_the_moment_cut_to_microseconds(local, minutes, digits, separator):
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    fraction = f"{local.microsecond:06d}789"[:digits]
    text = f"{local:%m-%dT%H:%M:%S}".replace("T", separator)
    point = "." if digits else ""
    read = parse_rfc3339(f"{local.year:04d}-{text}{point}{fraction}{sign}{hours:02d}:{rest:02d}")
    kept = int(fraction[:6].ljust(6, "0"))
    assert read == local.replace(microsecond=kept, tzinfo=timezone(timedelta(minutes=minutes)))


@bounded
@given(st.text(max_size=40) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"))
def test_any_other_text_is_a_value_error_at_most(text):
    try:
        assert parse_rfc3339(text).tzinfo is UTC
    except ValueError as error:
        assert str(error)  # noqa: PT017 - some of these texts are good


def test_milliseconds_leave_cut_and_not_rounded():
    assert format_utc_millis(utc(2026, 9, 21, 7, 10, 18, 120_999)) == "2026-09-21T07:10:18.120Z"
    assert format_utc_millis(utc(2026, 9, 21)) == "2026-09-21T00:00:00.000Z"


def test_another_zone_leaves_as_utc():
    moment = datetime(2026, 9, 21, 15, 10, 18, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert format_utc_millis(moment) == "2026-09-21T07:10:18.000Z"


def test_a_time_without_a_zone_does_not_leave():
    with pytest.raises(ValueError, match="zone"):
        format_utc_millis(datetime(2026, 9, 21))  # noqa: DTZ001 - the mistake itself


@bounded
@given(MOMENTS)
def test_what_leaves_comes_back_cut_to_milliseconds(local):
    moment = local.replace(tzinfo=UTC)
    cut = moment.replace(microsecond=moment.microsecond // 1_000 * 1_000)
    assert parse_rfc3339(format_utc_millis(moment)) == cut
