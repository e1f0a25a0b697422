"""One story in JSON: acme's coordinator has a document parsed, and the worker reports. Contract tests hold it true."""

from typing import Any, Final

from taskstatus.api.errors import problem
from taskstatus.domain.errors import DomainError

Json = dict[str, Any]

WORKFLOW_ID: Final = "wfl_1MC_01K5M6Z3Q8V4N2T7X9R0B1C2D3"
TASK_ID: Final = "tsk_1MC_01K5M6Z3QBW5P3V8Y0S1C2D3E4"
EXECUTION_ID: Final = "exe_1MC_01K5M700D4X6Q4W9Z1T2D3E4F5"
HANDLE: Final = "exh_1MC_MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U"
_TOKEN: Final = "eyJhbGciOiJIUzI1NiIsImtpZCI6IjIwMjYtMDkifQ.eyJzdWIiOiJkb2N1bWVudC1wYXJzZXIifQ.c2lnbmF0dXJl"  # noqa: S105

TASK: Final[Json] = {
    "clientTaskKey": "contract-4711",
    "title": "Parse the contract",
    "taskType": "DOCUMENT_PROCESS",
    "productId": "contracts",
    "externalRefs": [{"refType": "DOCUMENT", "refValue": "4711"}],
    "knownSteps": [
        {"stepId": "parse", "operationCode": "DOCUMENT.PARSE", "expectedProducer": "document-parser"},
    ],
}
WORKFLOW: Final[Json] = {
    "clientWorkflowKey": "import-2026-09-21",
    "ownerId": "alice",
    "title": "Import the contracts",
    "aggregation": "EXPLICIT",
    "initialTasks": [TASK],
}
CREATED_WORKFLOW: Final[Json] = {
    "workflowId": WORKFLOW_ID,
    "workflowVersion": "1",
    "epoch": "1",
    "created": True,
    "tasks": [{"clientTaskKey": "contract-4711", "taskId": TASK_ID, "taskVersion": "1", "created": True}],
}
REPLAYED_WORKFLOW: Final[Json] = {
    **CREATED_WORKFLOW,
    "created": False,
    "tasks": [{**CREATED_WORKFLOW["tasks"][0], "created": False}],
}
ADDED_TASK: Final[Json] = {
    "workflowId": WORKFLOW_ID,
    "workflowVersion": "2",
    "taskId": TASK_ID,
    "taskVersion": "1",
    "epoch": "1",
    "created": True,
}
TASK_CHANGE: Final[Json] = {"taskId": TASK_ID, "taskVersion": "5", "epoch": "1"}
WORKFLOW_CHANGE: Final[Json] = {"workflowId": WORKFLOW_ID, "workflowVersion": "3", "epoch": "1"}
EXTERNAL_REF: Final[Json] = {"taskId": TASK_ID, "refType": "DOCUMENT", "refValue": "4711", **TASK_CHANGE}

CONTEXT: Final[Json] = {
    "workflowId": WORKFLOW_ID,
    "taskId": TASK_ID,
    "authorityScope": "content-platform",
    "productId": "contracts",
    "taskType": "DOCUMENT_PROCESS",
    "taskAttempt": 1,
    "stepId": "parse",
    "operationCode": "DOCUMENT.PARSE",
    "stepAttempt": 1,
    "executionId": EXECUTION_ID,
    "producerId": "document-parser",
    "statusDefinitionVersion": 3,
    "operationDefinitionVersion": 2,
    "failurePolicy": "RETRY_THEN_FAIL_TASK",
    "heartbeatIntervalSeconds": 15,
    "heartbeatTimeoutSeconds": 60,
    "sourceSeqStart": 1,
    "allowedEventTypes": ["STEP_CANCELLED", "STEP_COMPLETED", "STEP_FAILED", "STEP_PROGRESS", "STEP_STARTED"],
    "allowedDataSchemas": {
        "STEP_COMPLETED": ["document.parse.completed.v2"],
        "STEP_PROGRESS": ["document.parse.progress.v1"],
    },
    "executionToken": _TOKEN,
    "executionHandle": HANDLE,
    "expiresAt": "2026-09-21T08:10:20.300Z",
    "epoch": "1",
    "taskVersion": "2",
}
CREDENTIALS: Final[Json] = {name: CONTEXT[name] for name in ("executionToken", "executionHandle", "expiresAt", "epoch")}
REGISTRATION: Final[Json] = {
    "clientStepKey": "search-1",
    "operationCode": "SEARCH.WEB",
    "producerId": "search-service",
    "displayName": "Look up the parties",
}
REGISTERED: Final[Json] = {
    "stepId": "dyn_search-1",
    "executionId": EXECUTION_ID,
    "executionHandle": HANDLE,
    "executionToken": _TOKEN,
    "taskVersion": "3",
    "epoch": "1",
    "created": True,
    "context": {
        **CONTEXT,
        "stepId": "dyn_search-1",
        "operationCode": "SEARCH.WEB",
        "operationDefinitionVersion": 1,
        "producerId": "search-service",
        "failurePolicy": "CONTINUE_WITH_WARNING",
        "allowedDataSchemas": {"STEP_COMPLETED": ["generic.result.v1"], "STEP_PROGRESS": ["generic.progress.v1"]},
        "taskVersion": "3",
    },
}

SEALED: Final[Json] = {"eventId": "import-2026-09-21-sealed", "eventType": "WORKFLOW_SEALED"}
WORKFLOW_RECEIPT: Final[Json] = {
    "accepted": True,
    "duplicate": False,
    "workflowVersion": "3",
    "epoch": "1",
    "lifecycleStatus": "RUNNING",
}
EVENT: Final[Json] = {
    "eventId": "parse-4711-2",
    "eventType": "STEP_PROGRESS",
    "sourceSeq": 2,
    "progressSeq": 1,
    "progress": {"current": 3, "total": 12, "unit": "page"},
    "phaseCode": "OCR",
    "phaseLabel": "Reading the pages",
    "occurredAt": "2026-09-21T09:10:24.750+02:00",
    "data": {"schema": "document.parse.progress.v1", "value": {"currentPage": 3, "totalPages": 12}},
}
RECEIPT: Final[Json] = {
    "accepted": True,
    "duplicate": False,
    "stale": False,
    "reason": None,
    "eventId": "parse-4711-2",
    "workflowId": WORKFLOW_ID,
    "taskId": TASK_ID,
    "stepId": "parse",
    "executionId": EXECUTION_ID,
    "operationCode": "DOCUMENT.PARSE",
    "taskVersion": "4",
    "stepVersion": "4",
    "epoch": "1",
    "lifecycleStatus": "RUNNING",
    "businessStatus": "PARSING",
    "health": "HEALTHY",
    "stepLifecycleStatus": "RUNNING",
    "stepBusinessStatus": "PARSING",
    "committedAt": "2026-09-21T07:10:24.801Z",
}
RESULTS: Final[Json] = {
    "results": [
        RECEIPT,
        {
            "eventId": "parse-4711-3",
            "accepted": False,
            "error": problem(DomainError("TERMINAL_STATE", "The step has already ended.")),
        },
    ]
}
HEARTBEATS: Final[Json] = {
    "heartbeats": [
        {
            "executionId": EXECUTION_ID,
            "heartbeatSeq": 18,
            "observedAt": "2026-09-21T09:10:45.120+02:00",
            "executionHandle": HANDLE,
            "taskId": TASK_ID,
            "stepId": "parse",
            "stepAttempt": 1,
        }
    ]
}
HEARTBEAT_RESULTS: Final[Json] = {
    "results": [
        {
            "executionId": EXECUTION_ID,
            "accepted": True,
            "duplicate": False,
            "health": "HEALTHY",
            "reason": None,
            "leaseUntil": "2026-09-21T07:11:45.168Z",
            "nextIntervalSeconds": 15,
            "cancelRequested": False,
            "superseded": False,
        }
    ],
    "receivedAt": "2026-09-21T07:10:45.168Z",
    "epoch": "1",
}
