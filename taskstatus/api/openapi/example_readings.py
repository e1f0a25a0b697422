"""What Alice, and her coordinator, read of the story."""

from typing import Final

from taskstatus.api.openapi.example_states import AS_OF, CREATED_AT, TASK_DETAIL, WORKFLOW_SUMMARY, Json
from taskstatus.api.openapi.examples import EXECUTION_ID, TASK_ID, WORKFLOW_ID

_OF_DETAIL: Final = ("steps", "statusDefinitionVersion", "operationDefinitionVersion", "permissions", "epoch")
TASK_SUMMARY: Final[Json] = {name: value for name, value in TASK_DETAIL.items() if name not in _OF_DETAIL}
_SILENT_SINCE: Final = "2026-09-21T07:11:25.120Z"
_PAGE: Final[Json] = {"nextCursor": None, "epoch": "1", "asOf": AS_OF}

TASK_PAGE: Final[Json] = {"items": [TASK_SUMMARY], **_PAGE}
WORKFLOW_PAGE: Final[Json] = {"items": [WORKFLOW_SUMMARY], **_PAGE}
# Five minutes later nothing was heard of it.
EXECUTION_PAGE: Final[Json] = {
    "items": [
        {
            "workflowId": WORKFLOW_ID,
            "taskId": TASK_ID,
            "taskVersion": "5",
            "taskType": "DOCUMENT_PROCESS",
            "title": "Parse the contract",
            "lifecycleStatus": "RUNNING",
            "cancelRequestedAt": None,
            "taskAttempt": 1,
            "stepId": "parse",
            "stepAttempt": 1,
            "executionId": EXECUTION_ID,
            "operationCode": "DOCUMENT.PARSE",
            "producerId": "document-parser",
            "stepLifecycleStatus": "RUNNING",
            "health": "STALE",
            "healthReason": "NO_HEARTBEAT",
            "healthSince": _SILENT_SINCE,
            "lastHeartbeatAt": "2026-09-21T07:10:24.801Z",
            "staleSince": _SILENT_SINCE,
            "activatedAt": "2026-09-21T07:10:20.300Z",
            "startedAt": "2026-09-21T07:10:21.480Z",
        }
    ],
    **_PAGE,
    "asOf": "2026-09-21T07:15:30.000Z",
}
TOTALS: Final[Json] = {**WORKFLOW_SUMMARY["counts"], "requiresAction": 0, "epoch": "1", "asOf": AS_OF}
MY_TASK: Final[Json] = {**TASK_DETAIL, "permissions": ["VIEW", "OPERATE", "ADMIN"]}
CREATED: Final[Json] = {
    "eventId": "svc_01K5M6Z3QBW5P3V8Y0S1C2D3E4",
    "eventType": "TASK_CREATED",
    "taskVersion": "1",
    "stepVersion": None,
    "taskAttempt": 1,
    "stepId": None,
    "stepAttempt": None,
    "executionId": None,
    "parentExecutionId": None,
    "operationCode": None,
    "producerId": "coordinator",
    "sourceSeq": None,
    "lifecycleStatus": "PENDING",
    "businessStatus": "QUEUED",
    "health": "HEALTHY",
    "healthReason": None,
    "durationMs": None,
    "error": None,
    "data": None,
    "occurredAt": None,
    "receivedAt": CREATED_AT,
    "committedAt": CREATED_AT,
}
TIMELINE: Final[Json] = {"items": [CREATED], "nextAfterTaskVersion": "1", "oldestTaskVersion": "1", "epoch": "1"}
ATTEMPTS: Final[Json] = {"items": [{"taskAttempt": 1, "steps": TASK_DETAIL["steps"]}], "epoch": "1"}
BATCH: Final[Json] = {
    "kind": "task.summary.batch",
    "schemaVersion": 1,
    "items": [{"workflowId": WORKFLOW_ID, "taskId": TASK_ID, "taskVersion": "4", "task": TASK_SUMMARY}],
    "removed": [],
    "epoch": "1",
    "asOf": AS_OF,
}
FOUND: Final[Json] = {"taskId": TASK_ID, "workflowId": WORKFLOW_ID, "epoch": "1"}
