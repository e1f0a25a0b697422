"""A task whose steps nobody knows beforehand: the librarian looks at the index and asks for a search per language."""

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from examples.document_pipeline.reporter import Reporter, WorkCancelledError
from examples.document_pipeline.status_client import StatusClient
from examples.document_pipeline.work_server import Work, send_work

if TYPE_CHECKING:
    from examples.document_pipeline.settings import Settings


def plan_catalogue(work: Work, reporter: Reporter, settings: "Settings") -> dict[str, Any]:
    """Find the languages of the index; register a search for each, as a child of this execution, and hand it on."""
    reporter.started()
    languages = sorted({str(entry["language"] or "unknown") for entry in _index(settings)})
    children: list[str] = []
    try:
        for number, language in enumerate(languages, 1):
            children.append(_search(language, work, settings))
            reporter.take_time(settings.seconds_per_page)
            reporter.progress(number, len(languages), "search")
    except WorkCancelledError:
        # Whoever asked has to wait for those that are under way.
        raise WorkCancelledError(children=children) from None
    reporter.completed("generic.result.v1", {"searches": len(children)})
    return {"children": children}


def _search(language: str, work: Work, settings: "Settings") -> str:
    """Register the search of one language and hand it on; its executionId."""
    context = work["context"]
    child = StatusClient(settings.url, context["executionToken"]).post(
        f"/tasks/{context['taskId']}/executions:register",
        {
            "clientStepKey": f"search-{language}",
            "operationCode": "SEARCH.LIBRARY",
            "producerId": "search-service",
            "displayName": f"Search documents in: {language}",
        },
    )
    handed_on = {"context": child["context"], "language": language, "replyTo": work["replyTo"]}
    send_work(settings.address("store"), handed_on)
    return str(child["executionId"])


def search_library(work: Work, reporter: Reporter, settings: "Settings") -> dict[str, Any]:
    """Count what the index holds in one language."""
    reporter.started()
    found = [entry for entry in _index(settings) if str(entry["language"] or "unknown") == work["language"]]
    reporter.take_time(settings.seconds_per_page)
    words = Counter(words=sum(entry["words"] for entry in found))
    reporter.completed("generic.result.v1", {"documents": len(found), "words": words["words"]})
    return {"documents": len(found)}


def _index(settings: "Settings") -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(settings.index.glob("*.json"))]
