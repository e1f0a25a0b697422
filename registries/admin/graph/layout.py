"""Where the codes of a status set stand in its graph: in layers, from where tasks begin to where they end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from taskstatus.domain.definitions import ANY_STATUS
from taskstatus.domain.lifecycle import TERMINAL, AppliesTo

_SWEEPS: Final = 4
Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """One task code, and its place: the layer from the left, the position in it from the top."""

    code: str
    status: Content
    layer: int
    position: int

    @property
    def is_terminal(self) -> bool:
        """Whether a task ends with it."""
        return self.status.get("lifecycle") in TERMINAL


@dataclass(frozen=True, slots=True)
class Graph:
    """The placed codes, the ways between them, and the codes that a task may come to from everywhere."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    from_anywhere: frozenset[str]
    step_only: tuple[str, ...]


def graph_of(statuses: Sequence[Content]) -> Graph:
    """The graph of a set's task codes; whatever else a draft says that makes no sense yet is left out."""
    tasks = {str(row["code"]): row for row in statuses if row.get("code") and AppliesTo.TASK in row["appliesTo"]}
    edges = tuple(
        (source, code)
        for code, row in tasks.items()
        for source in row.get("allowedFrom", ())
        if source in tasks and source != code
    )
    layers = _layers(tasks, edges)
    placed = _placed(layers, edges)
    return Graph(
        nodes=tuple(Node(code, tasks[code], layer, position) for code, (layer, position) in placed.items()),
        edges=edges,
        from_anywhere=frozenset(code for code, row in tasks.items() if ANY_STATUS in row.get("allowedFrom", ())),
        step_only=tuple(str(row["code"]) for row in statuses if row.get("code") and str(row["code"]) not in tasks),
    )


def _layers(tasks: Mapping[str, Content], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """By the shortest way from the beginning; what nothing reaches follows, and ends stand last."""
    depth = dict.fromkeys((code for code, row in tasks.items() if row.get("initial")), 0)
    fresh = set(depth)
    while fresh:
        fresh = {after for before, after in edges if before in fresh and after not in depth}
        depth |= dict.fromkeys(fresh, 1 + max(depth.values()))
    ends = {code for code, row in tasks.items() if row.get("lifecycle") in TERMINAL and not row.get("initial")}
    after_reached = 1 + max((layer for code, layer in depth.items() if code not in ends), default=-1)
    depth = {code: depth.get(code, after_reached) for code in tasks}
    last = 1 + max((layer for code, layer in depth.items() if code not in ends), default=-1)
    depth |= dict.fromkeys(ends, last)
    found: dict[int, list[str]] = {}
    for code, layer in depth.items():
        found.setdefault(layer, []).append(code)
    return [found[layer] for layer in sorted(found)]


def _placed(layers: list[list[str]], edges: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Order each layer by where its neighbours are, forth and back, so that fewer ways cross."""
    neighbours: dict[str, list[str]] = {}
    for before, after in edges:
        neighbours.setdefault(before, []).append(after)
        neighbours.setdefault(after, []).append(before)
    at: dict[str, float] = {code: place for layer in layers for place, code in enumerate(layer)}
    for _ in range(_SWEEPS):
        for layer in layers:
            own = {code: at[code] for code in layer}
            wanted = {code: fmean([at[n] for n in neighbours.get(code, ())] or [own[code]]) for code in layer}
            layer.sort(key=lambda code: (wanted[code], own[code]))
            at |= {code: float(place) for place, code in enumerate(layer)}
    return {code: (number, place) for number, layer in enumerate(layers) for place, code in enumerate(layer)}
