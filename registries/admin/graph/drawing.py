"""The graph of a status set as SVG: boxes in layers, ways as curves, sizes and points worked out here."""

from dataclasses import dataclass
from typing import Final

from registries.admin.graph.layout import Graph, Node

BOX_WIDTH: Final = 168
BOX_HEIGHT: Final = 50
GAP_X: Final = 84
GAP_Y: Final = 34
MARGIN: Final = 26
_TONES: Final = frozenset({"neutral", "info", "success", "warning", "danger", "violet"})
_TONE_OF_SEVERITY: Final = {"SUCCESS": "success", "WARNING": "warning", "ERROR": "danger"}
_LONGEST_CODE: Final = 20
_LONGEST_NAME: Final = 26


@dataclass(frozen=True, slots=True)
class Box:
    """One code as it is drawn."""

    x: float
    y: float
    code: str
    name: str
    tone: str
    lifecycle: str
    is_terminal: bool
    is_initial: bool
    is_open: bool

    @property
    def middle(self) -> float:
        """Half-way down the box."""
        return self.y + BOX_HEIGHT / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + BOX_HEIGHT


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that the template writes down."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: tuple[str, ...]


def drawing_of(graph: Graph, language: str) -> Drawing:
    """Place the graph on a sheet that is just large enough."""
    rows = max((node.position for node in graph.nodes), default=0) + 1
    layers = max((node.layer for node in graph.nodes), default=0) + 1
    counts = [sum(node.layer == layer for node in graph.nodes) for layer in range(layers)]
    boxes = {node.code: _box(node, graph, language, rows - counts[node.layer]) for node in graph.nodes}
    has_way_back = any(boxes[a].x >= boxes[b].x for a, b in graph.edges)
    height = 2 * MARGIN + rows * (BOX_HEIGHT + GAP_Y) - GAP_Y + (GAP_Y if has_way_back else 0)
    return Drawing(
        width=2 * MARGIN + layers * (BOX_WIDTH + GAP_X) - GAP_X,
        height=height,
        boxes=tuple(boxes.values()),
        curves=tuple(_curve(boxes[a], boxes[b], height) for a, b in graph.edges),
    )


def _box(node: Node, graph: Graph, language: str, free_rows: int) -> Box:
    status = node.status
    return Box(
        x=MARGIN + node.layer * (BOX_WIDTH + GAP_X),
        y=MARGIN + (node.position + free_rows / 2) * (BOX_HEIGHT + GAP_Y),
        code=_short(node.code, _LONGEST_CODE),
        name=_short(name_in(language, status.get("displayName", {}), node.code), _LONGEST_NAME),
        tone=tone_of(status.get("presentation", {}).get("colorToken"), status.get("severity")),
        lifecycle=str(status.get("lifecycle", "")),
        is_terminal=node.is_terminal,
        is_initial=bool(status.get("initial")),
        is_open=node.code in graph.from_anywhere,
    )


def tone_of(token: object, severity: object) -> str:
    """What the colour token looks like; one that is not known here looks like its severity."""
    return token if isinstance(token, str) and token in _TONES else _TONE_OF_SEVERITY.get(str(severity), "info")


def name_in(language: str, names: dict[str, str], code: str) -> str:
    """The display name in the reader's language, else in English, else any, else the code."""
    by_tag = {tag.lower(): text for tag, text in names.items()}
    return by_tag.get(language.lower()) or by_tag.get("en") or next(iter(by_tag.values()), code)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _curve(start: Box, end: Box, height: float) -> str:
    """A way to the right goes straight over; one within a layer goes around beside it, one back goes below."""
    right, left = start.x + BOX_WIDTH, end.x
    if left > right:
        bend = (left - right) / 2
        over = f"{right + bend},{start.middle} {left - bend},{end.middle}"
        return f"M{right},{start.middle} C{over} {left - 3},{end.middle}"
    if start.x == end.x:
        side, above, below = right + GAP_X * 0.55, start.middle + 6, end.middle - 6
        return f"M{right},{above} C{side},{above} {side},{below} {right + 3},{below}"
    depth = min(height - 4, max(start.y, end.y) + BOX_HEIGHT + GAP_Y)
    begin, finish = start.x + BOX_WIDTH / 2, end.x + BOX_WIDTH / 2
    return f"M{begin},{start.bottom} C{begin},{depth} {finish},{depth} {finish},{end.bottom + 3}"
