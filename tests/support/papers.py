"""Definitions of papers that are read: a status set, a data schema and an operation, for the acceptance tests."""

from typing import Any, Final

from tests.support.definitions import operation, status

TENANT, SCOPE = "acme", "content-platform"
CODES: Final = (
    status("NEW", "PENDING", "TASK", initial=True),
    status("READING", allowedFrom=["NEW"]),
    status("DONE", "SUCCEEDED", "TASK", allowedFrom=["READING"]),
)
PAGES: Final[dict[str, Any]] = {
    "name": "pages.v1",
    "maxBytes": 60,
    "schema": {
        "type": "object",
        "additionalProperties": False,
        "properties": {"pages": {"type": "integer"}, "title": {"type": "string"}},
    },
    "views": {"USER_SUMMARY": ["pages"]},
}
READ: Final = operation(
    "PAPER.READ",
    producerPattern="reader-*",
    allowedEventTypes=["STEP_STARTED", "STEP_COMPLETED", "STEP_FAILED"],
    allowedDataSchemas={"STEP_COMPLETED": ["pages.v1"]},
    failurePolicy="WAIT_FOR_USER",
)
