"""What the template of the graph needs."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import get_language

from registries.admin.graph.drawing import drawing_of, name_in
from registries.admin.graph.layout import Content, Graph, graph_of


def graph_context(statuses: Sequence[Content]) -> dict[str, Any]:
    """The drawing and the sentences that say the same."""
    language = get_language() or "en"
    graph = graph_of(statuses)
    return {
        "drawing": drawing_of(graph, language) if graph.nodes else None,
        "sentences": [_told(graph, node.code, language) for node in graph.nodes],
        "step_only": graph.step_only,
    }


def _told(graph: Graph, code: str, language: str) -> dict[str, Any]:
    node = next(node for node in graph.nodes if node.code == code)
    return {
        "code": code,
        "name": name_in(language, node.status.get("displayName", {}), code),
        "lifecycle": node.status.get("lifecycle"),
        "is_terminal": node.is_terminal,
        "is_initial": bool(node.status.get("initial")),
        "is_open": code in graph.from_anywhere,
        "leads_to": [after for before, after in graph.edges if before == code],
    }
