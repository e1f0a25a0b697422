"""A task whose steps nobody knows beforehand: the librarian looks at the index and asks for a search per language."""

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from examples.document_pipeline.reporter import Reporter
from examples.document_pipeline.status_client import StatusClient
from examples.document_pipeline.work_server import Work, send_work

if TYPE_CHECKING:
    from examples.document_pipeline.settings import Settings


def plan_catalogue(work: Work, reporter: Reporter, settings: "Settings") -> dict[str, Any]:
    """Find the languages of the index; register a search for each, as a child of this execution, and hand it on."""
    reporter.started()
    context = work["context"]
    languages = sorted({str(entry["language"] or "unknown") for entry in _index(settings)})
    status = StatusClient(settings.url, context["executionToken"])
    children = []
    for number, language in enumerate(languages, 1):
        child = status.post(
            f"/tasks/{context['taskId']}/executions:register",
            {
                "clientStepKey": f"search-{language}",
                "operationCode": "SEARCH.LIBRARY",
                "producerId": "search-service",
                "displayName": f"Search documents in: {language}",
            },
        )
        children.append(child["executionId"])
        send_work(
            settings.address("store"),
            {"context": child["context"], "language": language, "replyTo": work["replyTo"]},
        )
        settings.take_time()
        reporter.progress(number, len(languages), "search")
    reporter.completed("generic.result.v1", {"searches": len(children)})
    return {"children": children}


def search_library(work: Work, reporter: Reporter, settings: "Settings") -> dict[str, Any]:
    """Count what the index holds in one language."""
    reporter.started()
    found = [entry for entry in _index(settings) if str(entry["language"] or "unknown") == work["language"]]
    settings.take_time()
    words = Counter(words=sum(entry["words"] for entry in found))
    reporter.completed("generic.result.v1", {"documents": len(found), "words": words["words"]})
    return {"documents": len(found)}


def _index(settings: "Settings") -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(settings.index.glob("*.json"))]
