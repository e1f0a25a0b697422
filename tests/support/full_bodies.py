"""Right bodies that between them have every member of every command; a test makes sure of that."""

from typing import Any, Final

from taskstatus.commands.base import Part
from taskstatus.commands.cancellation import RequestCancel
from taskstatus.commands.events import ReportBatch, ReportEvent
from taskstatus.commands.executions import ActivateStep, RegisterExecution
from taskstatus.commands.heartbeats import HeartbeatBatch
from taskstatus.commands.queries import BatchGet
from taskstatus.commands.realtime import Subscribe, WatchTasks
from taskstatus.commands.tasks import (
    ClassifyTask,
    CreateTask,
    CreateWorkflow,
    NoMembers,
    PutGrant,
    ReportWorkflowEvent,
    RetryTask,
)

Json = dict[str, Any]

ID: Final = "1MC_01K5M6Z3Q8V4N2T7X9R0B1C2D3"
OWN: Final[Json] = {"tenantId": "acme", "authorityScope": "content-platform"}

_GRANT: Final[Json] = {"principalType": "USER", "principalId": "bob", "permission": "VIEW"}
_HEARTBEAT: Final[Json] = {
    "heartbeatIntervalSeconds": 10,
    "heartbeatTimeoutSeconds": 60,
    "noProgressSeconds": 600,
}
_STEP: Final[Json] = {
    "stepId": "s1",
    "operationCode": "OPS.RUN",
    "operationDefinitionVersion": 1,
    "expectedProducer": "worker-a",
    "displayName": "Run",
    "dependsOn": ["s2"],
    "failurePolicy": "FAIL_TASK",
    "startDeadlineSeconds": 60,
    "staleEscalationSeconds": 60,
    **_HEARTBEAT,
}
TASK: Final[Json] = {
    "clientTaskKey": "task-1",
    "title": "Parse",
    "ownerId": "alice",
    "taskType": "DOCUMENT",
    "statusDefinitionVersion": 1,
    "operationDefinitionVersion": 1,
    "productId": "contracts",
    "batchId": "batch-1",
    "parentTaskId": f"tsk_{ID}",
    "sensitive": False,
    "sharedWith": [_GRANT],
    "externalRefs": [{"refType": "DOCUMENT", "refValue": "4711"}],
    "knownSteps": [_STEP, {"stepId": "s2", "operationCode": "OPS.RUN"}],
    "dynamicRegistrationPolicy": {
        "allowedParentOperations": ["OPS.*"],
        "allowedChildOperations": ["OPS.RUN"],
        "maxDynamicSteps": 10,
        "maxDepth": 2,
        "maxParallelExecutions": 3,
        "maxRegistrationsPerMinute": 5,
    },
    "maxDurationSeconds": 3600,
    "billingAccountId": "account-1",
    "retentionPolicyId": "policy-1",
    "dataClassification": "INTERNAL",
}
_ERROR: Final[Json] = {
    "category": "INPUT",
    "code": "BROKEN",
    "retryable": True,
    "userMessage": "It broke.",
    "diagnosticsRef": "trace-1",
}
_CONTEXT: Final[Json] = {
    "workflowId": f"wfl_{ID}",
    "taskId": f"tsk_{ID}",
    "taskType": "DOCUMENT",
    "taskAttempt": 1,
    "producerId": "worker-a",
}
_STEP_EVENT: Final[Json] = {
    **OWN,
    **_CONTEXT,
    "eventId": "evt-1",
    "sourceSeq": 5,
    "executionHandle": "exh_1MC_MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U",
    "stepId": "s1",
    "operationCode": "OPS.RUN",
    "stepAttempt": 1,
    "executionId": f"exe_{ID}",
}
PROGRESS: Final[Json] = {
    **_STEP_EVENT,
    "eventType": "STEP_PROGRESS",
    "businessStatus": "RUNNING",
    "phaseCode": "OCR",
    "phaseLabel": "Reading",
    "progress": {"current": 1, "total": 2.5, "unit": "page"},
    "progressSeq": 1,
    "heartbeatSeq": 1,
    "message": "Going on.",
    "occurredAt": "2026-09-21T09:10:24.750+02:00",
    "durationMs": 1,
    "durationSource": "MONOTONIC",
    "requiresAction": False,
    "actions": ["REUPLOAD"],
    "data": {"schema": "generic.progress.v1", "value": {"page": 1}},
}
_BEAT: Final[Json] = {
    "executionId": f"exe_{ID}",
    "heartbeatSeq": 1,
    "observedAt": "2026-09-21T09:10:24.750+02:00",
    "taskId": f"tsk_{ID}",
    "stepId": "s1",
    "stepAttempt": 1,
}
FULL_BODIES: Final[dict[str, tuple[type[Part], list[Json]]]] = {
    "createWorkflow": (
        CreateWorkflow,
        [
            {
                **OWN,
                "clientWorkflowKey": "wf-1",
                "ownerId": "alice",
                "title": "Import",
                "workflowType": "IMPORT",
                "projectId": "project-1",
                "aggregation": "EXPLICIT",
                "sharedWith": [_GRANT],
                "initialTasks": [TASK],
            }
        ],
    ),
    "addTask": (CreateTask, [{**OWN, **TASK}]),
    "reportWorkflowEvent": (
        ReportWorkflowEvent,
        [{**OWN, "eventId": "evt-1", "eventType": "WORKFLOW_RETITLED", "title": "New", "reason": "Because."}],
    ),
    "putWorkflowGrant": (PutGrant, [{**OWN, "permission": "VIEW"}]),
    "putTaskGrant": (PutGrant, [{**OWN, "permission": "VIEW"}]),
    "retryTask": (RetryTask, [{**OWN, "eventId": "evt-1", "reason": "Because."}]),
    "classifyTask": (
        ClassifyTask,
        [
            {
                **OWN,
                "productId": "invoices",
                "batchId": "batch-1",
                "taskType": "DOCUMENT",
                "statusDefinitionVersion": 1,
                "operationDefinitionVersion": 1,
            }
        ],
    ),
    "putExternalRef": (NoMembers, [OWN]),
    "activateStep": (
        ActivateStep,
        [{**OWN, "attempt": 1, "producerId": "worker-a", "commandId": "cmd-1", "supersede": False}],
    ),
    "registerExecution": (
        RegisterExecution,
        [
            {
                **OWN,
                **_HEARTBEAT,
                "clientStepKey": "step-1",
                "parentExecutionId": f"exe_{ID}",
                "operationCode": "OPS.RUN",
                "operationDefinitionVersion": 1,
                "producerId": "worker-a",
                "attempt": 1,
                "displayName": "Run",
                "failurePolicy": "FAIL_TASK",
            }
        ],
    ),
    "renewCredentials": (NoMembers, [OWN]),
    "reportEvent": (
        ReportEvent,
        [
            PROGRESS,
            {**_STEP_EVENT, "eventType": "STEP_FAILED", "error": _ERROR},
            {**_STEP_EVENT, "eventType": "STEP_HEALTH_CHANGED", "health": "STALE", "healthReason": "NO_HEARTBEAT"},
            {
                **OWN,
                **_CONTEXT,
                "eventId": "evt-1",
                "eventType": "TASK_FAILED",
                "error": _ERROR,
                "failedStepId": "s1",
            },
        ],
    ),
    "batchGetTasks": (
        BatchGet,
        [{"taskIds": [f"tsk_{ID}"], "knownVersions": {f"tsk_{ID}": "1"}, "epoch": "1"}],
    ),
    "requestCancel": (RequestCancel, [{"reason": "Because."}]),
    "subscribe": (Subscribe, [{"taskId": f"tsk_{ID}"}, {"workflowId": f"wfl_{ID}"}]),
    "putWatchSet": (WatchTasks, [{"taskIds": [f"tsk_{ID}"]}]),
    "reportEvents": (ReportBatch, [{**OWN, "events": [PROGRESS]}]),
    "renewLeases": (
        HeartbeatBatch,
        [
            {**OWN, "heartbeats": [{**_BEAT, "executionToken": "some.signed.token"}]},
            {**OWN, "heartbeats": [{**_BEAT, "executionHandle": _STEP_EVENT["executionHandle"]}]},
        ],
    ),
}
