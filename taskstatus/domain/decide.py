"""The decision about one report: rows 6 to 9 of protocol 4.3, and what an accepted one changes.

Pure: rows and commands meet the structural types of `facts`, the clock is passed in, nothing is read or written.
Refusals raise DomainError. Row 10 (data) is judged by the caller, who has the schemas.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from taskstatus.domain import health, ordering
from taskstatus.domain.business_status import (
    TaskCodes,
    codes_after_step_event,
    codes_after_task_event,
    step_code,
    task_status,
    waiting_code_of_failure,
)
from taskstatus.domain.decisions import Apply, Coalesce, NoticeType, Stale
from taskstatus.domain.definitions import RETRY_WAIT, WAITING_USER_ACTION, Operation, StatusSet
from taskstatus.domain.facts import ReportFacts, StepFacts, TaskFacts
from taskstatus.domain.lifecycle import EventType, Lifecycle, SequencePolicy
from taskstatus.domain.report_columns import (
    Columns,
    action_columns,
    failure_columns,
    has_moved,
    lifecycle_columns,
    reported_columns,
)
from taskstatus.domain.state_machine import (
    require_live,
    status_change_target,
    step_lifecycle_after,
    task_lifecycle_after,
)
from taskstatus.domain.task_changes import code_columns, end_columns, start_columns


@dataclass(frozen=True, slots=True)
class Rules:
    """What the registries say about the execution of a report."""

    statuses: StatusSet
    operation: Operation


def decide_step(
    report: ReportFacts, step: StepFacts, task: TaskFacts, rules: Rules, now: datetime
) -> Apply | Coalesce | Stale:
    """Decide about a worker's step event; `now` is the database's clock."""
    stale = (
        ordering.stale_execution(step, task)
        or ordering.stale_sequence(report, step.source_seq, rules.operation.sequence_policy)
        or ordering.stale_progress(report, step)
    )
    if stale:
        return stale
    require_live("task", Lifecycle(task.lifecycle_status))
    after = step_lifecycle_after(EventType(report.event_type), Lifecycle(step.lifecycle_status))
    code = step_code(report.business_status, step.business_status, after, rules.statuses)
    columns = reported_columns(report, step, now) | {"business_status": code}
    if _is_coalesced(report, step, task, code, rules, now):
        return Coalesce({name: columns[name] for name in ("source_seq", "progress_seq")})
    columns |= lifecycle_columns(report, step, after, now)
    return _apply_step(report, step, task, rules, after, columns, now)


def decide_health(
    report: ReportFacts, step: StepFacts, task: TaskFacts, producer_id: str, now: datetime
) -> Apply | Stale:
    """Decide about a health reporter's STEP_HEALTH_CHANGED: it changes health and nothing else."""
    last = step.health_source_seqs.get(producer_id, 0)
    stale = ordering.stale_execution(step, task) or ordering.stale_sequence(report, last, SequencePolicy.GAPS_ALLOWED)
    if stale:
        return stale
    require_live("task", Lifecycle(task.lifecycle_status))
    step_lifecycle_after(EventType.STEP_HEALTH_CHANGED, Lifecycle(step.lifecycle_status))
    state = health.reported_health(report.health or "", report.health_reason)
    seqs = {**step.health_source_seqs, producer_id: report.source_seq}
    return Apply(step={**health.health_columns(step, state, now), "health_source_seqs": seqs})


def decide_task(
    report: ReportFacts, attempt: int, task: TaskFacts, statuses: StatusSet, producer_id: str, now: datetime
) -> Apply | Stale:
    """Decide about a coordinator's task event for this attempt of the task."""
    last = task.task_source_seqs.get(producer_id, 0)
    stale = ordering.stale_task_attempt(attempt, task) or ordering.stale_sequence(
        report, last, SequencePolicy.GAPS_ALLOWED
    )
    if stale:
        return stale
    before = Lifecycle(task.lifecycle_status)
    after = _task_lifecycle(report, before, statuses)
    codes = codes_after_task_event(TaskCodes.of(task), report.business_status, before, after, statuses)
    columns = code_columns(codes) | start_columns(task, after, now) | end_columns(report, task, after, now)
    columns |= action_columns(report) or {"requires_action": False, "actions": []}
    if report.source_seq is not None:
        columns["task_source_seqs"] = {**task.task_source_seqs, producer_id: report.source_seq}
    return Apply(task=columns, notice=_END_NOTICES.get(after) or _action_notice(task, columns))


_END_NOTICES = {
    Lifecycle.SUCCEEDED: NoticeType.TASK_SUCCEEDED,
    Lifecycle.FAILED: NoticeType.TASK_FAILED,
    Lifecycle.CANCELLED: NoticeType.TASK_CANCELLED,
}


def _is_coalesced(
    report: ReportFacts, step: StepFacts, task: TaskFacts, code: str | None, rules: Rules, now: datetime
) -> bool:
    """Whether this is mere progress, too soon after the last that became a version (ruling 35)."""
    if report.event_type != EventType.STEP_PROGRESS or step.progress_versioned_at is None:
        return False
    interval = timedelta(seconds=rules.operation.progress_min_interval_seconds)
    return now - step.progress_versioned_at < interval and not _says_more(report, step, task, code, rules.statuses)


def _says_more(report: ReportFacts, step: StepFacts, task: TaskFacts, code: str | None, statuses: StatusSet) -> bool:
    """Whether a STEP_PROGRESS changes what progress alone never does, and what may therefore not wait."""
    codes, lifecycle = TaskCodes.of(task), Lifecycle(task.lifecycle_status)
    return (
        report.phase_code not in (None, step.phase_code)
        or code != step.business_status
        or codes_after_step_event(codes, report.business_status, lifecycle, lifecycle, statuses) != codes
        or report.requires_action is not None
        or report.actions is not None
        or report.error is not None
        or health.is_disproved(step, moved=has_moved(report, step))
    )


def _apply_step(
    report: ReportFacts,
    step: StepFacts,
    task: TaskFacts,
    rules: Rules,
    after: Lifecycle,
    columns: Columns,
    now: datetime,
) -> Apply:
    task_before = Lifecycle(task.lifecycle_status)
    task_after = task_before
    if report.event_type == EventType.STEP_STARTED and task_before is Lifecycle.PENDING:
        task_after = Lifecycle.RUNNING
    codes = codes_after_step_event(TaskCodes.of(task), report.business_status, task_before, task_after, rules.statuses)
    changes = start_columns(task, task_after, now)
    notice = None
    if after is Lifecycle.FAILED:
        waiting = _waiting(report, step)
        if waiting is not None and task_after is Lifecycle.RUNNING:
            codes = TaskCodes(waiting, codes.unreserved)
        changes |= failure_columns(report, step.step_id)
        if waiting == WAITING_USER_ACTION:
            changes |= {"requires_action": True, "actions": []}
        notice = _FAILURE_NOTICES.get(waiting or "", NoticeType.STEP_FAILED)
    changes |= code_columns(codes) | action_columns(report)
    if "actions" in changes and (registered := _registered_actions(report, rules.operation)):
        changes["actions"] = registered
    return Apply(step=columns, task=changes, notice=notice or _action_notice(task, changes))


_FAILURE_NOTICES = {RETRY_WAIT: NoticeType.STEP_RETRYING, WAITING_USER_ACTION: NoticeType.ACTION_REQUIRED}


def _registered_actions(report: ReportFacts, operation: Operation) -> list[str]:
    """What the operation offers users for this error; it wins over what the worker would offer."""
    text = operation.errors.get(report.error.code) if report.error is not None else None
    return list(text.actions) if text else []


def _waiting(report: ReportFacts, step: StepFacts) -> str | None:
    retryable = report.error is not None and report.error.retryable
    return waiting_code_of_failure(step.failure_policy, retryable=retryable, step=step)


def _task_lifecycle(report: ReportFacts, before: Lifecycle, statuses: StatusSet) -> Lifecycle:
    if report.event_type != EventType.TASK_STATUS_CHANGED:
        return task_lifecycle_after(EventType(report.event_type), before)
    require_live("task", before)
    return status_change_target(before, task_status(report.business_status or "", statuses).lifecycle)


def _action_notice(task: TaskFacts, changes: Columns) -> NoticeType | None:
    """The user is told when the task begins to wait for them, not each time it is said again."""
    begins = changes.get("requires_action") is True and not task.requires_action
    return NoticeType.ACTION_REQUIRED if begins else None
