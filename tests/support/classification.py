"""Classifying tasks in tests: two types with sets, and a request by somebody who has just read the task."""

from typing import Any, Final

from tests.support.api import Answer
from tests.support.cast import Coordinator, coordinator
from tests.support.definitions import define, operation, status, status_set

CODES: Final = (
    status("NEW", "PENDING", "TASK", initial=True),
    status("READING", allowedFrom=["NEW", "@none"]),
    status("DONE", "SUCCEEDED", allowedFrom=["READING"]),
)
NEW_TYPE: Final = {"taskType": "PAPER"}


def classifier() -> Coordinator:
    """A coordinator in whose scope papers have two versions of their statuses, and letters one."""
    define(
        sets=[status_set(*CODES), status_set(*CODES, version=2), status_set(*CODES, task_type="LETTER")],
        operations=[operation(version=3)],
    )
    return coordinator()


def classify(carol: Coordinator, task_id: str, body: dict[str, Any], tag: str | None = None) -> Answer:
    """Classify the task, as somebody who has just read it unless a tag is named."""
    tag = tag or carol.api.get(f"/tasks/{task_id}").headers["ETag"]
    return carol.api.call("PATCH", f"/tasks/{task_id}/classification", body, headers={"If-Match": tag})
