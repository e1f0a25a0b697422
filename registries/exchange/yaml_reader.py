"""YAML as plain JSON values, strictly: no tags, no member twice, no guessed booleans or dates.

PyYAML's loaders follow YAML 1.1, where `no` is false, `1:30` is 90 and `on:` is not a string. Plain scalars
are read by the core schema of YAML 1.2 instead, which is JSON's plus comfort.
"""

import math
import re
from typing import Final

import yaml
from django.utils.translation import gettext

from registries.problems import DefinitionsRefusedError, Problem
from taskstatus.domain.json_numbers import MAX_INTEGER

MAX_FILE_BYTES: Final = 1024 * 1024
MAX_DEPTH: Final = 64
# An alias is as cheap to write as it may be large to follow, so what it leads to is counted each time.
MAX_VALUES: Final = 300_000

# The accelerated parser where PyYAML was built with it; both only find scalars, lists and maps.
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_PLAIN_TAGS: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
_UNQUOTED: Final = frozenset({None, ""})
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_REAL: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_LONGEST_INTEGER: Final = 20


def read_yaml(content: bytes) -> object:
    """The one document of the file, as dicts, lists, strings, numbers, booleans and None.

    Raises:
        DefinitionsRefusedError: if it is too large, no UTF-8, no YAML, or more than plain values.
    """
    if len(content) > MAX_FILE_BYTES:
        raise _refused(
            gettext("the file has %(bytes)d bytes; split it, %(most)d is the limit"),
            bytes=len(content),
            most=MAX_FILE_BYTES,
        )
    try:
        root = yaml.compose(content.decode(), Loader=_LOADER)
        return None if root is None else _Converter().value(root, 0)
    except UnicodeDecodeError as error:
        raise _refused(gettext("the file is not UTF-8 at byte %(byte)d; save it as UTF-8"), byte=error.start) from None
    except yaml.MarkedYAMLError as error:
        raise _no_yaml(error) from None
    except yaml.YAMLError as error:
        raise _refused(gettext("the file is not YAML: %(reason)s"), reason=error) from None
    except RecursionError:
        raise _refused(gettext("the file nests deeper than %(most)d levels"), most=MAX_DEPTH) from None


def plain_value(text: str) -> str | int | float | bool | None:
    """What an unquoted scalar means; a number out of every column's range stays text.

    Numbers too large for a signed 64-bit integer or a double are no values that JSON readers agree on.
    """
    if text.lower() in _CONSTANTS and text in {text.lower(), text.capitalize(), text.upper()}:
        return _CONSTANTS[text.lower()]
    if _INTEGER.fullmatch(text):
        number = int(text) if len(text) <= _LONGEST_INTEGER else MAX_INTEGER + 1
        return number if abs(number) <= MAX_INTEGER else text
    if _REAL.fullmatch(text):
        real = float(text)
        return real if math.isfinite(real) else text
    return text


class _Converter:
    """Turns a graph of nodes into values, following aliases for as long as that ends soon."""

    def __init__(self) -> None:
        self._values = 0

    def value(self, node: yaml.Node, depth: int) -> object:
        self._check(node, depth)
        if isinstance(node, yaml.ScalarNode):
            return plain_value(node.value) if node.style in _UNQUOTED else node.value
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _check(self, node: yaml.Node, depth: int) -> None:
        self._values += 1
        if node.tag not in _PLAIN_TAGS:
            raise _refused(
                gettext("the tag %(tag)s at %(place)s is not allowed; leave it out"), tag=node.tag, place=_at(node)
            )
        if depth > MAX_DEPTH:
            raise _refused(
                gettext("the file nests deeper than %(most)d levels at %(place)s"), most=MAX_DEPTH, place=_at(node)
            )
        if self._values > MAX_VALUES:
            raise _refused(
                gettext("the file has more than %(most)d values, aliases written out; split it"), most=MAX_VALUES
            )

    def _mapping(self, node: yaml.Node, depth: int) -> dict[str, object]:
        members: dict[str, object] = {}
        for key_node, value_node in node.value:
            self._check(key_node, depth)
            key = key_node.value
            if not isinstance(key, str):
                raise _refused(gettext("a member's name at %(place)s is not text"), place=_at(key_node))
            if key in members:
                raise _refused(
                    gettext("the member %(name)r stands twice in one map, again at %(place)s; keep one"),
                    name=key,
                    place=_at(key_node),
                )
            members[key] = self.value(value_node, depth + 1)
        return members


def _at(node: yaml.Node) -> str:
    return _place(node.start_mark)


def _place(mark: yaml.Mark) -> str:
    return gettext("line %(line)d, column %(column)d") % {"line": mark.line + 1, "column": mark.column + 1}


def _no_yaml(error: yaml.MarkedYAMLError) -> DefinitionsRefusedError:
    mark = error.problem_mark or error.context_mark
    reason = error.problem or error.context
    if mark is None:
        return _refused(gettext("the file is not YAML: %(reason)s"), reason=reason)
    return _refused(gettext("the file is not YAML at %(place)s: %(reason)s"), place=_place(mark), reason=reason)


def _refused(message: str, **values: object) -> DefinitionsRefusedError:
    return DefinitionsRefusedError([Problem("", message % values)])
