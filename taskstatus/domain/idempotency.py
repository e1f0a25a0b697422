"""When two bodies are the same: one canonical spelling of a JSON value, and its hash.

The spelling is RFC 8785's, except that integers are exact also past 2^53, where a double would round.
Test vectors for SDKs: `docs/protocol/vectors/canonical_json.json`.
"""

import hashlib
import json
from decimal import Decimal
from typing import Final

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
)
_PLAIN_REALS: Final = (1e-4, 1e16)
_NEVER_UNUSUAL: Final = frozenset({str, int, bool, type(None)})


def canonical_json(value: object) -> str:
    """The value's one spelling: members sorted by UTF-16 code unit, no spaces, numbers as in ECMAScript.

    Takes what a JSON parser gives. Numbers that are equal are spelled alike, whatever their type.

    Raises:
        ValueError: for NaN and infinities, which JSON lacks.
        TypeError: for a value that is not JSON.
    """
    if _has_unusual_number(value):
        return _spelled(value)
    text = _ENCODER.encode(value)
    return text if _sorts_alike(text) else _spelled(value)


def payload_hash(value: object) -> str:
    """The SHA-256, in hexadecimal, of the canonical spelling in UTF-8."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def _sorts_alike(text: str) -> bool:
    """Whether code points, by which Python sorts, order this text as UTF-16 does: none takes two units."""
    return text.isascii() or len(text.encode("utf-16-le")) == 2 * len(text)


def _has_unusual_number(value: object) -> bool:
    """Whether Python and ECMAScript may spell a number in it differently."""
    waiting = [value]
    for item in waiting:  # grows while it is read
        if type(item) in _NEVER_UNUSUAL:
            continue
        if isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, float) and not _is_plain(item):
            return True
    return False


def _is_plain(number: float) -> bool:
    smallest, largest = _PLAIN_REALS
    return smallest <= abs(number) < largest and not number.is_integer()


def _spelled(value: object) -> str:
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{_ENCODER.encode(name)}:{_spelled(item)}" for name, item in members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_spelled, value)) + "]"
    if isinstance(value, float):
        return _spelled_real(value)
    return _ENCODER.encode(value)


def _spelled_real(number: float) -> str:
    """A finite double as ECMAScript's Number::toString writes it."""
    if number == 0:
        return "0"
    digits_of = Decimal(_ENCODER.encode(abs(number))).normalize().as_tuple()
    digits = "".join(map(str, digits_of.digits))
    point = len(digits) + int(digits_of.exponent)  # how many digits stand before the decimal point
    return ("-" if number < 0 else "") + _with_point(digits, point)


def _with_point(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"
