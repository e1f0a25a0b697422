"""Progress that was accepted and is not yet a version: kept with its step, absorbed or flushed later (ruling 35)."""

from collections.abc import Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any, Final

from taskstatus.commands.events import ReportEvent
from taskstatus.domain.definitions import Operation
from taskstatus.domain.report_columns import reported_columns
from taskstatus.domain.timestamps import parse_rfc3339
from taskstatus.models import Step
from taskstatus.services.reported_data import summarise
from taskstatus.services.workset import Workset

CLEARED: Final[Mapping[str, Any]] = {
    "pending_event_id": None,
    "pending_payload_hash": None,
    "pending_report": None,
    "pending_flush_at": None,
}


def keep_pending(
    workset: Workset, step: Step, report: ReportEvent, content_hash: str, operation: Operation, now: datetime
) -> None:
    """Keep the report with its step, in place of an earlier one, until the operation's interval is over."""
    interval = timedelta(seconds=operation.progress_min_interval_seconds)
    columns = {
        "pending_event_id": report.event_id,
        "pending_payload_hash": content_hash,
        "pending_report": {"content": report.content(), "receivedAt": now.isoformat()},
        "pending_flush_at": step.progress_versioned_at + interval,
    }
    workset.change_step(step, columns)


def pending_report(step: Step) -> tuple[ReportEvent, datetime]:
    """The kept report and when it was received."""
    kept: dict[str, Any] = step.pending_report or {}
    return ReportEvent.read(kept["content"]), parse_rfc3339(kept["receivedAt"])


def absorb_pending(workset: Workset, step: Step) -> None:
    """Let the step take over what the kept report said; the version that does so is the caller's."""
    if step.pending_report is None:
        return
    report, received_at = pending_report(step)
    columns = reported_columns(report, step, received_at)
    # Its place in the stream was taken when it came; a later report may have moved on.
    columns["source_seq"] = step.source_seq
    workset.change_step(step, {**columns, **CLEARED})
    summarise(workset.tasks[step.task_id], report)


def with_pending_progress(step: Step) -> Step:
    """The step as if its kept report were a version already; the row itself stays as it is."""
    if step.pending_report is None:
        return step
    report, received_at = pending_report(step)
    seen = copy(step)
    for name, value in reported_columns(report, step, received_at).items():
        setattr(seen, name, value)
    return seen
