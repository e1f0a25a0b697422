"""On which line of a JSON text each of its members stands, so that a problem is shown where it is."""

import json
import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def line_of(text: str, path: str) -> int | None:
    """The line, counted from 1, of the member at this path (`properties.a.enum[0]`), else of the closest around it."""
    lines = dict(_lines(text))
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Each member's path and line, for a text that is JSON."""
    stack: list[list[object]] = []  # the path of each open value, and its current key or index
    key: str | None = None
    yield "", 1
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "}]":
            stack.pop()
        elif word == ",":
            if stack and isinstance(stack[-1][1], int):
                stack[-1][1] += 1
        elif word == ":":
            continue
        elif stack and stack[-1][1] is None and key is None and word[0] == '"':
            key = json.loads(word)
            yield _joined(str(stack[-1][0]), key), _line(text, token.start())
        else:
            path = _member_path(stack, key)
            key = None
            yield path, _line(text, token.start())
            if word in "{[":
                stack.append([path, 0 if word == "[" else None])


def _member_path(stack: list[list[object]], key: str | None) -> str:
    if not stack:
        return ""
    path, index = stack[-1]
    return f"{path}[{index}]" if isinstance(index, int) else _joined(str(path), key or "")


def _joined(path: str, key: str | None) -> str:
    return f"{path}.{key}" if path else str(key)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
