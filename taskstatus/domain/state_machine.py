"""The lifecycle's transition table: from each state, what each event makes of it.

`docs/state_machine.md` shows this table; a test compares the two (protocol 4.3, source design 4).
"""

from typing import Final

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType, Lifecycle

_PENDING, _RUNNING = Lifecycle.PENDING, Lifecycle.RUNNING

STEP_TRANSITIONS: Final[dict[tuple[EventType, Lifecycle], Lifecycle]] = {
    (EventType.STEP_STARTED, _PENDING): _RUNNING,
    (EventType.STEP_PROGRESS, _RUNNING): _RUNNING,
    (EventType.STEP_COMPLETED, _RUNNING): Lifecycle.SUCCEEDED,
    (EventType.STEP_FAILED, _PENDING): Lifecycle.FAILED,
    (EventType.STEP_FAILED, _RUNNING): Lifecycle.FAILED,
    (EventType.STEP_CANCELLED, _PENDING): Lifecycle.CANCELLED,
    (EventType.STEP_CANCELLED, _RUNNING): Lifecycle.CANCELLED,
    (EventType.STEP_HEARTBEAT, _RUNNING): _RUNNING,
    (EventType.STEP_HEALTH_CHANGED, _RUNNING): _RUNNING,
}

TASK_TRANSITIONS: Final[dict[tuple[EventType, Lifecycle], Lifecycle]] = {
    (EventType.TASK_COMPLETED, _PENDING): Lifecycle.SUCCEEDED,
    (EventType.TASK_COMPLETED, _RUNNING): Lifecycle.SUCCEEDED,
    (EventType.TASK_FAILED, _PENDING): Lifecycle.FAILED,
    (EventType.TASK_FAILED, _RUNNING): Lifecycle.FAILED,
    (EventType.TASK_CANCELLED, _PENDING): Lifecycle.CANCELLED,
    (EventType.TASK_CANCELLED, _RUNNING): Lifecycle.CANCELLED,
}


def step_lifecycle_after(event_type: EventType, lifecycle: Lifecycle) -> Lifecycle:
    """The step's lifecycle after the event; raises TERMINAL_STATE or ILLEGAL_TRANSITION (row 8)."""
    require_live("step", lifecycle)
    return _look_up(STEP_TRANSITIONS, event_type, lifecycle)


def task_lifecycle_after(event_type: EventType, lifecycle: Lifecycle) -> Lifecycle:
    """The task's lifecycle after an ending event; raises TERMINAL_STATE or ILLEGAL_TRANSITION (row 8)."""
    require_live("task", lifecycle)
    return _look_up(TASK_TRANSITIONS, event_type, lifecycle)


def status_change_target(lifecycle: Lifecycle, target: Lifecycle) -> Lifecycle:
    """The lifecycle that TASK_STATUS_CHANGED may lead to: never an end, never back to PENDING (protocol 4.3)."""
    if target.is_terminal or (target is _PENDING and lifecycle is not _PENDING):
        raise _illegal(EventType.TASK_STATUS_CHANGED, lifecycle)
    return target


def require_live(what: str, lifecycle: Lifecycle) -> None:
    """Raise TERMINAL_STATE if the task or step has ended: no ordinary event leaves that (source design 4.2)."""
    if lifecycle.is_terminal:
        raise DomainError(
            "TERMINAL_STATE", f"The {what} has already ended.", current={"lifecycleStatus": lifecycle.value}
        )


def _look_up(
    table: dict[tuple[EventType, Lifecycle], Lifecycle], event_type: EventType, lifecycle: Lifecycle
) -> Lifecycle:
    after = table.get((event_type, lifecycle))
    if after is None:
        raise _illegal(event_type, lifecycle)
    return after


def _illegal(event_type: EventType, lifecycle: Lifecycle) -> DomainError:
    return DomainError(
        "ILLEGAL_TRANSITION",
        f"{event_type} is not possible from {lifecycle}.",
        current={"lifecycleStatus": lifecycle.value},
    )
