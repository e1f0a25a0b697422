"""What commands are answered with. These models only describe: views write plain dictionaries.

Every member is always there; what may be unknown is nullable (protocol, Values). `tests/contracts` holds real answers
against these models.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel
from pydantic.alias_generators import to_camel

from taskstatus.domain import identifiers
from taskstatus.domain.lifecycle import EventType, FailurePolicy, Health, Lifecycle

INSTANT_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"

Decimal = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,18})$")]
Instant = Annotated[str, Field(pattern=INSTANT_PATTERN, json_schema_extra={"format": "date-time"})]
WorkflowId = Annotated[str, Field(pattern=identifiers.WORKFLOW_ID)]
TaskId = Annotated[str, Field(pattern=identifiers.TASK_ID)]
ExecutionId = Annotated[str, Field(pattern=identifiers.EXECUTION_ID)]
Milliseconds = Annotated[int, Field(ge=0, le=2**63 - 1)]


class Answer(BaseModel):
    """A JSON object that leaves the service."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=to_camel, defer_build=True)


class CreatedTask(Answer):
    """A task of a workflow that was just created, or was there under the same key."""

    client_task_key: str
    task_id: TaskId
    task_version: Decimal
    created: bool


class CreatedWorkflow(Answer):
    """A workflow with the tasks that were created with it."""

    workflow_id: WorkflowId
    workflow_version: Decimal
    epoch: Decimal
    created: bool
    tasks: list[CreatedTask]


class AddedTask(Answer):
    """A task that was added to a workflow, or was there under the same key."""

    workflow_id: WorkflowId
    workflow_version: Decimal
    task_id: TaskId
    task_version: Decimal
    epoch: Decimal
    created: bool


class WorkflowReceipt(Answer):
    """What became of an event about a workflow."""

    accepted: Literal[True]
    duplicate: bool
    workflow_version: Decimal
    epoch: Decimal
    lifecycle_status: Lifecycle


class RetryReceipt(Answer):
    """The new attempt of a task."""

    task_attempt: Annotated[int, Field(ge=1)]
    task_version: Decimal
    epoch: Decimal


class TaskChange(Answer):
    """The version at which a change of a task holds."""

    task_id: TaskId
    task_version: Decimal
    epoch: Decimal


class ClassificationReceipt(Answer):
    """The version at which a task's classification holds."""

    task_version: Decimal
    epoch: Decimal


class WorkflowChange(Answer):
    """The version at which a change of a workflow holds."""

    workflow_id: WorkflowId
    workflow_version: Decimal
    epoch: Decimal


class ExternalRefReceipt(Answer):
    """The outside number that now names the task."""

    task_id: TaskId
    ref_type: str
    ref_value: str
    task_version: Decimal
    epoch: Decimal


class FoundTask(Answer):
    """The task that an outside number names."""

    task_id: TaskId
    workflow_id: WorkflowId
    epoch: Decimal


class ExecutionContext(Answer):
    """What a worker needs for its execution: who it is, what it may report, and its credentials."""

    workflow_id: WorkflowId
    task_id: TaskId
    authority_scope: str
    product_id: str | None
    task_type: str | None
    task_attempt: Annotated[int, Field(ge=1)]
    step_id: str
    operation_code: str
    step_attempt: Annotated[int, Field(ge=1)]
    execution_id: ExecutionId
    producer_id: str
    status_definition_version: int | None
    operation_definition_version: int | None
    failure_policy: FailurePolicy
    heartbeat_interval_seconds: int
    heartbeat_timeout_seconds: int
    source_seq_start: Annotated[int, Field(ge=1)]
    allowed_event_types: list[EventType]
    allowed_data_schemas: dict[str, list[str]]
    execution_token: str
    execution_handle: str
    expires_at: Instant
    epoch: Decimal
    task_version: Decimal


class RegisteredExecution(Answer):
    """A dynamic step with its execution."""

    step_id: str
    execution_id: ExecutionId
    execution_handle: str
    execution_token: str
    task_version: Decimal
    epoch: Decimal
    created: bool
    context: ExecutionContext


class RenewedCredentials(Answer):
    """Fresh credentials of an execution; earlier ones stay good until they expire."""

    execution_token: str
    execution_handle: str
    expires_at: Instant
    epoch: Decimal


class Receipt(Answer):
    """What became of a report, with the versions and states that hold since then."""

    accepted: bool
    duplicate: bool
    stale: bool
    reason: Literal["STALE_ATTEMPT", "STALE_EXECUTION", "STALE_SEQUENCE", "STALE_PROGRESS", "COALESCED"] | None
    event_id: str
    workflow_id: WorkflowId
    task_id: TaskId
    step_id: str | None
    execution_id: ExecutionId | None
    operation_code: str | None
    task_version: Decimal
    step_version: Decimal | None
    epoch: Decimal
    lifecycle_status: Lifecycle
    business_status: str | None
    health: Health
    step_lifecycle_status: Lifecycle | None
    step_business_status: str | None
    committed_at: Instant | None


class AnyReceipt(RootModel[Receipt | WorkflowReceipt | RetryReceipt]):
    """The receipt of a report, of a workflow's event, or of a task's retry."""

    model_config: ClassVar[ConfigDict] = ConfigDict(defer_build=True)
