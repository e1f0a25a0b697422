r"""The characters that one element of a regular expression takes, as ranges of code points.

They serve to find out whether two elements can meet on one character. Classes are read with Unicode: beyond
ASCII everything is a `\w` but the spaces; one block of digits stands for all others.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

# The standard library's own parser of patterns; it has no stubs.
sre: Any = import_module("re._constants")

Ranges = tuple[tuple[int, int], ...]

_LAST: Final = 0x10FFFF


def characters_of(element: Any, argument: Any) -> Ranges | None:  # noqa: ANN401 - a private tree of the library
    """The characters of a literal, a class or a dot; None for an element that takes no single character."""
    if element is sre.LITERAL:
        return ((argument, argument),)
    if element is sre.NOT_LITERAL:
        return _outside([(argument, argument)])
    if element is sre.ANY:
        return ((0, _LAST),)
    if element is sre.IN:
        ranges = [span for member in argument for span in _spans(*member)]
        return _outside(ranges) if argument[0][0] is sre.NEGATE else tuple(ranges)
    return None


def overlap(one: Ranges, other: Ranges) -> bool:
    """Whether some character lies in both."""
    return any(low <= last and first <= high for low, high in one for first, last in other)


def _spans(kind: Any, argument: Any) -> Ranges:  # noqa: ANN401 - a private tree of the library
    if kind is sre.LITERAL:
        return ((argument, argument),)
    if kind is sre.RANGE:
        return (argument,)
    return _CATEGORIES.get(argument, ()) if kind is sre.CATEGORY else ()


def _outside(ranges: Iterable[tuple[int, int]]) -> Ranges:
    gaps: list[tuple[int, int]] = []
    begin = 0
    for low, high in sorted(ranges):
        if begin < low:
            gaps.append((begin, low - 1))
        begin = max(begin, high + 1)
    return (*gaps, (begin, _LAST)) if begin <= _LAST else tuple(gaps)


_DIGITS: Final[Ranges] = ((0x30, 0x39), (0x660, 0x669))
_SPACES: Final[Ranges] = (
    (0x09, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_NOT_WORDS: Final[Ranges] = ((0x00, 0x2F), (0x3A, 0x40), (0x5B, 0x5E), (0x60, 0x60), (0x7B, 0x7F), *_SPACES)
_CATEGORIES: Final[dict[Any, Ranges]] = {
    sre.CATEGORY_DIGIT: _DIGITS,
    sre.CATEGORY_NOT_DIGIT: _outside(_DIGITS),
    sre.CATEGORY_SPACE: _SPACES,
    sre.CATEGORY_NOT_SPACE: _outside(_SPACES),
    sre.CATEGORY_WORD: _outside(_NOT_WORDS),
    sre.CATEGORY_NOT_WORD: _NOT_WORDS,
}
