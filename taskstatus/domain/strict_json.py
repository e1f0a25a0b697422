"""Bodies as JSON objects, strictly: what has two readings, or none, is refused (protocol 3, MALFORMED_BODY).

The standard library's C parser does the work; around it stand the checks that it lacks. Each costs time
proportional to the body at most, whatever the body holds.
"""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NoReturn

from taskstatus.domain.errors import DomainError, FieldError
from taskstatus.domain.json_numbers import OutOfRange, is_out_of_range, read_integer, read_real

__all__ = ["MAX_DEPTH", "OutOfRange", "bad_values", "parse_object"]

MAX_DEPTH: Final = 32

_Members = list[tuple[str, object]]
_MAX_NAME_IN_POINTER: Final = 128
_ONLY_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_NO_SKELETON: Final = bytes(set(range(256)) - set(b'[]{}"'))
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_PAIR: Final = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE: Final = re.compile(rf"\\(?:{_PAIR}|(u[dD][89a-fA-F])|.)", re.DOTALL)  # group 1: half a pair


class _RepeatedMemberError(Exception):
    """An object names a member twice."""


class _ConstantError(Exception):
    """NaN or Infinity where a value was expected."""


def parse_object(body: bytes) -> dict[str, object]:
    """The members of a body that is one JSON object; an empty body is none.

    A number whose value is whole and within ±(2^63-1) becomes an int, however it is spelled; one that is
    larger and spelled with digits only, or too large for a double, becomes an `OutOfRange`.

    Raises:
        DomainError: MALFORMED_BODY, saying what is wrong and where, without a word of the body.
    """
    text = _decoded(body)
    _check_depth(body, text)
    value = _parsed(text)
    if "\\u" in text:
        _check_surrogates(text)
    if not isinstance(value, dict):
        raise _malformed("The body is JSON, but not an object.")
    return value


def bad_values(value: object, pointer: str) -> list[FieldError]:
    """What free-form JSON holds that can't be stored: at most 20 errors, each with its RFC 6901 pointer.

    Refused are numbers out of range and, in strings and member names, control characters other than line
    feed, carriage return and tab. A name that is long or refused is not repeated: its object is pointed at.
    """
    return list(islice(_bad_values(value, pointer), 20))


def _malformed(detail: str) -> DomainError:
    return DomainError("MALFORMED_BODY", detail)


def _decoded(body: bytes) -> str:
    if body.startswith(BOM_UTF8):
        raise _malformed("The body begins with a byte order mark.")
    if not body:
        raise _malformed("The body is empty; a JSON object is expected.")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise _malformed(f"The body is not UTF-8 at byte {error.start}.") from None


def _check_depth(body: bytes, text: str) -> None:
    """Refuse nesting over the limit before the recursive parser meets it.

    With strings cut out and all brackets alike, each removal of the innermost pairs lowers every peak by one.
    """
    if body.count(b"{") + body.count(b"[") <= MAX_DEPTH:
        return
    # Closers are added for what a broken body left open; that is the parser's complaint, not this one's.
    brackets = _brackets_outside_strings(body) + b"]" * MAX_DEPTH
    for _ in range(MAX_DEPTH):
        if b"[" not in brackets:
            return
        brackets = brackets.replace(b"[]", b"")
    if b"[" in brackets:
        raise _malformed(f"The body nests deeper than {MAX_DEPTH} levels {_place(text, _too_deep_at(text))}.")


def _brackets_outside_strings(body: bytes) -> bytes:
    if b"\\" in body:
        body = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    skeleton = body.translate(_ONLY_SQUARE, _NO_SKELETON).replace(b'""', b"")
    return b"".join(skeleton.split(b'"')[::2])


def _parsed(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = _place(text, error.pos)
        raise _malformed(f"The body is not valid JSON {place} ({error.msg.strip(': ')}).") from None
    except _ConstantError:
        place = _place(text, next(_outside_strings(text, "NaN|-?Infinity")))
        raise _malformed(f"The body holds NaN or Infinity {place}; JSON has neither.") from None
    except _RepeatedMemberError:
        place = _place(text, _repetition_at(text))
        raise _malformed(f"A member stands twice in the object that ends {place}.") from None


def _object(members: _Members) -> dict[str, object]:
    found = dict(members)
    if len(found) != len(members):
        raise _RepeatedMemberError
    return found


def _constant(_name: str) -> NoReturn:
    raise _ConstantError


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=read_integer, parse_float=read_real, parse_constant=_constant
)


def _check_surrogates(text: str) -> None:
    for escape in _ESCAPE.finditer(text):
        if escape[1]:
            raise _malformed(f"The body holds a lone surrogate {_place(text, escape.start())}.")


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"at line {line}, column {column}"


def _outside_strings(text: str, token: str) -> Iterator[int]:
    """Where a token stands outside strings. An open string reaches to the end, so that none is read twice."""
    for match in re.finditer(rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|({token})', text, re.DOTALL):
        if match[1]:
            yield match.start()


def _too_deep_at(text: str) -> int:
    depth = 0
    for at in _outside_strings(text, r"[\[\]{}]"):
        depth += 1 if text[at] in "[{" else -1
        if depth > MAX_DEPTH:
            return at
    return len(text)


def _repetition_at(text: str) -> int:
    """Where the first object that repeats a member ends: objects are completed in the order of their ends."""
    completed: list[int] = []

    def noted(members: _Members) -> dict[str, object]:
        completed.append(len(members))
        return _object(members)

    with suppress(_RepeatedMemberError):
        json.JSONDecoder(object_pairs_hook=noted, parse_int=str, parse_float=str).decode(text)
    return next(islice(_outside_strings(text, "}"), len(completed) - 1, None))


def _bad_values(value: object, pointer: str) -> Iterator[FieldError]:
    if isinstance(value, dict):
        for name, member in value.items():
            if _CONTROL.search(name):
                yield FieldError(pointer, "INVALID_FIELD", "has a name with a control character in it")
            yield from _bad_values(member, _child(pointer, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _bad_values(item, f"{pointer}/{index}")
    elif fault := _fault(value):
        yield FieldError(pointer, "INVALID_FIELD", fault)


def _fault(scalar: object) -> str | None:
    if isinstance(scalar, str):
        return "holds a control character" if _CONTROL.search(scalar) else None
    return "is a number out of range" if is_out_of_range(scalar) else None


def _child(pointer: str, name: str) -> str:
    if len(name) > _MAX_NAME_IN_POINTER or _CONTROL.search(name):
        return pointer
    return f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
