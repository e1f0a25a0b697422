"""Correct what is recorded of a task, by an operator's word: never a worker's event (source design 4.2, ruling 16).

What ran is fenced: its leases end, and its credentials still fetch the receipts of what was accepted before, as after
any end. What comes later is answered by the state that it meets: TERMINAL_STATE, or stale.
"""

import logging
from typing import Any, Final

from registries.actors import Actor
from registries.resolver import registry
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.corrections import CATEGORY, Correction, fenced_columns
from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import RecordType
from taskstatus.models import AuditEntry, Step, Task
from taskstatus.queries.access import task_not_found
from taskstatus.queries.task_browser import reached_task
from taskstatus.services.audit import operator_entry
from taskstatus.services.changes import Change
from taskstatus.services.column_values import set_columns
from taskstatus.services.correct_task_decision import Decision, decide_correction
from taskstatus.services.judge_task_report import settle_steps
from taskstatus.services.logged_errors import logged_error
from taskstatus.services.pending_progress import absorb_pending
from taskstatus.services.service_events import service_event_id
from taskstatus.services.task_lock import require_version
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset, is_live

ADMIN: Final = "task-status-admin"
"""The producerId of corrections: users read it, and not who the operator was."""

log = logging.getLogger(__name__)


@use_case
def correct_task(task_id: str, command: CorrectTask, actor: Actor) -> int:
    """Make the correction, if the task is still at the version that was seen; returns the version that it became.

    Raises TASK_NOT_FOUND, VERSION_MISMATCH, and what `decide_correction` refuses; then nothing is written.
    """
    reached_task(task_id, actor.tenant)
    workset = Workset.lock([task_id])
    task = workset.tasks.get(task_id)
    if task is None:
        raise task_not_found()
    require_version(task, workset.epoch, [command.seen])
    decision = decide_correction(command, task, workset.steps(task), workset.time_of(task))
    _apply(workset, task, decision)
    if command.business_status is not None and task.task_type is not None:
        task.classification_used = True
    _record(workset, task, decision, command)
    workset.add_dependents([_audit_entry(task, decision, command, actor)])
    workset.flush()
    log.info("task corrected", extra={"taskId": task.id, "taskVersion": task.version, "stepId": command.step_id})
    return int(task.version)


def _apply(workset: Workset, task: Task, decision: Decision) -> None:
    """Set the new values, and let go of what ran."""
    correction, step = decision.correction, decision.step
    if step is None:
        _fence(workset, task)
    else:
        absorb_pending(workset, step)
        workset.end_lease(step)
        workset.change_step(step, correction.step)
    set_columns(task, correction.task)


def _fence(workset: Workset, task: Task) -> None:
    for step in workset.steps(task):
        columns = fenced_columns(step, workset.time_of(task)) if is_live(step) else {}
        if columns and step.pending_report is None:
            # Progress that waits makes a version of the step when it is taken in, below.
            columns["version"] = step.version + 1
        workset.change_step(step, columns)
    settle_steps(workset, task)


def _record(workset: Workset, task: Task, decision: Decision, command: CorrectTask) -> None:
    correction = decision.correction
    payload: dict[str, Any] = {"reason": command.reason, "old": correction.old, "new": correction.new}
    if command.failure_code is not None:
        payload["error"] = _error(task, decision.step, correction, command)
    change = Change(
        task,
        RecordType.TASK_CORRECTED,
        service_event_id(),
        ADMIN,
        step=decision.step,
        event={"payload": payload, "error_code": command.failure_code},
        notice=NoticeType.TASK_CORRECTED,
    )
    workset.record(change)


def _error(task: Task, step: Step | None, correction: Correction, command: CorrectTask) -> dict[str, Any]:
    """The stated failure as users may read it in the timeline: the operation's words for the code win."""
    reg = registry(task.tenant_id, task.authority_scope)
    operation = reg.operation(step.operation_definition_id, step.operation_code) if step is not None else None
    stated = correction.new["failureMessage" if step is None else "errorMessage"]
    said = None if stated is None else str(stated)
    return logged_error(
        operation, category=CATEGORY, code=command.failure_code or "", said=said, retryable=command.retryable
    )


def _audit_entry(task: Task, decision: Decision, command: CorrectTask, actor: Actor) -> AuditEntry:
    step = decision.step
    about = {"stepId": step.step_id, "stepAttempt": step.attempt, "executionId": step.execution_id} if step else {}
    detail = {
        "operator": actor.name,
        "reason": command.reason,
        "old": decision.correction.old,
        "new": decision.correction.new,
        "taskVersion": str(task.version),
        "taskAttempt": task.attempt,
        **about,
    }
    return operator_entry(task, actor.name, "CORRECT_STEP" if step else "CORRECT_TASK", task.updated_at, detail)
