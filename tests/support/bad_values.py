"""Every way in which one member of a body can be wrong, made from the JSON Schema of its command."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

Json = dict[str, Any]

MALFORMED: Final = "MALFORMED_BODY"
INVALID: Final = "INVALID_FIELD"
UNKNOWN: Final = "UNKNOWN_FIELD"


class Raw(str):
    """JSON text that stands in a body as it is, well-formed or not."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """The members of an object, which may repeat."""


@dataclass(frozen=True)
class Wrong:
    """A wrong value: how it is wrong, the code of the refusal, and where below the member the fault lies."""

    how: str
    value: Any
    code: str = INVALID
    below: str = ""


# One value of each JSON type; a schema's own types are left out.
_OF_TYPE: Final = {
    "string": "1",
    "integer": 7,
    "number": 1.5,
    "boolean": True,
    "array": [],
    "object": {},
}
_NO_JSON: Final = ("NaN", "Infinity", "-Infinity")
_SURROGATES: Final = (r'"\ud800"', r'"a\udc00"', r'"\ud800A"', r'"\udc00\ud800"')
_NUMBERS: Final = (
    "-1",
    "-1.5",
    "0",
    "0.5",
    "1e400",
    "-1e400",
    "9223372036854775808",
    "18446744073709551616",
    "9" * 5000,
)
_CHARACTERS: Final = ("\x00", "\x01", "\x1f", "\x7f", "\x85", "\n", "\r\n", "\t", " ", "é", "\u200b", "/", "中")
_TIMES: Final = (
    "",
    "now",
    "2026-09-21",
    "2026-09-21T07:10:18",
    "2026-09-21 07:10:18Z",
    "2026-09-21T07:10:18.1234567890Z",
    "2026-09-21T07:10:18+2",
    "2026-02-30T00:00:00Z",
    "2026-09-21T24:00:00Z",
    "2026-09-21T07:10:60Z",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-23:59",
    "3000-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "1900-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "-2026-09-21T07:10:18Z",
    "2026-09-21T07:10:18Z\n",
    "2026-09-21T07:10:18Z\x00",
    "٢٠٢٦-09-21T07:10:18Z",
)


def wrong_values(schema: Json, seed: Any, *, nullable: bool) -> Iterator[Wrong]:
    """All wrong values for a member of this schema; `seed` is a right one."""
    types = _types(schema)
    if not nullable:
        yield Wrong("null", None)
    yield from (Wrong(f"a {kind}", value) for kind, value in _OF_TYPE.items() if not _fits_type(kind, types))
    yield from (Wrong(f"no JSON: {text}", Raw(text), MALFORMED) for text in _NO_JSON)
    if "string" in types:
        yield from (Wrong(f"a lone surrogate: {text}", Raw(text), MALFORMED) for text in _SURROGATES)
        yield from (Wrong(f"the text {text[:40]!r}", text) for text in wrong_texts(schema, seed))
    if types & {"integer", "number"}:
        yield from (Wrong(f"the number {text[:20]}", Raw(text)) for text in _NUMBERS if not _fits_range(schema, text))
    if "array" in types:
        yield from (Wrong(f"{len(items)} items", items) for items in _lists(schema, seed))
    if schema.get("additionalProperties") is True:
        yield from _free_form()


def nested(depth: int) -> Raw:
    """An object of this depth, spelled out."""
    return Raw('{"a":' * (depth - 1) + "{}" + "}" * (depth - 1))


def spelled(value: Any) -> str:
    """JSON text, with raw parts and repeated members where they are wanted."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(name)}:{spelled(member)}" for name, member in value) + "}"
    if isinstance(value, dict):
        return spelled(Pairs(value.items()))
    if isinstance(value, list):
        return "[" + ",".join(map(spelled, value)) + "]"
    return json.dumps(value)


def _types(schema: Json) -> set[str]:
    kinds = schema.get("type", [])
    return {kinds} if isinstance(kinds, str) else set(kinds)


def _fits_type(kind: str, types: set[str]) -> bool:
    return kind in types or (kind == "integer" and "number" in types)


def _fits_range(schema: Json, text: str) -> bool:
    number = float(text) if len(text) < 400 else float("inf")
    exact = int(text) if text.lstrip("-").isdigit() and len(text) < 400 else number
    whole = number == int(number) if abs(number) < float("inf") else False
    if "integer" in _types(schema) and not whole:
        return False
    return bool(schema.get("minimum", exact) <= exact <= schema.get("maximum", exact)) and abs(number) < float("inf")


def wrong_texts(schema: Json, seed: str) -> Iterator[str]:
    """Texts that the schema doesn't take, near a right one and far from it."""
    if schema.get("format") == "date-time":
        yield from _TIMES
        return
    longer = schema.get("maxLength", len(seed)) + 1 - len(seed)
    spoilt = [" ", *(seed + character for character in _CHARACTERS), *(c + seed for c in _CHARACTERS)]
    cases = [seed.lower(), seed.upper(), seed.swapcase()]
    for text in dict.fromkeys(["", seed + seed[-1] * longer, seed + seed[-1] * 5000, *cases, *spoilt]):
        if not fits_text(schema, text):
            yield text


def fits_text(schema: Json, text: str) -> bool:
    """Whether the schema takes this text; unlike `re`, no pattern overlooks a last line feed."""
    if "enum" in schema:
        return text in schema["enum"]
    if not schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text)):
        return False
    return re.fullmatch(schema.get("pattern", r"[\s\S]*").removesuffix("$"), text) is not None


def _lists(schema: Json, seed: Sequence[Any]) -> Iterator[list[Any]]:
    if schema.get("minItems"):
        yield []
    if "maxItems" in schema:
        needed = schema["items"].get("required")
        item = {name: seed[0][name] for name in needed} if needed else seed[0]
        yield [item] * (schema["maxItems"] + 1)


def _free_form() -> Iterator[Wrong]:
    """Free-form data takes any member, but nothing that can't be stored."""
    yield from (Wrong(f"{depth} deep", nested(depth), MALFORMED) for depth in (33, 10_000))
    yield Wrong("a repeated name inside", Raw('{"a":{"b":1,"b":2}}'), MALFORMED)
    yield Wrong("NUL inside", {"a": ["b", "c\x00"]}, INVALID, "/a/1")
    yield Wrong("a control character in a name", {"a": {"b\x1f": 1}}, INVALID, "/a")
    yield Wrong("a huge number inside", {"a~/b": Raw("1e400")}, INVALID, "/a~0~1b")
    yield Wrong("a number past 2^63 inside", {"a": Raw("9223372036854775808")}, INVALID, "/a")
