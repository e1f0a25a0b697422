"""Tasks and their steps as readers see them (protocol 6). These models only describe."""

from typing import Annotated, Any

from pydantic import Field

from taskstatus.api.openapi.answers import Answer, Decimal, ExecutionId, Instant, Milliseconds, TaskId, WorkflowId
from taskstatus.domain.lifecycle import (
    DurationSource,
    FailurePolicy,
    Health,
    HealthReason,
    Lifecycle,
    Permission,
    Severity,
)


class StatusDisplay(Answer):
    """How a business status is shown."""

    name: str
    severity: Severity
    color_token: str | None
    icon_key: str | None


class ProgressView(Answer):
    """How far a step has come."""

    current: float
    total: float | None
    unit: str | None


class CurrentStep(Answer):
    """The running step that was last heard of."""

    step_id: str
    operation_code: str
    display_name: str | None
    service_name: str | None


class Failure(Answer):
    """What made the task, or a step of it, fail."""

    code: str
    message: str | None
    failed_step_id: str | None


class DataView(Answer):
    """The operation's own data, cut to what this reader may see."""

    schema_name: Annotated[str, Field(alias="schema")]
    value: dict[str, Any]


class StepError(Answer):
    """Why a step failed, in words that users may read."""

    category: str
    code: str
    user_message: str | None
    retryable: bool
    actions: list[str]


class TaskSummary(Answer):
    """A task as its owner's list shows it."""

    id: TaskId
    workflow_id: WorkflowId
    owner_id: str
    title: str
    task_type: str | None
    product_id: str | None
    batch_id: str | None
    parent_task_id: TaskId | None
    attempt: Annotated[int, Field(ge=1)]
    lifecycle_status: Lifecycle
    business_status: str | None
    status_display: StatusDisplay
    health: Health
    health_reason: HealthReason | None
    phase_code: str | None
    phase_label: str | None
    progress: ProgressView | None
    current_step: CurrentStep | None
    failure: Failure | None
    requires_action: bool
    actions: list[str]
    cancel_requested_at: Instant | None
    version: Decimal
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None
    updated_at: Instant
    elapsed_ms: Milliseconds | None
    as_of: Instant
    duration_ms: Milliseconds | None
    queue_duration_ms: Milliseconds | None
    total_duration_ms: Milliseconds | None
    summary_data: DataView | None


class StepView(Answer):
    """One step: its current attempt."""

    step_id: str
    client_step_key: str | None
    attempt: Annotated[int, Field(ge=1)]
    execution_id: ExecutionId | None
    parent_execution_id: ExecutionId | None
    depth: Annotated[int, Field(ge=0)]
    operation_code: str
    operation_definition_version: int | None
    display_name: str | None
    service_name: str | None
    depends_on: list[str]
    failure_policy: FailurePolicy
    lifecycle_status: Lifecycle
    business_status: str | None
    health: Health
    health_reason: HealthReason | None
    last_heartbeat_at: Instant | None
    stale_since: Instant | None
    phase_code: str | None
    phase_label: str | None
    progress: ProgressView | None
    progress_updated_at: Instant | None
    version: Decimal
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None
    updated_at: Instant
    duration_ms: Milliseconds | None
    duration_source: DurationSource | None
    elapsed_ms: Milliseconds | None
    as_of: Instant
    error: StepError | None
    data: DataView | None


class TaskDetail(TaskSummary):
    """A task with its steps, in the order of their creation."""

    steps: list[StepView]
    status_definition_version: int | None
    operation_definition_version: int | None
    permissions: list[Permission] | None
    epoch: Decimal
