"""The story's task and workflow as their readers see them."""

from typing import Any, Final

from taskstatus.api.openapi.examples import EXECUTION_ID, TASK_ID, WORKFLOW_ID

Json = dict[str, Any]

CREATED_AT: Final = "2026-09-21T07:10:18.120Z"
_STARTED_AT: Final = "2026-09-21T07:10:21.480Z"
_UPDATED_AT: Final = "2026-09-21T07:10:24.801Z"
AS_OF: Final = "2026-09-21T07:10:30.000Z"
_PROGRESS: Final[Json] = {"current": 3, "total": 12, "unit": "page"}
_DATA: Final[Json] = {"schema": "document.parse.progress.v1", "value": {"currentPage": 3, "totalPages": 12}}

_STEP: Final[Json] = {
    "stepId": "parse",
    "clientStepKey": None,
    "attempt": 1,
    "executionId": EXECUTION_ID,
    "parentExecutionId": None,
    "depth": 0,
    "operationCode": "DOCUMENT.PARSE",
    "operationDefinitionVersion": 2,
    "displayName": "Parse the document",
    "serviceName": "document-parser",
    "dependsOn": [],
    "failurePolicy": "RETRY_THEN_FAIL_TASK",
    "lifecycleStatus": "RUNNING",
    "businessStatus": "PARSING",
    "health": "HEALTHY",
    "healthReason": None,
    "lastHeartbeatAt": _UPDATED_AT,
    "staleSince": None,
    "phaseCode": "OCR",
    "phaseLabel": "Reading the pages",
    "progress": _PROGRESS,
    "progressUpdatedAt": _UPDATED_AT,
    "version": "4",
    "createdAt": CREATED_AT,
    "startedAt": _STARTED_AT,
    "finishedAt": None,
    "updatedAt": _UPDATED_AT,
    "durationMs": None,
    "durationSource": None,
    "elapsedMs": 8520,
    "asOf": AS_OF,
    "error": None,
    "data": _DATA,
}
TASK_DETAIL: Final[Json] = {
    "id": TASK_ID,
    "workflowId": WORKFLOW_ID,
    "ownerId": "alice",
    "title": "Parse the contract",
    "taskType": "DOCUMENT_PROCESS",
    "productId": "contracts",
    "batchId": None,
    "parentTaskId": None,
    "attempt": 1,
    "lifecycleStatus": "RUNNING",
    "businessStatus": "PARSING",
    "statusDisplay": {"name": "Parsing", "severity": "INFO", "colorToken": "info", "iconKey": "play"},
    "health": "HEALTHY",
    "healthReason": None,
    "phaseCode": "OCR",
    "phaseLabel": "Reading the pages",
    "progress": _PROGRESS,
    "currentStep": {
        "stepId": "parse",
        "operationCode": "DOCUMENT.PARSE",
        "displayName": "Parse the document",
        "serviceName": "document-parser",
    },
    "failure": None,
    "requiresAction": False,
    "actions": [],
    "cancelRequestedAt": None,
    "version": "4",
    "createdAt": CREATED_AT,
    "startedAt": _STARTED_AT,
    "finishedAt": None,
    "updatedAt": _UPDATED_AT,
    "elapsedMs": 8520,
    "asOf": AS_OF,
    "durationMs": None,
    "queueDurationMs": 3360,
    "totalDurationMs": None,
    "summaryData": _DATA,
    "steps": [_STEP],
    "statusDefinitionVersion": 3,
    "operationDefinitionVersion": None,
    "permissions": None,
    "epoch": "1",
}
WORKFLOW_SUMMARY: Final[Json] = {
    "id": WORKFLOW_ID,
    "title": "Import the contracts",
    "workflowType": None,
    "ownerId": "alice",
    "projectId": None,
    "aggregation": "EXPLICIT",
    "sealed": False,
    "lifecycleStatus": "RUNNING",
    "health": "HEALTHY",
    "version": "2",
    "taskCount": 1,
    "counts": {
        "lifecycleStatus": {"PENDING": 0, "RUNNING": 1, "SUCCEEDED": 0, "FAILED": 0, "CANCELLED": 0},
        "health": {"HEALTHY": 1, "DEGRADED": 0, "STALE": 0},
    },
    "requiresAction": False,
    "createdAt": CREATED_AT,
    "startedAt": _STARTED_AT,
    "finishedAt": None,
    "updatedAt": _STARTED_AT,
    "epoch": "1",
}
