"""Plain values that the pure rules read: a task, a step, a report, an operation and a small status set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from taskstatus.domain.definitions import ANY_STATUS, NO_STATUS, RESERVED_STATUSES, Operation, StatusCode, StatusSet
from taskstatus.domain.lifecycle import WORKER_EVENTS, AppliesTo, FailurePolicy, Health, Lifecycle

NOW = datetime(2026, 9, 21, 7, 10, 18, tzinfo=UTC)
EARLIER = NOW - timedelta(minutes=1)


@dataclass
class PlainTask:
    """A task as the rules see it, pending and unclassified unless said otherwise."""

    attempt: int = 1
    task_type: str | None = None
    lifecycle_status: str = Lifecycle.PENDING
    business_status: str | None = Lifecycle.PENDING
    remembered_status: str | None = Lifecycle.PENDING
    started_at: datetime | None = None
    first_started_at: datetime | None = None
    finished_at: datetime | None = None
    created_at: datetime = EARLIER
    task_source_seqs: Mapping[str, int] = field(default_factory=dict)
    requires_action: bool = False
    max_duration_seconds: int | None = None


@dataclass
class PlainStep:
    """A step attempt as the rules see it, pending with an execution."""

    step_id: str = "s1"
    task_attempt: int = 1
    attempt: int = 1
    is_current: bool = True
    max_attempts: int = 3
    failure_policy: str = FailurePolicy.FAIL_TASK
    lifecycle_status: str = Lifecycle.PENDING
    business_status: str | None = Lifecycle.PENDING
    health: str = Health.HEALTHY
    health_reason: str | None = None
    stale_since: datetime | None = None
    stale_escalated_at: datetime | None = None
    stale_escalation_seconds: int | None = None
    activated_at: datetime | None = None
    start_deadline_seconds: int | None = None
    started_at: datetime | None = None
    no_progress_seconds: int | None = None
    progress_moved_at: datetime | None = None
    source_seq: int = 0
    health_source_seqs: Mapping[str, int] = field(default_factory=dict)
    progress_seq: int = 0
    progress: Mapping[str, object] | None = None
    phase_code: str | None = None
    state_data: Mapping[str, object] | None = None
    progress_versioned_at: datetime | None = None
    error_retryable: bool | None = None


@dataclass(frozen=True)
class PlainError:
    """A structured error."""

    category: str = "DEPENDENCY"
    code: str = "BROKEN"
    retryable: bool = False
    user_message: str = "It broke."
    diagnostics_ref: str | None = None


@dataclass(frozen=True)
class PlainProgress:
    """So many of ten pages."""

    current: int = 1

    def as_json(self) -> dict[str, object]:
        """The members as they are stored."""
        return {"current": self.current, "total": 10, "unit": "page"}


@dataclass(frozen=True)
class PlainData:
    """Data of some schema."""

    schema_name: str = "pages.v1"
    value: Mapping[str, object] = field(default_factory=lambda: {"pages": 3})


@dataclass(frozen=True)
class PlainReport:
    """A report; what is left out is absent."""

    event_type: str
    source_seq: int | None = None
    progress_seq: int | None = None
    business_status: str | None = None
    phase_code: str | None = None
    phase_label: str | None = None
    progress: PlainProgress | None = None
    message: str | None = None
    duration_ms: int | None = None
    duration_source: str | None = None
    error: PlainError | None = None
    failed_step_id: str | None = None
    requires_action: bool | None = None
    actions: Sequence[str] | None = None
    health: str | None = None
    health_reason: str | None = None
    data: PlainData | None = None


def running_task(code: str | None = Lifecycle.RUNNING, **members: Any) -> PlainTask:
    """A task that runs since a minute and shows this code."""
    known: dict[str, Any] = {"business_status": code, "remembered_status": code, "lifecycle_status": Lifecycle.RUNNING}
    return PlainTask(**{**known, "started_at": EARLIER, "first_started_at": EARLIER, **members})


def running_step(**members: Any) -> PlainStep:
    """A step that runs and has reported once."""
    known: dict[str, Any] = {"lifecycle_status": Lifecycle.RUNNING, "business_status": Lifecycle.RUNNING}
    return PlainStep(**{**known, "source_seq": 1, **members})


def operation(**members: Any) -> Operation:
    """An operation that allows everything to everybody."""
    known: dict[str, Any] = {
        "code": "PAPER.READ",
        "task_type_pattern": "*",
        "version": 1,
        "display_name": {},
        "producer_pattern": "*",
        "allowed_event_types": WORKER_EVENTS,
        "allowed_data_schemas": {},
        "failure_policy": FailurePolicy.FAIL_TASK,
    }
    return Operation(**known | members)


def _status(
    code: str, lifecycle: Lifecycle, *scopes: AppliesTo, come_from: str = "", initial: bool = False
) -> StatusCode:
    return StatusCode(
        code=code,
        applies_to=frozenset(scopes),
        lifecycle=lifecycle,
        initial=initial,
        allowed_from=frozenset(come_from.split()),
    )


_TASK, _STEP = AppliesTo.TASK, AppliesTo.STEP
_READ_OF_STEP = _status("READ", Lifecycle.SUCCEEDED, _STEP)

# A paper is queued or parked, read, perhaps reviewed, and done or rejected. READ ends the step while its task runs on;
# SIGNED runs for a step and is the end of a task; SORTING can be reached from QUEUED alone.
PAPERS = StatusSet(
    task_type="PAPER",
    version=1,
    statuses={
        status.code: status
        for status in (
            _status("QUEUED", Lifecycle.PENDING, _TASK, _STEP, initial=True),
            _status("PARKED", Lifecycle.PENDING, _TASK, come_from="QUEUED"),
            _status("SORTING", Lifecycle.RUNNING, _TASK, _STEP, come_from="QUEUED"),
            _status("READING", Lifecycle.RUNNING, _TASK, _STEP, come_from=f"QUEUED REVIEW {NO_STATUS}"),
            _status("READ", Lifecycle.RUNNING, _TASK, come_from="READING"),
            _status("REVIEW", Lifecycle.RUNNING, _TASK, come_from="READING READ"),
            _status("UNREADABLE", Lifecycle.FAILED, _STEP),
            _status("SIGNED", Lifecycle.SUCCEEDED, _TASK, come_from="REVIEW"),
            _status("DONE", Lifecycle.SUCCEEDED, _TASK, _STEP, come_from="READ REVIEW"),
            _status("REJECTED", Lifecycle.FAILED, _TASK, come_from=ANY_STATUS),
        )
    }
    | dict(RESERVED_STATUSES),
    step_statuses={"READ": _READ_OF_STEP, "SIGNED": _status("SIGNED", Lifecycle.RUNNING, _STEP)},
)
