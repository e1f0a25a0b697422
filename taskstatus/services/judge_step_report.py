"""Rows 3 to 10 for one step event, under its task's lock, and what an accepted one changes."""

from dataclasses import dataclass

from registries.resolver import registry
from taskstatus.domain.decide import Rules, decide_health, decide_step
from taskstatus.domain.decisions import Apply, Coalesce, Stale, StaleReason
from taskstatus.domain.errors import DomainError
from taskstatus.domain.execution import require_match
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import EventType, Lifecycle
from taskstatus.domain.ordering import stale_execution
from taskstatus.domain.state_machine import require_live, step_lifecycle_after
from taskstatus.models import Step, Task
from taskstatus.projections.task_detail import lease_of
from taskstatus.services.column_values import set_columns
from taskstatus.services.dedup import event_id_reused
from taskstatus.services.health_changes import hear
from taskstatus.services.known_events import receipt_of_known
from taskstatus.services.pending_progress import absorb_pending, keep_pending
from taskstatus.services.receipts import COALESCED, Receipt, receipt
from taskstatus.services.record_report import Origin, record_report
from taskstatus.services.report_targets import Right, Target
from taskstatus.services.reported_data import require_step_data, summarise
from taskstatus.services.workset import Workset


@dataclass(frozen=True, slots=True)
class RegisteredContext:
    """The context of an execution as it was registered (row 3)."""

    workflow_id: str
    task_id: str
    step_id: str
    execution_id: str
    operation_code: str
    producer_id: str
    task_attempt: int
    step_attempt: int
    task_type: str | None

    @classmethod
    def of(cls, task: Task, step: Step) -> "RegisteredContext":
        """The context that rows of a task and its step attempt say."""
        return cls(
            task.workflow_id, task.id, step.step_id, step.execution_id, step.operation_code, step.producer_id,
            step.task_attempt, step.attempt, task.task_type,
        )  # fmt: skip


def judge_step_report(target: Target, workset: Workset) -> Receipt:
    """Judge the report and change the workset if it is accepted; raises its refusal and changes nothing."""
    task, step = _registered(target, workset)
    if target.right is Right.HEALTH:
        return _judge_health(target, task, step, workset)
    _require_allowed(target, task, step)
    if target.report.kind is EventType.STEP_HEARTBEAT:
        return _judge_beat(target, task, step, workset)
    return _judge_event(target, task, step, workset)


def _registered(target: Target, workset: Workset) -> tuple[Task, Step]:
    """The execution that the credential stands for; every context member has to be its own (row 3)."""
    caller, report = target.caller, target.report
    task = workset.tasks.get(target.task_id)
    step = workset.execution(task, target.execution_id or "") if task is not None else None
    if task is None or step is None or (task.tenant_id, task.authority_scope) != (caller.tenant, caller.scope):
        raise DomainError("EXECUTION_NOT_FOUND", "There is no such execution.")
    if target.generation not in (None, step.credential_generation):
        raise DomainError("TOKEN_INVALID", "This credential was revoked.")
    context = RegisteredContext.of(task, step)
    if target.right is Right.HEALTH:
        _require_own_producer(target)
        require_match(report.model_copy(update={"producer_id": None}), context, context.producer_id)
    else:
        require_match(report, context, caller.producer_id)
    return task, step


def _require_own_producer(target: Target) -> None:
    if target.report.producer_id not in (None, target.caller.producer_id):
        raise DomainError("PRODUCER_MISMATCH", "producerId is not the calling service's.")


def _require_allowed(target: Target, task: Task, step: Step) -> None:
    """Row 4: the operation that the execution bound says which events its worker may send."""
    kind = target.report.kind
    if kind is EventType.STEP_HEARTBEAT:
        return
    operation = registry(task.tenant_id, task.authority_scope).operation(
        step.operation_definition_id, step.operation_code
    )
    if kind not in operation.allowed_event_types:
        raise DomainError("EVENT_TYPE_NOT_ALLOWED", f"This credential may not report {kind}.")


def _judge_event(target: Target, task: Task, step: Step, workset: Workset) -> Receipt:
    report, now = target.report, workset.time_of(task)
    content_hash = payload_hash({"event": report.content(), "execution": step.execution_id})
    duplicate = _duplicate(target, task, step, workset, content_hash)
    if duplicate is not None:
        return duplicate
    reg = registry(task.tenant_id, task.authority_scope)
    operation = reg.operation(step.operation_definition_id, step.operation_code)
    rules = Rules(reg.status_set(task.task_type, task.status_definition_version), operation)
    decision = decide_step(report, step, task, rules, now)
    if isinstance(decision, Stale):
        return receipt(report.event_id, task, step, workset.epoch, stale=decision.reason)
    require_step_data(report, operation, reg)
    if isinstance(decision, Coalesce):
        workset.change_step(step, decision.step)
        keep_pending(workset, step, report, content_hash, operation, now)
        workset.beat(step)
        return receipt(report.event_id, task, step, workset.epoch, reason=COALESCED)
    absorb_pending(workset, step)
    _apply(workset, task, step, decision)
    summarise(task, report)
    return record_report(
        workset,
        report,
        task,
        step,
        Origin(target.caller.producer_id, content_hash),
        operation=operation,
        notice=decision.notice,
    )


def _duplicate(target: Target, task: Task, step: Step, workset: Workset, content_hash: str) -> Receipt | None:
    event_id = target.report.event_id
    if step.pending_event_id == event_id:
        if step.pending_payload_hash != content_hash:
            raise event_id_reused()
        return receipt(event_id, task, step, workset.epoch, duplicate=True, reason=COALESCED)
    return receipt_of_known(workset, event_id, content_hash, task)


def _apply(workset: Workset, task: Task, step: Step, decision: Apply) -> None:
    workset.change_step(step, decision.step)
    set_columns(task, decision.task)
    if Lifecycle(step.lifecycle_status).is_terminal:
        workset.end_lease(step)
    else:
        workset.beat(step)


def _judge_health(target: Target, task: Task, step: Step, workset: Workset) -> Receipt:
    report, producer_id = target.report, target.caller.producer_id
    content_hash = payload_hash({"event": report.content(), "execution": step.execution_id, "producer": producer_id})
    duplicate = receipt_of_known(workset, report.event_id, content_hash, task)
    if duplicate is not None:
        return duplicate
    decision = decide_health(report, step, task, producer_id, workset.time_of(task))
    if isinstance(decision, Stale):
        return receipt(report.event_id, task, step, workset.epoch, stale=decision.reason)
    reg = registry(task.tenant_id, task.authority_scope)
    if report.data is not None:
        raise DomainError("SCHEMA_NOT_ALLOWED", "STEP_HEALTH_CHANGED carries no data.")
    operation = reg.operation(step.operation_definition_id, step.operation_code)
    workset.change_step(step, decision.step)
    return record_report(workset, report, task, step, Origin(producer_id, content_hash), operation=operation)


def _judge_beat(target: Target, task: Task, step: Step, workset: Workset) -> Receipt:
    """A beat renews the lease and nothing else: no version, no eventId remembered (protocol 4.3)."""
    report = target.report
    stale = stale_execution(step, task)
    lease = lease_of(step)
    last = lease.heartbeat_seq if lease else step.last_heartbeat_seq
    seq = report.heartbeat_seq or 0
    if stale is None and seq < last:
        stale = Stale(StaleReason.STALE_SEQUENCE)
    if stale is not None:
        return receipt(report.event_id, task, step, workset.epoch, stale=stale.reason)
    require_live("task", Lifecycle(task.lifecycle_status))
    step_lifecycle_after(EventType.STEP_HEARTBEAT, Lifecycle(step.lifecycle_status))
    if seq > last:
        hear(workset, task, step, seq)
    return receipt(report.event_id, task, step, workset.epoch, duplicate=seq == last)
