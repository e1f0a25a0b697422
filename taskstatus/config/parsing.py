"""Turns the text of a setting into a value, or says what is wrong with it.

Every parser takes the raw text and raises ``ValueError`` with a sentence that a person can act on;
``env.py`` puts the name of the setting before it.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

from limits import (
    RateLimitItem,
    RateLimitItemPerDay,
    RateLimitItemPerHour,
    RateLimitItemPerMinute,
    RateLimitItemPerSecond,
)

_SWITCHES = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_DURATION = re.compile(r"([0-9]{1,9})([smhdw]?)")
_RATE = re.compile(r"([0-9]{1,9})/([0-9]{0,6})([smhd])")
_RATE_ITEMS: dict[str, Callable[[int, int], RateLimitItem]] = {
    "s": RateLimitItemPerSecond,
    "m": RateLimitItemPerMinute,
    "h": RateLimitItemPerHour,
    "d": RateLimitItemPerDay,
}
_KEY_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SCOPE = re.compile(r"[A-Za-z0-9._-]{1,64}")


def parse_list(text: str) -> tuple[str, ...]:
    """Read ``a,b,c`` into its members, blanks around them dropped."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def parse_switch(text: str) -> bool:
    """Read ``on`` and ``off`` and their usual spellings; anything else is refused, not guessed."""
    value = text.strip().lower()
    if value not in _SWITCHES:
        raise ValueError(f"{text!r} is neither on nor off")
    return _SWITCHES[value]


def parse_duration(text: str) -> timedelta:
    """Read ``90d``, ``12h``, ``30m``, ``45s``, ``2w`` or bare seconds; at least one second."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no duration; write seconds, or a number with s, m, h, d or w, as 90d")
    amount, unit = match.groups()
    try:
        duration = timedelta(seconds=int(amount) * _UNIT_SECONDS[unit or "s"])
    except OverflowError:
        raise ValueError(f"{text!r} is too long a duration") from None
    if not duration:
        raise ValueError("a duration must be longer than nothing")
    return duration


def parse_rate_limit(text: str) -> RateLimitItem | None:
    """Read ``1000/s`` or ``100/5m`` as a rate limit, and ``off`` as none."""
    if text.strip().lower() == "off":
        return None
    match = _RATE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no rate; write it as 1000/s, 600/m, 100/5m, or off")
    amount, multiple, unit = match.groups()
    if int(amount) < 1 or int(multiple or 1) < 1:
        raise ValueError(f"{text!r} would allow nothing; write off to switch the limit off")
    return _RATE_ITEMS[unit](int(amount), int(multiple or 1))


def parse_signing_keys(text: str) -> tuple[tuple[str, str], ...]:
    """Read ``kid:secret,kid:secret`` into pairs, in order; the first pair signs."""
    return tuple(_signing_key(part) for part in parse_list(text))


def _signing_key(part: str) -> tuple[str, str]:
    kid, colon, secret = part.partition(":")
    # The text itself is a secret, so the message never repeats it.
    if not colon or not secret or not _KEY_ID.fullmatch(kid):
        raise ValueError("write it as kid:secret,kid:secret, a kid being 1-64 characters of A-Z a-z 0-9 . _ -")
    return kid, secret


def parse_scopes(text: str) -> frozenset[tuple[str, str]]:
    """Read ``tenant/scope,tenant/scope`` into a set of pairs."""
    return frozenset(_tenant_and_scope(part) for part in parse_list(text))


def _tenant_and_scope(part: str) -> tuple[str, str]:
    tenant, _, scope = part.partition("/")
    if not _SCOPE.fullmatch(tenant) or not _SCOPE.fullmatch(scope):
        raise ValueError(f"{part!r} is no tenant/scope pair")
    return tenant, scope


def parse_choice(*choices: str) -> Callable[[str], str]:
    """Return a parser that takes one of ``choices`` in any case and answers in theirs."""
    by_folded = {choice.casefold(): choice for choice in choices}

    def parse(text: str) -> str:
        try:
            return by_folded[text.strip().casefold()]
        except KeyError:
            raise ValueError(f"{text!r} is unknown; write one of {', '.join(choices)}") from None

    return parse


def parse_whole(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a parser for whole numbers from ``minimum`` to ``maximum``, both allowed."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text.strip()) or not minimum <= int(text) <= maximum:
            raise ValueError(f"{text!r} is no whole number from {minimum} to {maximum}")
        return int(text)

    return parse


def parse_url(*schemes: str) -> Callable[[str], str]:
    """Return a parser for an absolute URL of one of ``schemes``; empty text stays empty."""

    def parse(text: str) -> str:
        value = text.strip()
        parts = urlsplit(value)
        # A URL may carry a password, so the message names the form and not the value.
        if value and (parts.scheme not in schemes or not (parts.netloc or parts.path)):
            raise ValueError(f"write a URL that begins with {' or '.join(f'{name}://' for name in schemes)}")
        return value

    return parse
