"""Workflows as readers see them (protocol 6). These models only describe."""

from typing import Annotated

from pydantic import Field

from taskstatus.api.openapi.answers import Answer, Decimal, Instant, WorkflowId
from taskstatus.domain.lifecycle import Aggregation, Health, Lifecycle


class LifecycleCounts(Answer):
    """How many tasks are in which state."""

    pending: Annotated[int, Field(alias="PENDING")]
    running: Annotated[int, Field(alias="RUNNING")]
    succeeded: Annotated[int, Field(alias="SUCCEEDED")]
    failed: Annotated[int, Field(alias="FAILED")]
    cancelled: Annotated[int, Field(alias="CANCELLED")]


class HealthCounts(Answer):
    """How many tasks are in which health."""

    healthy: Annotated[int, Field(alias="HEALTHY")]
    degraded: Annotated[int, Field(alias="DEGRADED")]
    stale: Annotated[int, Field(alias="STALE")]


class WorkflowCounts(Answer):
    """The tasks of a workflow, counted."""

    lifecycle_status: LifecycleCounts
    health: HealthCounts


class WorkflowSummary(Answer):
    """A workflow and its tasks in numbers."""

    id: WorkflowId
    title: str
    workflow_type: str | None
    owner_id: str
    project_id: str | None
    aggregation: Aggregation
    sealed: bool
    lifecycle_status: Lifecycle
    health: Health
    version: Decimal
    task_count: Annotated[int, Field(ge=0)]
    counts: WorkflowCounts
    requires_action: bool
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None
    updated_at: Instant
    epoch: Decimal
