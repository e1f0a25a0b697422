"""What an accepted report says, as new values of columns; no rule about whether it is accepted."""

from datetime import datetime

from taskstatus.domain import health
from taskstatus.domain.facts import ErrorFacts, ReportFacts, StepFacts
from taskstatus.domain.lifecycle import DurationSource, EventType, Lifecycle
from taskstatus.domain.redaction import redact

Columns = dict[str, object]


def reported_columns(report: ReportFacts, step: StepFacts, now: datetime) -> Columns:
    """What any accepted step event says about its step: place in the stream, progress, phase, message, data."""
    columns: Columns = {"source_seq": report.source_seq}
    if report.progress_seq is not None:
        columns["progress_seq"] = max(report.progress_seq, step.progress_seq)
    # Kept only where somebody waits for it: it would change with every report.
    if step.no_progress_seconds is not None and has_moved(report, step):
        columns["progress_moved_at"] = now
    if report.progress is not None:
        columns |= {"progress": report.progress.as_json(), "progress_updated_at": now}
    if report.phase_code is not None:
        columns |= {"phase_code": report.phase_code, "phase_label": report.phase_label}
    elif report.phase_label is not None:
        columns["phase_label"] = report.phase_label
    if report.message is not None:
        columns["message"] = report.message
    if report.data is not None:
        columns |= {"data_schema": report.data.schema_name, "state_data": dict(report.data.value)}
    return columns


def has_moved(report: ReportFacts, step: StepFacts) -> bool:
    """Whether the report says something new about how far the step is: the same again is no progress (ruling 15)."""
    return (
        (report.progress is not None and report.progress.as_json() != step.progress)
        or report.phase_code not in (None, step.phase_code)
        or (report.data is not None and dict(report.data.value) != step.state_data)
    )


def lifecycle_columns(report: ReportFacts, step: StepFacts, after: Lifecycle, now: datetime) -> Columns:
    """What the event makes of the step's lifecycle, times, duration, error and health."""
    columns: Columns = {"lifecycle_status": after}
    if report.event_type == EventType.STEP_STARTED:
        columns["started_at"] = now
    if report.event_type == EventType.STEP_PROGRESS:
        columns["progress_versioned_at"] = now
    if after.is_terminal:
        columns["finished_at"] = now
    if report.duration_ms is not None:
        columns |= {
            "duration_ms": report.duration_ms,
            "duration_source": report.duration_source or DurationSource.MONOTONIC,
        }
    if report.error is not None:
        columns |= _error_columns(report.error)
    state = health.after_report(step, after, moved=has_moved(report, step))
    return columns | health.health_columns(step, state, now)


def _error_columns(error: ErrorFacts) -> Columns:
    return {
        "error_category": error.category,
        "error_code": error.code,
        "error_message": redact(error.user_message),
        "error_retryable": error.retryable,
        "diagnostics_ref": error.diagnostics_ref,
    }


def failure_columns(report: ReportFacts, step_id: str | None) -> Columns:
    """What the task's users are told of a failure."""
    if report.error is None:
        return {}
    return {
        "failure_code": report.error.code,
        "failure_message": redact(report.error.user_message),
        "failed_step_id": step_id,
    }


def action_columns(report: ReportFacts) -> Columns:
    """What the user has to do, as far as the report speaks of it."""
    columns: Columns = {}
    if report.requires_action is not None:
        columns["requires_action"] = report.requires_action
    if report.actions is not None:
        columns["actions"] = list(report.actions)
    return columns
