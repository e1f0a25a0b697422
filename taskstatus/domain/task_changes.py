"""What a decision makes of the task's own row: its start, its end, its codes."""

from datetime import datetime

from taskstatus.domain.business_status import TaskCodes
from taskstatus.domain.durations import run_ms
from taskstatus.domain.facts import ReportFacts, TaskFacts
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
