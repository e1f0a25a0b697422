"""Versions compare by epoch first, and travel as decimal strings and entity tags."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.versions import Version, parse_decimal

NUMBERS = st.integers(0, 2**63 - 1)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS)
bounded = settings(max_examples=100, deadline=None)


def test_a_newer_epoch_outranks_any_version():
    assert Version(2, 1) > Version(1, 99)
    assert Version(1, 10) > Version(1, 9)
    assert max(Version(1, 5), Version(2, 1), Version(1, 7)) == Version(2, 1)


def test_a_version_does_not_change():
    with pytest.raises(AttributeError):
        Version(1, 1).version = 2


def test_its_tag_is_strong_and_names_both_numbers():
    assert Version(3, 12).etag == '"task-version-3.12"'


def test_a_tag_without_an_epoch_means_the_current_one():
    assert Version.from_etag('"task-version-12"', current_epoch=3) == Version(3, 12)


@bounded
@given(VERSIONS, NUMBERS)
def test_a_tag_is_read_back(version, current_epoch):
    assert Version.from_etag(version.etag, current_epoch) == version


@pytest.mark.parametrize(
    "tag",
    [
        "",
        "*",
        "task-version-1.2",
        'W/"task-version-1.2"',
        '"task-version-"',
        '"task-version-1."',
        '"task-version-.1"',
        '"task-version-1.2.3"',
        '"task-version--1"',
        '"task-version-01"',
        '"task-version-1.02"',
        '"task-version-1" ',
        '"task-version-1"\n',
        '"task-version-1", "task-version-2"',
        '"TASK-VERSION-1"',
        '"task-version-٣"',
        '"task-version-9223372036854775808"',
        '"task-version-' + "9" * 100_000 + '"',
    ],
)
def test_any_other_tag_is_refused(tag):
    with pytest.raises(ValueError, match="is not"):
        Version.from_etag(tag, current_epoch=1)


@bounded
@given(NUMBERS)
def test_a_decimal_string_is_read_back(number):
    assert parse_decimal(str(number)) == number


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "01", "00", "1.0", "1e3", " 1", "1\n", "1_0", "٣", "0x1", str(2**63), "9" * 100_000],
)
def test_any_other_decimal_string_is_refused(text):
    with pytest.raises(ValueError, match="decimal"):
        parse_decimal(text)
