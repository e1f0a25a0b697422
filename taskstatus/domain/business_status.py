"""What a business status does: which code a step and its task show after an event (rulings 8, 9, 31, 32, 37).

A task carries two codes: the one it shows, and the last one that is not reserved. They differ only while it shows
RETRY_WAIT or WAITING_USER_ACTION. Every stored code agrees with the stored lifecycle, or it is None.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from taskstatus.domain.definitions import (
    ANY_STATUS,
    NO_STATUS,
    RESERVED,
    RETRY_WAIT,
    WAITING_USER_ACTION,
    StatusCode,
    StatusSet,
)
from taskstatus.domain.errors import DomainError
from taskstatus.domain.facts import StepFacts, TaskFacts
from taskstatus.domain.lifecycle import AppliesTo, FailurePolicy, Lifecycle


@dataclass(frozen=True, slots=True)
class TaskCodes:
    """The code a task shows, and its last unreserved one (ruling 37); both None while none agrees."""

    shown: str | None
    unreserved: str | None

    @classmethod
    def of(cls, task: TaskFacts) -> "TaskCodes":
        """The codes that the task carries now."""
        return cls(task.business_status, task.remembered_status)

    @classmethod
    def initial(cls, statuses: StatusSet) -> "TaskCodes":
        """The codes of a new task, and of every new attempt."""
        return cls(statuses.initial_code, statuses.initial_code)


def codes_after_classification(codes: TaskCodes, lifecycle: Lifecycle, statuses: StatusSet) -> TaskCodes:
    """The codes of a task that has just been bound to another set: none of the old set's stays (ruling 32)."""
    if lifecycle is Lifecycle.PENDING:
        return TaskCodes.initial(statuses)
    reserved = codes.shown if codes.shown in RESERVED else None
    return TaskCodes(
        agreeing_code(reserved, AppliesTo.TASK, lifecycle, statuses),
        agreeing_code(None, AppliesTo.TASK, lifecycle, statuses),
    )


def agreeing_code(code: str | None, scope: AppliesTo, lifecycle: Lifecycle, statuses: StatusSet) -> str | None:
    """The code if it agrees with the lifecycle, else the generic set's code for it, else None (rulings 9, 31)."""
    known = statuses.get(code, scope) if code is not None else None
    if known is not None and known.lifecycle == lifecycle:
        return code
    return lifecycle.value if statuses.is_generic else None


def step_code(named: str | None, current: str | None, lifecycle: Lifecycle, statuses: StatusSet) -> str | None:
    """The step's code after an event that left it in `lifecycle`; a named one must agree with that (ruling 8)."""
    if named is None:
        return agreeing_code(current, AppliesTo.STEP, lifecycle, statuses)
    _require_agreement(_require_known(named, AppliesTo.STEP, statuses), lifecycle)
    return named


def new_step_code(statuses: StatusSet) -> str | None:
    """The code of a step's new attempt: none on a classified task, PENDING on others (ruling 32)."""
    return agreeing_code(None, AppliesTo.STEP, Lifecycle.PENDING, statuses)


def codes_after_step_event(
    codes: TaskCodes, named: str | None, before: Lifecycle, after: Lifecycle, statuses: StatusSet
) -> TaskCodes:
    """The task's codes after a step event took its lifecycle from `before` to `after`.

    A named code moves the task too where it exists for tasks, ends nothing and is reachable (ruling 8).
    """
    following = _following(codes, after, statuses)
    status = statuses.get(named, AppliesTo.TASK) if named is not None else None
    if status is None or status.lifecycle != after or not is_reachable(status, codes.unreserved, before, statuses):
        return following
    shown = codes.shown if codes.shown in RESERVED else status.code
    return TaskCodes(shown, following.unreserved if status.code in RESERVED else status.code)


def codes_after_task_event(
    codes: TaskCodes, named: str | None, before: Lifecycle, after: Lifecycle, statuses: StatusSet
) -> TaskCodes:
    """The task's codes after a task event; raises UNKNOWN_BUSINESS_STATUS or STATUS_NOT_REACHABLE (row 9)."""
    if named is None:
        return _following(codes, after, statuses)
    status = task_status(named, statuses)
    _require_agreement(status, after)
    if status.code in RESERVED:
        return TaskCodes(status.code, _following(codes, after, statuses).unreserved)
    if not is_reachable(status, codes.unreserved, before, statuses):
        raise DomainError(
            "STATUS_NOT_REACHABLE",
            f"{named} can't follow the task's current business status.",
            current={"businessStatus": codes.unreserved or NO_STATUS},
        )
    return TaskCodes(status.code, status.code)


def task_status(code: str, statuses: StatusSet) -> StatusCode:
    """The status a task event names; raises UNKNOWN_BUSINESS_STATUS."""
    return _require_known(code, AppliesTo.TASK, statuses)


def is_reachable(status: StatusCode, current: str | None, before: Lifecycle, statuses: StatusSet) -> bool:
    """Whether `allowedFrom` lets the task come to this status from its last unreserved code (rulings 31, 32)."""
    if status.code == current or ANY_STATUS in status.allowed_from:
        return True
    if current is not None:
        return current in status.allowed_from
    sources = (statuses.statuses.get(code) for code in status.allowed_from)
    return NO_STATUS in status.allowed_from or any(s is not None and s.lifecycle == before for s in sources)


def waiting_code(step: StepFacts) -> str | None:
    """The reserved code that a failed current step calls for, or None (ruling 37)."""
    if not step.is_current or step.lifecycle_status != Lifecycle.FAILED:
        return None
    return waiting_code_of_failure(step.failure_policy, retryable=bool(step.error_retryable), step=step)


def waiting_code_of_failure(policy: str, *, retryable: bool, step: StepFacts) -> str | None:
    """The reserved code after a failure under this policy; retrying needs attempts left (ruling 37)."""
    if policy == FailurePolicy.WAIT_FOR_USER:
        return WAITING_USER_ACTION
    if policy == FailurePolicy.RETRY_THEN_FAIL_TASK and retryable and step.attempt < step.max_attempts:
        return RETRY_WAIT
    return None


def codes_after_activation(codes: TaskCodes, other_current_steps: Iterable[StepFacts]) -> TaskCodes:
    """The codes once a failed step's next attempt is activated: what other steps wait for, else the remembered."""
    if codes.shown not in RESERVED:
        return codes
    waiting = {waiting_code(step) for step in other_current_steps}
    for code in (WAITING_USER_ACTION, RETRY_WAIT):
        if code in waiting:
            return TaskCodes(code, codes.unreserved)
    return TaskCodes(codes.unreserved, codes.unreserved)


def _following(codes: TaskCodes, lifecycle: Lifecycle, statuses: StatusSet) -> TaskCodes:
    return TaskCodes(
        agreeing_code(codes.shown, AppliesTo.TASK, lifecycle, statuses),
        agreeing_code(codes.unreserved, AppliesTo.TASK, lifecycle, statuses),
    )


def _require_known(code: str, scope: AppliesTo, statuses: StatusSet) -> StatusCode:
    status = statuses.get(code, scope)
    if status is None:
        raise DomainError("UNKNOWN_BUSINESS_STATUS", f"{code} is no {scope.lower()} status of this task's status set.")
    return status


def _require_agreement(status: StatusCode, lifecycle: Lifecycle) -> None:
    if status.lifecycle != lifecycle:
        raise DomainError(
            "STATUS_NOT_REACHABLE", f"{status.code} means {status.lifecycle}, but this event leads to {lifecycle}."
        )
