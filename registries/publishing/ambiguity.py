r"""Finds the loops of a regular expression that can go through one text in more than one way.

Such a loop makes a backtracking engine try 2ⁿ ways on n characters that don't match in the end: `(a+)+`,
`(a|a)*`, `(\w+\s?)*`. In the Glushkov automaton it shows as a loop with an edge that exists twice, or as
two different walks that leave a position together, read the same characters and meet again (Weber and
Seidl's criterion for exponential ambiguity, 1991).

What is refused may be harmless (counted repeats are taken for endless ones), and can be written another way.
Repetitions side by side, as `a*a*`, cost a power of the length and pass.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext, gettext_lazy

from registries.publishing.automaton import Automaton, UnfitPatternError
from registries.publishing.characters import overlap

MAX_STEPS: Final = 1_000_000
_AMBIGUOUS: Final = gettext_lazy(
    "could run away: a repetition in it, as in (a+)+ or (a|a)*, can go through one text in several ways; "
    "write it so that each text fits in one way"
)

_Pair = tuple[int, int]


def find_ambiguity(elements: Iterable[Any]) -> str | None:
    """Why the parsed expression could run away and what to do, or None."""
    automaton = Automaton()
    try:
        automaton.add(elements)
        found = any(_is_ambiguous(automaton, loop) for loop in _loops(automaton))
    except UnfitPatternError as error:
        return str(error)
    return str(_AMBIGUOUS) if found else None


def _loops(automaton: Automaton) -> list[frozenset[int]]:
    """The sets of positions that can be reached from one another again and again."""
    follow: dict[int, set[int]] = defaultdict(set)
    for one, other in automaton.edges:
        follow[one].add(other)
    reached = {start: _reachable(start, follow) for start in range(len(automaton.positions))}
    loops = {
        frozenset(other for other in reached[one] if one in reached[other]) for one in reached if one in reached[one]
    }
    return sorted(loops, key=min)


def _reachable(start: int, follow: Mapping[int, set[int]]) -> set[int]:
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        fresh = follow.get(waiting.pop(), set()) - seen
        seen |= fresh
        waiting.extend(fresh)
    return seen


def _is_ambiguous(automaton: Automaton, loop: frozenset[int]) -> bool:
    inside = {edge: count for edge, count in automaton.edges.items() if loop.issuperset(edge)}
    if any(count > 1 for count in inside.values()):
        return True
    follow: dict[int, list[int]] = defaultdict(list)
    for one, other in inside:
        follow[one].append(other)
    return _two_walks_meet(automaton, min(loop), follow)


def _two_walks_meet(automaton: Automaton, start: int, follow: Mapping[int, list[int]]) -> bool:
    """Whether two walks from one position part and come together, reading the same characters.

    Two walks in step are one walk over pairs. All equal pairs of a loop reach one another, so that one start
    is enough, and walking backwards from the equal pairs finds who comes together.
    """
    before: dict[_Pair, list[_Pair]] = {(start, start): []}
    waiting, steps = [(start, start)], 0
    while waiting:
        pair = waiting.pop()
        for onward in _steps(automaton, pair, follow):
            if onward not in before:
                before[onward] = []
                waiting.append(onward)
            before[onward].append(pair)
        steps += len(follow[pair[0]]) * len(follow[pair[1]])
        if steps > MAX_STEPS:
            raise UnfitPatternError(gettext("is too complicated to be judged; make it simpler"))
    return _has_unequal_origin(before)


def _steps(automaton: Automaton, pair: _Pair, follow: Mapping[int, list[int]]) -> Iterable[_Pair]:
    positions = automaton.positions
    return [
        (one, other)
        for one in follow[pair[0]]
        for other in follow[pair[1]]
        if overlap(positions[one], positions[other])
    ]


def _has_unequal_origin(before: Mapping[_Pair, list[_Pair]]) -> bool:
    return any(origin[0] != origin[1] for (one, other), origins in before.items() if one == other for origin in origins)
