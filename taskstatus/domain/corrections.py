"""What an operator's correction makes of a task or of one of its steps (source design 4.2, ruling 16).

A correction leads to an end, from any state: also from an end that was recorded wrongly, which no event may leave.
When the task or step ended is no matter of opinion: one that had ended keeps its end and its duration, a live one ends
now. `allowedFrom` is not asked, a business status has to agree with the lifecycle all the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from taskstatus.domain import health
from taskstatus.domain.business_status import (
    TaskCodes,
    agreeing_code,
    step_code,
    task_status,
    waiting_code_of_failure,
)
from taskstatus.domain.correction_facts import CorrectionFacts, StepUnderCorrection, TaskUnderCorrection
from taskstatus.domain.definitions import WAITING_USER_ACTION, Operation, StatusSet
from taskstatus.domain.durations import run_ms
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.facts import StepFacts
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle
from taskstatus.domain.redaction import redact
from taskstatus.domain.report_columns import Columns
from taskstatus.domain.task_changes import cleared_failure_columns, code_columns

CATEGORY: Final = "OPERATOR"
"""The category of an error that an operator states."""

_TASK_VALUES: Final = {
    "lifecycleStatus": "lifecycle_status",
    "businessStatus": "business_status",
    "failureCode": "failure_code",
    "failureMessage": "failure_message",
    "failedStepId": "failed_step_id",
    "requiresAction": "requires_action",
}
_STEP_VALUES: Final = {
    "stepLifecycleStatus": "lifecycle_status",
    "stepBusinessStatus": "business_status",
    "errorCode": "error_code",
    "errorMessage": "error_message",
    "errorRetryable": "error_retryable",
}
# What an operator states of a task; the rest follows from it.
_TASK_STATED: Final = ("lifecycleStatus", "businessStatus", "failureCode", "failureMessage")


@dataclass(frozen=True, slots=True)
class Correction:
    """New values by column name for the task and the step; what was and what will be, by the names that the log has."""

    task: Columns
    step: Columns
    old: Mapping[str, object]
    new: Mapping[str, object]


def correct_task(stated: CorrectionFacts, task: TaskUnderCorrection, statuses: StatusSet, now: datetime) -> Correction:
    """End the task as stated; raises INVALID_FIELD if it is so already, UNKNOWN_BUSINESS_STATUS, STATUS_NOT_REACHABLE.

    Nobody has to do anything about it any more, and only a failed task has a failure.
    """
    after = Lifecycle(stated.lifecycle_status)
    columns: Columns = {"lifecycle_status": after, "requires_action": False, "actions": []}
    columns |= code_columns(_codes(stated, TaskCodes.of(task), after, statuses)) | _failure(stated, after)
    if not Lifecycle(task.lifecycle_status).is_terminal:
        columns |= {"finished_at": now, "duration_ms": run_ms(None, task.started_at, now)}
    old, new = _values(_TASK_VALUES, task, {}), _values(_TASK_VALUES, task, columns)
    return _changed(Correction(columns, {}, old, new))


def correct_step(
    stated: CorrectionFacts,
    step: StepUnderCorrection,
    task: TaskUnderCorrection,
    others: Iterable[StepFacts],
    rules: tuple[StatusSet, Operation],
    now: datetime,
) -> Correction:
    """End the step's current attempt as stated; `others` are the task's other current steps.

    A task that runs is told of a failure, or of its end, as by the step's own events; one that has ended stays as it
    is. Raises INVALID_FIELD if the step is so already, ILLEGAL_TRANSITION if it was never activated,
    UNKNOWN_BUSINESS_STATUS, STATUS_NOT_REACHABLE.
    """
    if step.execution_id is None:
        raise DomainError("ILLEGAL_TRANSITION", "The step was never activated: there is nothing to correct.")
    statuses, operation = rules
    after, before = Lifecycle(stated.lifecycle_status), Lifecycle(step.lifecycle_status)
    error = _error(stated, after)
    columns: Columns = {
        "lifecycle_status": after,
        "business_status": step_code(stated.business_status, step.business_status, after, statuses),
        **error,
        **health.health_columns(step, health.after_report(step, after, moved=False), now),
    }
    if not before.is_terminal:
        columns["finished_at"] = now
    told = {} if Lifecycle(task.lifecycle_status).is_terminal else _told(stated, step, error, task, others, operation)
    old = _values(_STEP_VALUES, step, {}) | _values(_TASK_VALUES, task, {})
    new = _values(_STEP_VALUES, step, columns) | _values(_TASK_VALUES, task, told)
    return _changed(Correction(told, columns, old, new))


def fenced_columns(step: StepFacts, now: datetime) -> Columns:
    """What becomes of a live step whose task is ended by a correction: nobody watches its health any more."""
    return health.health_columns(step, health.HEALTHY, now)


def _codes(stated: CorrectionFacts, codes: TaskCodes, after: Lifecycle, statuses: StatusSet) -> TaskCodes:
    if stated.business_status is None:
        shown = agreeing_code(codes.shown, AppliesTo.TASK, after, statuses)
        return TaskCodes(shown, agreeing_code(codes.unreserved, AppliesTo.TASK, after, statuses))
    status = task_status(stated.business_status, statuses)
    if status.lifecycle != after:
        raise DomainError("STATUS_NOT_REACHABLE", f"{status.code} means {status.lifecycle}, and not {after}.")
    return TaskCodes(status.code, status.code)


def _failure(stated: CorrectionFacts, after: Lifecycle) -> Columns:
    """A failed task keeps the failure that it has, unless another is stated."""
    if after is Lifecycle.FAILED and stated.failure_code is None:
        return {}
    message = redact(stated.failure_message) if stated.failure_message else None
    return {"failure_code": stated.failure_code, "failure_message": message, "failed_step_id": None}


def _error(stated: CorrectionFacts, after: Lifecycle) -> Columns:
    """A failed step keeps the error that it has, unless another is stated."""
    if after is Lifecycle.FAILED and stated.failure_code is None:
        return {"error_retryable": stated.retryable}
    has_failed = after is Lifecycle.FAILED
    return {
        "error_category": CATEGORY if has_failed else None,
        "error_code": stated.failure_code,
        "error_message": redact(stated.failure_message) if stated.failure_message else None,
        "error_retryable": stated.retryable if has_failed else None,
        "diagnostics_ref": None,
    }


def _told(
    stated: CorrectionFacts,
    step: StepUnderCorrection,
    error: Columns,
    task: TaskUnderCorrection,
    others: Iterable[StepFacts],
    operation: Operation,
) -> Columns:
    """What a live task is told: that a failure of the step is gone, and that there is one."""
    columns: Columns = {}
    if step.lifecycle_status == Lifecycle.FAILED:
        columns = cleared_failure_columns(task, step.step_id, task.failed_step_id, others)
    if stated.lifecycle_status != Lifecycle.FAILED:
        return columns
    code = error.get("error_code", step.error_code)
    if code is not None:
        message = error.get("error_message", step.error_message)
        columns |= {"failure_code": code, "failure_message": message, "failed_step_id": step.step_id}
    waiting = waiting_code_of_failure(step.failure_policy, retryable=stated.retryable, step=step)
    if waiting is not None and task.lifecycle_status == Lifecycle.RUNNING:
        unreserved = columns.get("remembered_status", task.remembered_status)
        columns |= {"business_status": waiting, "remembered_status": unreserved}
    if waiting == WAITING_USER_ACTION:
        text = operation.errors.get(str(code))
        columns |= {"requires_action": True, "actions": list(text.actions) if text else []}
    return columns


def _values(names: Mapping[str, str], row: object, columns: Columns) -> dict[str, object]:
    return {name: columns.get(column, getattr(row, column)) for name, column in names.items()}


def _changed(correction: Correction) -> Correction:
    old, new = correction.old, correction.new
    # A task's own values follow from its step's, where there is one.
    stated = _STEP_VALUES if correction.step else _TASK_STATED
    if all(old[name] == new[name] for name in stated):
        raise invalid_field("/lifecycleStatus", "It is in this state already: nothing would change.")
    return correction
