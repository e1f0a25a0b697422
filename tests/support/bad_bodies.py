"""Bodies with one wrong member, for every member of a command at every depth; and bodies wrong as a whole."""

import copy
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from taskstatus.api.openapi.pydantic_schema import component_schemas
from taskstatus.commands.base import Part
from tests.support.bad_values import INVALID, MALFORMED, UNKNOWN, Json, Pairs, nested, spelled, wrong_values

Path = tuple[str | int, ...]
GONE: Final = object()


@dataclass(frozen=True)
class BadBody:
    """A body, what is wrong with it, and how it has to be refused."""

    how: str
    body: bytes
    code: str
    pointer: str | None = None
    status: int = 400


@dataclass(frozen=True)
class Member:
    """A member or list item of a right body, with its schema."""

    path: Path
    schema: Json
    value: Any
    required: bool
    nullable: bool

    @property
    def pointer(self) -> str:
        """Its RFC 6901 pointer."""
        return "".join(f"/{part}" for part in self.path)


def members(command: type[Part], body: Json) -> Iterator[Member]:
    """Every member of a right body, at every depth, the first item of each list among them."""
    schemas = _schemas(command)
    yield from _members(schemas, schemas[command.__name__], body, ())


def pointers(command: type[Part]) -> set[str]:
    """Where every member stands that the command can have."""
    schemas = _schemas(command)
    return set(_pointers(schemas, schemas[command.__name__], ""))


def bad_members(member: Member, body: Json) -> Iterator[BadBody]:
    """Bodies in which this member is wrong in every way."""
    if member.required:
        yield _bad(member.pointer, "missing", with_value(body, member.path, GONE), INVALID)
    for wrong in wrong_values(member.schema, member.value, nullable=member.nullable):
        yield _bad(member.pointer + wrong.below, wrong.how, with_value(body, member.path, wrong.value), wrong.code)
    if isinstance(member.value, dict) and "properties" in member.schema:
        yield from bad_objects(member.path, member.value, body)


def bad_objects(path: Path, value: Json, body: Json) -> Iterator[BadBody]:
    """Bodies in which the object at this path has a member that is unknown, or has one twice."""
    pointer = "".join(f"/{part}" for part in path)
    first = next(iter(value), "tenantId")
    for name in ("surplus", first.capitalize(), first + " ", "a/b~c", "é", "int", "__class__"):
        unknown = with_value(body, path, {**value, name: 1})
        yield _bad(pointer + "/" + name.replace("~", "~0").replace("/", "~1"), f"unknown {name!r}", unknown, UNKNOWN)
    long = with_value(body, path, {**value, "x" * 1000: 1})
    yield _bad(pointer, "unknown, with a long name", long, UNKNOWN)
    twice = Pairs([*value.items(), (first, value.get(first))])
    yield _bad(pointer, f"{first} twice", with_value(body, path, twice), MALFORMED)


def bad_bodies(body: Json) -> Iterator[BadBody]:
    """Bodies that are wrong whatever the path takes; `body` is a right one."""
    text = spelled(body).encode()
    wrong = {
        "null": b"null",
        "a list": b"[" + text + b"]",
        "a text": b'"text"',
        "a number": b"1",
        "true": b"true",
        "white space": b" \n",
        "cut short": text[:-1],
        "only opened": b"{",
        "something after it": text + b"x",
        "two objects": text + text,
        "a comment": b"/* */" + text,
        "a trailing comma": text[:-1] + b",}",
        "single quotes": b"{'a':1}",
        "a byte order mark": b"\xef\xbb\xbf" + text,
        "UTF-16": text.decode().encode("utf-16"),
        "Latin-1": b'{"title":"\xe9"}',
        "an overlong NUL": b'{"title":"\xc0\x80"}',
        "a surrogate in UTF-8": b'{"title":"\xed\xa0\x80"}',
        "a NUL byte": b"\x00" + text,
        "33 levels": spelled(nested(33)).encode(),
        "10,000 levels": spelled(nested(10_000)).encode(),
        "10,000 open lists": b"[" * 10_000,
        "NaN": b'{"a":NaN}',
        "a leading zero": b'{"a":01}',
        "a hexadecimal number": b'{"a":0x1}',
        "a number without digits after the point": b'{"a":1.}',
        "a plus sign": b'{"a":+1}',
        "a tab in a text": b'{"a":"\t"}',
        "an unknown escape": b'{"a":"\\x41"}',
        "a word": b'{"a":undefined}',
        "a name twice": b'{"a":1,"a":1}',
    }
    yield from (BadBody(how, raw, MALFORMED) for how, raw in wrong.items())
    large = b'{"title":"' + b"x" * 2 * 1024 * 1024 + b'"}'
    yield BadBody("2 MiB", large, "BODY_TOO_LARGE", status=413)


def with_value(body: Json, path: Path, value: Any) -> Any:
    """A copy of the body with this value at the path, or without any."""
    if not path:
        return value
    changed = copy.deepcopy(body)
    place: Any = changed
    for part in path[:-1]:
        place = place[part]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def _bad(pointer: str, how: str, body: Any, code: str) -> BadBody:
    return BadBody(f"{pointer}: {how}", spelled(body).encode(), code, None if code == MALFORMED else pointer)


@functools.cache
def _schemas(command: type[Part]) -> dict[str, Json]:
    return component_schemas(command)


def _resolved(schemas: dict[str, Json], schema: Json) -> tuple[Json, bool]:
    """The schema without references, and whether it takes null."""
    options = schema.get("anyOf", [schema])
    (real,) = [option for option in options if option.get("type") != "null"]
    nullable = len(options) > 1 or "null" in real.get("type", "")
    if "$ref" in real:
        real = schemas[real["$ref"].rpartition("/")[2]]
    kinds = [kind for kind in real["type"] if kind != "null"] if isinstance(real["type"], list) else [real["type"]]
    inside = {"items": _resolved(schemas, real["items"])[0]} if "items" in real else {}
    return {**real, **inside, "type": kinds}, nullable


def _members(schemas: dict[str, Json], schema: Json, value: Any, path: Path) -> Iterator[Member]:
    if "items" in schema and value:
        inner = schema["items"]
        yield Member((*path, 0), inner, value[0], required=False, nullable=False)
        yield from _members(schemas, inner, value[0], (*path, 0))
    for name, described in schema.get("properties", {}).items():
        if name in value:
            inner, nullable = _resolved(schemas, described)
            required = name in schema.get("required", ())
            yield Member((*path, name), inner, value[name], required=required, nullable=nullable)
            yield from _members(schemas, inner, value[name], (*path, name))


def _pointers(schemas: dict[str, Json], schema: Json, pointer: str) -> Iterator[str]:
    inside = {"0": schema["items"]} if "items" in schema else schema.get("properties", {})
    for name, described in inside.items():
        inner, _ = _resolved(schemas, described)
        yield f"{pointer}/{name}"
        yield from _pointers(schemas, inner, f"{pointer}/{name}")
