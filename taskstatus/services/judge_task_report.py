"""Rows 3 to 10 for one task event, under the task's lock, and what an accepted one changes."""

from registries.resolver import registry
from taskstatus.domain.business_status import waiting_code
from taskstatus.domain.decide import decide_task
from taskstatus.domain.decisions import Stale
from taskstatus.domain.definitions import Operation
from taskstatus.domain.errors import DomainError
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import EventType, FailurePolicy, Lifecycle, Role
from taskstatus.identity.principals import Service
from taskstatus.models import Step, Task
from taskstatus.services.column_values import set_columns
from taskstatus.services.known_events import receipt_of_known
from taskstatus.services.pending_progress import absorb_pending
from taskstatus.services.receipts import Receipt, receipt
from taskstatus.services.record_report import Origin, record_report
from taskstatus.services.report_targets import Target
from taskstatus.services.reported_data import require_task_data, summarise
from taskstatus.services.workset import Workset, is_live

_POLICIES_WITH_EXECUTOR = frozenset({FailurePolicy.FAIL_TASK, FailurePolicy.RETRY_THEN_FAIL_TASK})


def judge_task_report(target: Target, workset: Workset) -> Receipt:
    """Judge the report and change the workset if it is accepted; raises its refusal and changes nothing."""
    report, producer_id = target.report, target.caller.producer_id
    task = _matching_task(target, workset)
    attempt = report.task_attempt or 0
    identity = {"task": task.id, "attempt": attempt, "producer": producer_id}
    content_hash = payload_hash({"event": report.content(), **identity})
    if not _was_accepted(target, workset, content_hash):
        _require_failed_step(target, task, workset)
        _require_allowed(target, task, workset)
    duplicate = receipt_of_known(workset, report.event_id, content_hash, task)
    if duplicate is not None:
        return duplicate
    reg = registry(task.tenant_id, task.authority_scope)
    statuses = reg.status_set(task.task_type, task.status_definition_version)
    decision = decide_task(report, attempt, task, statuses, producer_id, workset.time_of(task))
    if isinstance(decision, Stale):
        return receipt(report.event_id, task, None, workset.epoch, stale=decision.reason)
    require_task_data(report, statuses, reg)
    set_columns(task, decision.task)
    summarise(task, report)
    if not is_live(task):
        settle_steps(workset, task)
    origin = Origin(producer_id, content_hash)
    return record_report(
        workset, report, task, None, origin, operation=_failed_operation(target, task, workset), notice=decision.notice
    )


def _was_accepted(target: Target, workset: Workset, content_hash: str) -> bool:
    """Whether this very TASK_FAILED was accepted before: what it blames, and who may, changes with a retry (C01)."""
    known = workset.remembered(target.report.event_id) if target.report.kind is EventType.TASK_FAILED else None
    return known is not None and known.payload_hash == content_hash


def _failed_operation(target: Target, task: Task, workset: Workset) -> Operation | None:
    """The operation of the step that the report blames: its words for the error are those that users read."""
    step_id = target.report.failed_step_id
    step = workset.step(task, step_id) if step_id is not None else None
    return _operation(step, task) if step is not None else None


def _matching_task(target: Target, workset: Workset) -> Task:
    """The task that the report names; every context member has to agree with it (row 3)."""
    report, caller = target.report, target.caller
    task = workset.tasks.get(target.task_id)
    if task is None or (task.tenant_id, task.authority_scope) != (caller.tenant, caller.scope):
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    if report.workflow_id not in (None, task.workflow_id):
        raise DomainError("WORKFLOW_NOT_FOUND", "The task is not of this workflow.")
    if report.producer_id not in (None, caller.producer_id):
        raise DomainError("PRODUCER_MISMATCH", "producerId is not the calling service's.")
    if report.task_type not in (None, task.task_type):
        raise DomainError("TASK_TYPE_MISMATCH", "The task is of another type.")
    return task


def _require_failed_step(target: Target, task: Task, workset: Workset) -> None:
    step_id = target.report.failed_step_id
    if step_id is not None and workset.step(task, step_id) is None:
        raise DomainError("STEP_NOT_REGISTERED", "failedStepId names no step of the task.")


def _require_allowed(target: Target, task: Task, workset: Workset) -> None:
    """Row 4: coordinators, and the executor of a failed step's policy for TASK_FAILED (ruling 10)."""
    caller, report = target.caller, target.report
    if isinstance(caller, Service) and Role.COORDINATOR in caller.roles:
        return
    if report.kind is EventType.TASK_FAILED and any(
        _may_fail_task(step, task, caller.producer_id)
        for step in workset.steps(task)
        if report.failed_step_id in (None, step.step_id)
    ):
        return
    raise DomainError("EVENT_TYPE_NOT_ALLOWED", f"This credential may not report {report.kind}.")


def _may_fail_task(step: Step, task: Task, producer_id: str) -> bool:
    """Whether this step failed for good under a policy whose registered executor the producer is."""
    if step.lifecycle_status != Lifecycle.FAILED or step.failure_policy not in _POLICIES_WITH_EXECUTOR:
        return False
    return _operation(step, task).policy_executor == producer_id and waiting_code(step) is None


def _operation(step: Step, task: Task) -> Operation:
    return registry(task.tenant_id, task.authority_scope).operation(step.operation_definition_id, step.operation_code)


def settle_steps(workset: Workset, task: Task) -> None:
    """After the task's end nobody waits for its steps: close their leases and take in the progress that waits."""
    for step in workset.steps(task):
        workset.end_lease(step)
        if step.pending_report is not None:
            absorb_pending(workset, step)
            step.version += 1
