"""Definitions for tests, written as a file's rows and loaded as a file is."""

from typing import Any

import yaml

from registries.exchange.load import load_definitions
from registries.resolver import forget

Row = dict[str, Any]

WORKER_EVENTS = ["STEP_STARTED", "STEP_PROGRESS", "STEP_COMPLETED", "STEP_FAILED", "STEP_CANCELLED"]


def define(
    *,
    operations: list[Row] | None = None,
    sets: list[Row] | None = None,
    schemas: list[Row] | None = None,
    tenant: str = "acme",
    scope: str = "content-platform",
) -> None:
    """Publish these definitions for the tenant and scope, in use from the next call on."""
    content = {
        "apiVersion": "task-status/v1",
        "tenant": tenant,
        "authorityScope": scope,
        "dataSchemas": schemas or [],
        "statusSets": sets or [],
        "operations": operations or [],
    }
    load_definitions(yaml.safe_dump(content).encode())
    # Else this process would go on with its copy for up to a second.
    forget()


def operation(code: str = "OPS.RUN", **members: Any) -> Row:
    """A published operation that any producer may execute with every event, unless members say otherwise."""
    return {
        "code": code,
        "version": 1,
        "state": "published",
        "producerPattern": "*",
        "allowedEventTypes": WORKER_EVENTS,
        "failurePolicy": "FAIL_TASK",
        **members,
    }


def status(code: str, lifecycle: str = "RUNNING", *scopes: str, **members: Any) -> Row:
    """A status of this lifecycle, for tasks and steps unless scopes are named."""
    return {"code": code, "appliesTo": list(scopes) or ["TASK", "STEP"], "lifecycle": lifecycle, **members}


def status_set(*statuses: Row, task_type: str = "PAPER", version: int = 1, **members: Any) -> Row:
    """A published set of these statuses."""
    return {"taskType": task_type, "version": version, "state": "published", "statuses": list(statuses), **members}


def draft_of(row: Row) -> Row:
    """The content of a draft: what a file says of it, without the state."""
    return {name: value for name, value in row.items() if name != "state"}
