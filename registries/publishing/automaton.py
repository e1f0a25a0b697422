"""A regular expression as a Glushkov automaton: a position for each character class, and counted edges."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from typing import Any, Final

from django.utils.translation import gettext

from registries.publishing.characters import Ranges, characters_of

# The standard library's own parser of patterns; it has no stubs.
sre: Any = import_module("re._constants")

MAX_POSITIONS: Final = 200
_MOST_COPIES: Final = 64


class UnfitPatternError(Exception):
    """A pattern that is refused already while its automaton is built; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the expression: whether it may be empty, and which positions it can begin and end with."""

    empty: bool
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


@dataclass(slots=True)
class Automaton:
    """`edges[p, q]` counts the ways in which position q may follow position p."""

    positions: list[Ranges] = field(default_factory=list)
    edges: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, elements: Iterable[tuple[Any, Any]]) -> _Part:
        """Add a sequence of the parser's elements.

        Raises:
            UnfitPatternError: if it repeats what may be empty, is too large, or is not common to all readers.
        """
        whole = _Part(empty=True)
        for element, argument in elements:
            whole = self._join(whole, self._element(element, argument))
        return whole

    def _element(self, element: Any, argument: Any) -> _Part:  # noqa: ANN401 - a private tree of the library
        characters = characters_of(element, argument)
        if characters is not None:
            return self._position(characters)
        if element is sre.SUBPATTERN:
            return self.add(argument[-1])
        if element is sre.BRANCH:
            return self._alternatives(argument[1])
        if element in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            return self._repeat(*argument)
        if element is sre.AT:
            return _Part(empty=True)
        raise UnfitPatternError(gettext("uses look-around, a back-reference or a possessive repeat; write it without"))

    def _position(self, characters: Ranges) -> _Part:
        if len(self.positions) >= MAX_POSITIONS:
            raise UnfitPatternError(gettext("is too large to be judged; make it shorter"))
        self.positions.append(characters)
        here = (len(self.positions) - 1,)
        return _Part(empty=False, first=here, last=here)

    def _join(self, one: _Part, other: _Part) -> _Part:
        self._connect(one, other)
        return _Part(
            one.empty and other.empty,
            one.first + other.first if one.empty else one.first,
            one.last + other.last if other.empty else other.last,
        )

    def _connect(self, one: _Part, other: _Part) -> None:
        self.edges.update(product(one.last, other.first))

    def _alternatives(self, branches: Iterable[Any]) -> _Part:
        parts = [self.add(branch) for branch in branches]
        if sum(part.empty for part in parts) > 1:
            raise UnfitPatternError(gettext("has two alternatives that may both be empty or alike; leave one out"))
        return _Part(
            any(part.empty for part in parts),
            tuple(position for part in parts for position in part.first),
            tuple(position for part in parts for position in part.last),
        )

    def _repeat(self, low: int, high: int, body: Any) -> _Part:  # noqa: ANN401 - a private tree of the library
        shortest, longest = body.getwidth()
        if low == high and shortest == longest and low * longest <= _MOST_COPIES:
            return self.add([(sre.SUBPATTERN, (body,))] * low)
        part = self.add(body)
        if high > 1:
            if part.empty:
                raise UnfitPatternError(
                    gettext("repeats something that may be empty; make one of the two not optional")
                )
            self._connect(part, part)
        return _Part(part.empty or low == 0, part.first, part.last)
