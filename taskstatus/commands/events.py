"""The reported event: what happened in an execution, or to a task (protocol 4.3)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from taskstatus.commands.base import Command, Part
from taskstatus.commands.event_rules import event_errors
from taskstatus.commands.fields import (
    Amount,
    Attempt,
    Code,
    DurationMs,
    EventId,
    Flag,
    FreeText,
    Handle,
    Instant,
    JsonObject,
    Label,
    LongCode,
    LongLabel,
    Name,
    Reference,
    Sequence63,
    StepId,
    Title,
    UserMessage,
)
from taskstatus.domain.errors import FieldError
from taskstatus.domain.lifecycle import DurationSource, EventType
from taskstatus.domain.strict_json import bad_values

MAX_EVENTS = 500

EventTypeWord = Literal[
    "STEP_STARTED",
    "STEP_PROGRESS",
    "STEP_COMPLETED",
    "STEP_FAILED",
    "STEP_CANCELLED",
    "STEP_HEARTBEAT",
    "STEP_HEALTH_CHANGED",
    "TASK_STATUS_CHANGED",
    "TASK_COMPLETED",
    "TASK_FAILED",
    "TASK_CANCELLED",
]


class Progress(Part):
    """How far a step has come, in any unit."""

    current: Amount
    total: Amount | None = None
    unit: Annotated[Title, Field(max_length=64)] | None = None

    def as_json(self) -> dict[str, object]:
        """The members as they are stored and sent."""
        return {"current": self.current, "total": self.total, "unit": self.unit}


class ErrorPart(Part):
    """A failure in a form that machines and users can read (source design 4.4)."""

    category: LongCode
    code: LongCode
    retryable: Flag
    user_message: UserMessage
    diagnostics_ref: Reference | None = None


class Data(Part):
    """The operation's own data: the name of its schema, and the object."""

    schema_name: Annotated[LongLabel, Field(alias="schema")]
    value: JsonObject


class ReportEvent(Command):
    """One reported event. Context members that are present must equal what was registered."""

    event_id: EventId
    event_type: EventTypeWord
    source_seq: Sequence63 | None = None
    execution_handle: Handle | None = None
    workflow_id: Label | None = None
    task_id: Label | None = None
    task_type: LongCode | None = None
    task_attempt: Attempt | None = None
    step_id: StepId | None = None
    operation_code: LongCode | None = None
    step_attempt: Attempt | None = None
    execution_id: Label | None = None
    producer_id: Name | None = None
    business_status: Code | None = None
    phase_code: Code | None = None
    phase_label: Title | None = None
    progress: Progress | None = None
    progress_seq: Sequence63 | None = None
    heartbeat_seq: Sequence63 | None = None
    message: FreeText | None = None
    occurred_at: Instant | None = None
    duration_ms: DurationMs | None = None
    duration_source: Literal["MONOTONIC", "WALL_CLOCK_ESTIMATE"] | None = None
    error: ErrorPart | None = None
    failed_step_id: StepId | None = None
    requires_action: Flag | None = None
    actions: Annotated[list[Code], Field(max_length=20)] | None = None
    health: Literal["HEALTHY", "DEGRADED", "STALE"] | None = None
    health_reason: Literal["NO_HEARTBEAT", "NO_PROGRESS", "NOT_STARTED", "OVER_TIME", "OPTIONAL_STEP_FAILED"] | None = (
        None
    )
    data: Data | None = None

    @property
    def kind(self) -> EventType:
        """The event type as the domain's word."""
        return EventType(self.event_type)

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Which members an event type needs, and which it can't have (protocol 4.3)."""
        yield from event_errors(raw, pointer)
        data = raw.get("data")
        if isinstance(data, dict) and isinstance(data.get("value"), dict):
            yield from bad_values(data["value"], f"{pointer}/data/value")

    def content(self) -> dict[str, Any]:
        """What counts as the event's content: all it says, without defaults and the credential it came with."""
        content = self.model_dump(
            mode="json",
            by_alias=True,
            exclude_none=True,
            exclude={"tenant_id", "authority_scope", "execution_handle"},
        )
        if self.duration_source == DurationSource.MONOTONIC:
            del content["durationSource"]
        return content


class ReportBatch(Command):
    """Many events in one request; each is judged by itself."""

    events: Annotated[list[JsonObject], Field(min_length=1, max_length=MAX_EVENTS)]
