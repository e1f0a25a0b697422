"""What the members of a reported event demand of each other (protocol 4.3)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from taskstatus.commands.base import wrong
from taskstatus.domain.errors import DomainError, FieldError
from taskstatus.domain.health import reported_health
from taskstatus.domain.lifecycle import EventType, Health, HealthReason

_NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    EventType.STEP_PROGRESS: ("sourceSeq", "progressSeq"),
    EventType.STEP_FAILED: ("sourceSeq", "error"),
    EventType.STEP_HEARTBEAT: ("heartbeatSeq",),
    EventType.STEP_HEALTH_CHANGED: ("sourceSeq", "health"),
    EventType.STEP_STARTED: ("sourceSeq",),
    EventType.STEP_COMPLETED: ("sourceSeq",),
    EventType.STEP_CANCELLED: ("sourceSeq",),
    EventType.TASK_STATUS_CHANGED: ("taskId", "taskAttempt", "businessStatus"),
    EventType.TASK_COMPLETED: ("taskId", "taskAttempt"),
    EventType.TASK_FAILED: ("taskId", "taskAttempt", "error"),
    EventType.TASK_CANCELLED: ("taskId", "taskAttempt"),
}
_NOT_IN_TASK_EVENTS: Final = (
    "executionHandle",
    "stepId",
    "operationCode",
    "stepAttempt",
    "executionId",
    "phaseCode",
    "phaseLabel",
    "progress",
    "progressSeq",
    "heartbeatSeq",
)


def event_errors(raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
    """What is wrong between the members of an event; members of wrong types are judged elsewhere."""
    yield from _member_errors(raw, pointer)
    if raw.get("durationSource") is not None and raw.get("durationMs") is None:
        yield wrong(f"{pointer}/durationSource", "durationSource needs durationMs.")
    yield from _health_errors(raw, pointer)
    progress = raw.get("progress")
    if isinstance(progress, dict):
        yield from _progress_errors(progress, f"{pointer}/progress")


def _member_errors(raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
    event_type = raw.get("eventType")
    if not isinstance(event_type, str) or event_type not in _NEEDS:
        return
    for member in _NEEDS[event_type]:
        if raw.get(member) is None:
            yield wrong(f"{pointer}/{member}", f"{event_type} needs this member.")
    for member in _excluded_members(event_type):
        if raw.get(member) is not None:
            yield wrong(f"{pointer}/{member}", f"{event_type} doesn't take this member.")


def _excluded_members(event_type: str) -> Iterator[str]:
    if event_type.startswith("TASK_"):
        yield from _NOT_IN_TASK_EVENTS
    if event_type != EventType.STEP_HEALTH_CHANGED:
        yield from ("health", "healthReason")
    if event_type != EventType.TASK_FAILED:
        yield "failedStepId"


def _health_errors(raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
    """A word about health and its reason have to fit; anything but known words is judged elsewhere."""
    word, reason = raw.get("health"), raw.get("healthReason")
    if raw.get("eventType") != EventType.STEP_HEALTH_CHANGED or word not in tuple(Health):
        return
    if reason is not None and reason not in tuple(HealthReason):
        return
    try:
        reported_health(word, reason)
    except DomainError as refusal:
        yield wrong(f"{pointer}/healthReason", refusal.detail)


def _progress_errors(progress: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
    current, total = progress.get("current"), progress.get("total")
    if isinstance(current, int | float) and isinstance(total, int | float) and current > total:
        yield wrong(f"{pointer}/current", "current can't exceed total.")
