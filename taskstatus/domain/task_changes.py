"""What a decision makes of the task's own row: its start, its end, its codes."""

from collections.abc import Iterable
from datetime import datetime

from taskstatus.domain.business_status import TaskCodes, codes_after_activation, waiting_code
from taskstatus.domain.definitions import WAITING_USER_ACTION
from taskstatus.domain.durations import run_ms
from taskstatus.domain.facts import ReportFacts, StepFacts, TaskFacts
from taskstatus.domain.lifecycle import EventType, Lifecycle
from taskstatus.domain.report_columns import Columns, failure_columns


def start_columns(task: TaskFacts, after: Lifecycle, now: datetime) -> Columns:
    """The columns by which the task begins to run, if it does so now."""
    if after is not Lifecycle.RUNNING or task.lifecycle_status == Lifecycle.RUNNING:
        return {}
    return {"lifecycle_status": after, "started_at": now, "first_started_at": task.first_started_at or now}


def end_columns(report: ReportFacts, task: TaskFacts, after: Lifecycle, now: datetime) -> Columns:
    """The columns by which the task ends, if it does so now."""
    if not after.is_terminal:
        return {}
    columns: Columns = {
        "lifecycle_status": after,
        "finished_at": now,
        "duration_ms": run_ms(report.duration_ms, task.started_at, now),
    }
    if report.event_type == EventType.TASK_FAILED:
        columns |= failure_columns(report, report.failed_step_id)
    return columns


def code_columns(codes: TaskCodes) -> Columns:
    """The code that the task shows, and the one that it returns to."""
    return {"business_status": codes.shown, "remembered_status": codes.unreserved}


def cleared_failure_columns(
    task: TaskFacts, step_id: str, failed_step_id: str | None, others: Iterable[StepFacts]
) -> Columns:
    """The columns by which a live task forgets the failure of a step that has failed no more (protocol 6).

    `failed_step_id` is the step whose failure the task tells of, `others` are its other current steps: the task goes on
    waiting for what they wait for.
    """
    waiting = list(others)
    columns = code_columns(codes_after_activation(TaskCodes.of(task), waiting))
    if failed_step_id == step_id:
        columns |= {"failure_code": None, "failure_message": None, "failed_step_id": None}
    if all(waiting_code(step) != WAITING_USER_ACTION for step in waiting):
        columns |= {"requires_action": False, "actions": []}
    return columns
