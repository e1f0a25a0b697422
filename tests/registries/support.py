"""Definitions for the tests of the registries: small files that are right, to be changed in one place."""

from collections import Counter
from copy import deepcopy
from typing import Any

import yaml

from registries.exchange.load import LoadReport, load_definitions
from registries.models import (
    DataSchemaDefinition,
    DefinitionScope,
    OperationDefinition,
    StatusDefinition,
    StatusDefinitionSet,
)
from registries.problems import DefinitionsRefusedError
from registries.resolver import registry
from taskstatus.domain.definitions import Operation

TENANT, SCOPE = "acme", "content-platform"
WORKER_EVENTS = ["STEP_STARTED", "STEP_PROGRESS", "STEP_COMPLETED", "STEP_FAILED", "STEP_CANCELLED"]
Row = dict[str, Any]
MODELS = (DefinitionScope, StatusDefinitionSet, StatusDefinition, OperationDefinition, DataSchemaDefinition)


def schema(**changes: Any) -> Row:
    row: Row = {
        "name": "document.parsed.v1",
        "schema": {
            "type": "object",
            "properties": {"pageCount": {"type": "integer"}, "resultRef": {"type": "string"}},
        },
    }
    return row | changes


def status(code: str, lifecycle: str = "RUNNING", **changes: Any) -> Row:
    return {"code": code, "appliesTo": ["TASK"], "lifecycle": lifecycle} | changes


def statuses() -> list[Row]:
    return [
        status("QUEUED", "PENDING", initial=True),
        status("PARSING", allowedFrom=["QUEUED"], appliesTo=["TASK", "STEP"]),
        status("DONE", "SUCCEEDED", allowedFrom=["PARSING"]),
    ]


def status_set(**changes: Any) -> Row:
    row: Row = {
        "taskType": "DOCUMENT_PROCESS",
        "version": 1,
        "state": "published",
        "statuses": statuses(),
    }
    return row | changes


def operation(code: str = "DOCUMENT.PARSE", **changes: Any) -> Row:
    row: Row = {
        "code": code,
        "version": 1,
        "state": "published",
        "producerPattern": "document-parser",
        "allowedEventTypes": WORKER_EVENTS,
        "failurePolicy": "FAIL_TASK",
    }
    return row | changes


def file(
    *,
    schemas: list[Row] | None = None,
    sets: list[Row] | None = None,
    operations: list[Row] | None = None,
    **header: Any,
) -> bytes:
    content: Row = {
        "apiVersion": "task-status/v1",
        "tenant": TENANT,
        "authorityScope": SCOPE,
        "dataSchemas": schemas or [],
        "statusSets": sets or [],
        "operations": operations or [],
    }
    return yaml.safe_dump(deepcopy(content) | header, allow_unicode=True).encode()


def load(**rows: Any) -> LoadReport:
    return load_definitions(file(**rows))


def refusals(content: bytes) -> list[str]:
    """What loading the file says against it; nothing if it is taken."""
    try:
        load_definitions(content)
    except DefinitionsRefusedError as error:
        return [str(problem) for problem in error.problems]
    return []


def changes(**rows: Any) -> dict[str, int]:
    return dict(Counter(str(step.change) for step in load(**rows).steps))


def all_rows() -> list[Any]:
    return [row for model in MODELS for row in model.objects.order_by("pk").values()]


def bind(code: str = "DOCUMENT.PARSE", task_type: str | None = "DOCUMENT_PROCESS", **versions: int) -> Operation | None:
    """The operation that an execution of this code binds to now."""
    return registry(TENANT, SCOPE).bind_operation(code, task_type, **versions)


def bound(*args: Any, **versions: Any) -> tuple[str, int]:
    """The pattern and the version of the operation that is bound."""
    found = bind(*args, **versions)
    assert found is not None
    return found.task_type_pattern, found.version
