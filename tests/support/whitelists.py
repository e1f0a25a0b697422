"""What may leave the service about a task or workflow, member by member: the lists of protocol 6, spelled once more."""

from collections.abc import Iterable
from typing import Any


def words(text: str) -> set[str]:
    """The words of a text."""
    return set(text.split())


TASK_SUMMARY = words(
    "id workflowId ownerId title taskType productId batchId parentTaskId attempt lifecycleStatus businessStatus "
    "statusDisplay health healthReason phaseCode phaseLabel progress currentStep failure requiresAction actions "
    "cancelRequestedAt version createdAt startedAt finishedAt updatedAt elapsedMs asOf durationMs queueDurationMs "
    "totalDurationMs summaryData"
)
TASK_DETAIL = TASK_SUMMARY | words("steps statusDefinitionVersion operationDefinitionVersion permissions epoch")
STEP_VIEW = words(
    "stepId clientStepKey attempt executionId parentExecutionId depth operationCode operationDefinitionVersion "
    "displayName serviceName dependsOn failurePolicy lifecycleStatus businessStatus health healthReason "
    "lastHeartbeatAt staleSince phaseCode phaseLabel progress progressUpdatedAt version createdAt startedAt "
    "finishedAt updatedAt durationMs durationSource elapsedMs asOf error data"
)
TIMELINE_EVENT = words(
    "eventId eventType taskVersion stepVersion taskAttempt stepId stepAttempt executionId parentExecutionId "
    "operationCode producerId sourceSeq lifecycleStatus businessStatus health healthReason durationMs error data "
    "occurredAt receivedAt committedAt"
)
WORKFLOW_SUMMARY = words(
    "id title workflowType ownerId projectId aggregation sealed lifecycleStatus health version taskCount counts "
    "requiresAction createdAt startedAt finishedAt updatedAt epoch"
)
ERROR = {"category", "code", "userMessage", "retryable", "actions"}
NOTICE = words("id type level title message operationCode errorCode retryable requiresAction actions")
COMMON = {"kind", "schemaVersion", "epoch", "workflowId"}


Shape = dict[str, "Shape"]
"""The members of an object, each with the shape of what it holds; {} for a plain value."""


def _plain(names: Iterable[str]) -> Shape:
    return {name: {} for name in names}


_DATA = _plain(["schema", "value"])
_ERROR = _plain(ERROR)
_STEP = {**_plain(STEP_VIEW), "progress": _plain(words("current total unit")), "error": _ERROR, "data": _DATA}
_EVENT = {**_plain(TIMELINE_EVENT), "error": _ERROR, "data": _DATA}
_SUMMARY = {
    **_plain(TASK_SUMMARY),
    "statusDisplay": _plain(words("name severity colorToken iconKey")),
    "progress": _plain(words("current total unit")),
    "currentStep": _plain(words("stepId operationCode displayName serviceName")),
    "failure": _plain(words("code message failedStepId")),
    "summaryData": _DATA,
}
_DETAIL = {**_plain(TASK_DETAIL), **_SUMMARY, "steps": _STEP}
_STATES = words("PENDING RUNNING SUCCEEDED FAILED CANCELLED")
_COUNTS = {"lifecycleStatus": _plain(_STATES), "health": _plain(words("HEALTHY DEGRADED STALE"))}
_WORKFLOW = {**_plain(WORKFLOW_SUMMARY), "counts": _COUNTS}
_OF_TASK = _plain([*COMMON, "taskId", "taskVersion"])
_ITEM = {**_plain(words("workflowId taskId taskVersion")), "task": _SUMMARY}
_PAGE = _plain(words("nextCursor epoch asOf"))

MESSAGES: dict[str, Shape] = {
    "task.summary": {**_OF_TASK, "task": _SUMMARY, "notice": _plain(NOTICE)},
    "task.detail": {**_OF_TASK, "triggerEvent": _EVENT, "state": _DETAIL, "truncated": {}},
    "workflow.summary": {**_plain([*COMMON, "workflowVersion"]), "workflow": _WORKFLOW},
}
"""What is pushed, by kind."""

ANSWERS: dict[str, Shape] = {
    "/me/tasks": {**_PAGE, "items": _SUMMARY},
    "/me/workflows": {**_PAGE, "items": _WORKFLOW},
    "/workflows/{workflow}": _WORKFLOW,
    "/workflows/{workflow}/tasks": {**_PAGE, "items": _SUMMARY},
    "/tasks/{task}": _DETAIL,
    "/tasks/{task}/events": {**_plain(words("nextAfterTaskVersion oldestTaskVersion epoch")), "items": _EVENT},
    "/tasks/{task}/attempts": {"epoch": {}, "items": {"taskAttempt": {}, "steps": _STEP}},
    "/tasks/status:batchGet": {**_plain(words("kind schemaVersion removed epoch asOf")), "items": _ITEM},
}
"""What users are answered, by path."""


def strangers(value: Any, shape: Shape, path: str = "") -> list[str]:
    """The paths of members that the shape doesn't name; what a schema's view let through as `value` is its own."""
    if isinstance(value, list):
        return [name for inner in value for name in strangers(inner, shape, path)]
    if not isinstance(value, dict) or path.endswith("/value"):
        return []
    found = [f"{path}/{name}" for name in value if name not in shape]
    known = ((name, inner) for name, inner in value.items() if name in shape)
    return found + [stranger for name, inner in known for stranger in strangers(inner, shape[name], f"{path}/{name}")]
