"""The text of settings: what is understood, and what is refused with a sentence to act on."""

from datetime import timedelta

import pytest
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond

from taskstatus.config import parsing


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("3600", timedelta(hours=1)),
        ("45s", timedelta(seconds=45)),
        ("30m", timedelta(minutes=30)),
        ("12h", timedelta(hours=12)),
        ("90d", timedelta(days=90)),
        ("2w", timedelta(weeks=2)),
        (" 7d ", timedelta(days=7)),
    ],
)
def test_a_duration_is_read(text, duration):
    assert parsing.parse_duration(text) == duration


@pytest.mark.parametrize("text", ["", "0", "0d", "-1d", "1.5h", "d", "90 days", "999999999w", "\uff190d"])
def test_a_duration_is_refused(text):
    with pytest.raises(ValueError, match="duration"):
        parsing.parse_duration(text)


def test_a_rate_is_read_as_the_limits_library_takes_it():
    assert parsing.parse_rate_limit("1000/s") == RateLimitItemPerSecond(1000)
    assert parsing.parse_rate_limit("100/5m") == RateLimitItemPerMinute(100, 5)


def test_off_is_no_limit():
    assert parsing.parse_rate_limit("OFF") is None


@pytest.mark.parametrize("text", ["", "1000", "0/s", "10/0s", "1000/y", "fast", "-1/s", "1000 per second"])
def test_a_rate_is_refused(text):
    with pytest.raises(ValueError, match="off"):
        parsing.parse_rate_limit(text)


def test_signing_keys_keep_their_order():
    keys = parsing.parse_signing_keys("new:secret:with:colons, old:other")
    assert keys == (("new", "secret:with:colons"), ("old", "other"))


@pytest.mark.parametrize("text", ["nocolon", "kid:", ":secret", "a b:secret", "kid:secret,bad"])
def test_signing_keys_are_refused_without_repeating_them(text):
    with pytest.raises(ValueError, match="kid:secret") as refusal:
        parsing.parse_signing_keys(text)
    assert "nocolon" not in str(refusal.value)


def test_scopes_are_pairs():
    assert parsing.parse_scopes("t1/s1, t2/s2") == {("t1", "s1"), ("t2", "s2")}


@pytest.mark.parametrize("text", ["t1", "t1/", "/s1", "t1/s1/x", "t 1/s1"])
def test_scopes_are_refused(text):
    with pytest.raises(ValueError, match="tenant/scope"):
        parsing.parse_scopes(text)


@pytest.mark.parametrize(("text", "value"), [("on", True), ("True", True), ("1", True), ("no", False), ("off", False)])
def test_a_switch_is_read(text, value):
    assert parsing.parse_switch(text) is value


def test_a_switch_is_not_guessed():
    with pytest.raises(ValueError, match="neither on nor off"):
        parsing.parse_switch("ture")


@pytest.mark.parametrize("text", ["", "x", "0", "65536", "-1", "1e3", "1.0"])
def test_a_whole_number_out_of_its_range_is_refused(text):
    with pytest.raises(ValueError, match="from 1 to 65535"):
        parsing.parse_whole(1, 65_535)(text)


def test_a_choice_is_answered_in_its_own_spelling():
    assert parsing.parse_choice("DEBUG", "INFO")("info") == "INFO"
    with pytest.raises(ValueError, match="DEBUG, INFO"):
        parsing.parse_choice("DEBUG", "INFO")("loud")


def test_a_url_of_another_scheme_is_refused_without_repeating_it():
    assert parsing.parse_url("redis")("redis://127.0.0.1:6379/0")
    assert parsing.parse_url("redis")("") == ""
    with pytest.raises(ValueError, match="redis://") as refusal:
        parsing.parse_url("redis")("http://user:hunter2@host")
    assert "hunter2" not in str(refusal.value)
