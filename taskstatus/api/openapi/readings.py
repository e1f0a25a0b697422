"""What callers read: pages of tasks and workflows, numbers, timelines, attempts. These models only describe."""

from typing import Annotated, Literal

from pydantic import Field

from taskstatus.api.openapi.answers import Answer, Decimal, ExecutionId, Instant, Milliseconds, TaskId, WorkflowId
from taskstatus.api.openapi.state import DataView, StepError, StepView, TaskSummary
from taskstatus.api.openapi.workflow_state import HealthCounts, LifecycleCounts, WorkflowSummary
from taskstatus.domain.lifecycle import Health, HealthReason, Lifecycle


class TaskPage(Answer):
    """A window of a list of tasks, newest update first."""

    items: list[TaskSummary]
    next_cursor: str | None
    epoch: Decimal
    as_of: Instant


class WorkflowPage(Answer):
    """A window of a list of workflows, newest update first."""

    items: list[WorkflowSummary]
    next_cursor: str | None
    epoch: Decimal
    as_of: Instant


class TaskTotals(Answer):
    """How many of the user's tasks are in which state."""

    lifecycle_status: LifecycleCounts
    health: HealthCounts
    requires_action: Annotated[int, Field(ge=0)]
    epoch: Decimal
    as_of: Instant


class TimelineEvent(Answer):
    """One fact about a task; lifecycle and status are the task's after it."""

    event_id: str
    event_type: str
    task_version: Decimal
    step_version: Decimal | None
    task_attempt: Annotated[int, Field(ge=1)]
    step_id: str | None
    step_attempt: int | None
    execution_id: ExecutionId | None
    parent_execution_id: ExecutionId | None
    operation_code: str | None
    producer_id: str | None
    source_seq: int | None
    lifecycle_status: Lifecycle
    business_status: str | None
    health: Health
    health_reason: HealthReason | None
    duration_ms: Milliseconds | None
    error: StepError | None
    data: DataView | None
    occurred_at: Instant | None
    received_at: Instant
    committed_at: Instant


class Timeline(Answer):
    """A window of a task's timeline, oldest first."""

    items: list[TimelineEvent]
    next_after_task_version: Decimal | None
    oldest_task_version: Decimal | None
    epoch: Decimal


class TaskAttempt(Answer):
    """One attempt of a task, with every attempt of each of its steps."""

    task_attempt: Annotated[int, Field(ge=1)]
    steps: list[StepView]


class TaskAttempts(Answer):
    """The attempts of a task, oldest first."""

    items: list[TaskAttempt]
    epoch: Decimal


class RunningExecution(Answer):
    """An execution that has not ended, with its task; lifecycleStatus is the task's."""

    workflow_id: WorkflowId
    task_id: TaskId
    task_version: Decimal
    task_type: str | None
    title: str
    lifecycle_status: Lifecycle
    cancel_requested_at: Instant | None
    task_attempt: Annotated[int, Field(ge=1)]
    step_id: str
    step_attempt: Annotated[int, Field(ge=1)]
    execution_id: ExecutionId
    operation_code: str
    producer_id: str
    step_lifecycle_status: Lifecycle
    health: Health
    health_reason: HealthReason | None
    health_since: Instant
    last_heartbeat_at: Instant | None
    stale_since: Instant | None
    activated_at: Instant
    started_at: Instant | None


class ExecutionPage(Answer):
    """A window of a scope's running executions, those that are longest in their health first."""

    items: list[RunningExecution]
    next_cursor: str | None
    epoch: Decimal
    as_of: Instant


class TaskSnapshotItem(Answer):
    """One task at one version."""

    workflow_id: WorkflowId
    task_id: TaskId
    task_version: Decimal
    task: TaskSummary


class TaskSummaryBatch(Answer):
    """Snapshots of several tasks; each has a version of its own."""

    kind: Literal["task.summary.batch"]
    schema_version: Literal[1]
    items: list[TaskSnapshotItem]
    removed: list[str]
    epoch: Decimal
    as_of: Instant
