"""The least that each command needs, as JSON objects, and how their refusals are read."""

from typing import Any

import pytest

from taskstatus.commands.base import Part
from taskstatus.domain.errors import DomainError

STEP = {"stepId": "s1", "operationCode": "PAPER.READ"}
TASK = {"clientTaskKey": "t1", "title": "Read the paper"}
WORKFLOW = {"clientWorkflowKey": "w1", "ownerId": "alice", "title": "Handle the papers"}
ACTIVATION: dict[str, Any] = {}
REGISTRATION = {"clientStepKey": "k1", "operationCode": "SEARCH.WEB", "producerId": "searcher"}
ERROR = {"category": "SYSTEM", "code": "BROKEN", "retryable": False, "userMessage": "It broke."}

_ABOUT_STEP: dict[str, Any] = {"eventId": "evt-1", "sourceSeq": 1}
_ABOUT_TASK: dict[str, Any] = {"eventId": "evt-1", "taskId": "tsk_1", "taskAttempt": 1}

EVENTS: dict[str, dict[str, Any]] = {
    "STEP_STARTED": _ABOUT_STEP,
    "STEP_PROGRESS": {**_ABOUT_STEP, "progressSeq": 1},
    "STEP_COMPLETED": _ABOUT_STEP,
    "STEP_FAILED": {**_ABOUT_STEP, "error": ERROR},
    "STEP_CANCELLED": _ABOUT_STEP,
    "STEP_HEARTBEAT": {"eventId": "evt-1", "heartbeatSeq": 1},
    "STEP_HEALTH_CHANGED": {**_ABOUT_STEP, "health": "HEALTHY"},
    "TASK_STATUS_CHANGED": {**_ABOUT_TASK, "businessStatus": "READING"},
    "TASK_COMPLETED": _ABOUT_TASK,
    "TASK_FAILED": {**_ABOUT_TASK, "error": ERROR},
    "TASK_CANCELLED": _ABOUT_TASK,
}


def event(event_type: str, **members: Any) -> dict[str, Any]:
    """The least that an event of this type needs, and these members."""
    return {"eventType": event_type, **EVENTS[event_type], **members}


def refusal(command: type[Part], body: dict[str, Any]) -> DomainError:
    """The refusal that the body gets; fails if it is taken."""
    with pytest.raises(DomainError) as caught:
        command.read(body)
    return caught.value


def faults(command: type[Part], body: dict[str, Any]) -> dict[str, str]:
    """The code of each member that the body is refused for, by its pointer; empty if it is taken."""
    try:
        command.read(body)
    except DomainError as error:
        return _by_pointer(error)
    return {}


def _by_pointer(error: DomainError) -> dict[str, str]:
    found = {fault.pointer: fault.code for fault in error.errors}
    assert len(found) == len(error.errors), "a member is named twice"
    assert all(fault.detail for fault in error.errors)
    return found
