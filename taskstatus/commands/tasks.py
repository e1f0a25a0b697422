"""Commands that create workflows and tasks, and that change who sees them (protocol 4.1)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from taskstatus.commands.base import Command, Part, objects_in, repeated, wrong
from taskstatus.commands.fields import (
    ClientKey,
    Defaulted,
    EventId,
    Flag,
    FreeText,
    Label,
    Limit,
    LongCode,
    LongLabel,
    Name,
    OperationPattern,
    Reference,
    TaskId,
    TaskSeconds,
    Title,
    Version,
)
from taskstatus.commands.steps import MAX_ITEMS, KnownStep, dependency_errors
from taskstatus.domain.errors import FieldError


class Grant(Part):
    """A permission for a user, project or role."""

    principal_type: Literal["USER", "PROJECT", "ROLE"]
    principal_id: Name
    permission: Literal["VIEW", "OPERATE", "ADMIN"]


class ExternalRefPart(Part):
    """A number that another system has for the task."""

    ref_type: Label
    ref_value: Reference


class Policy(Part):
    """What may be registered while the task runs (source design 3.1.1)."""

    allowed_parent_operations: Annotated[list[OperationPattern], Field(max_length=MAX_ITEMS)]
    allowed_child_operations: Annotated[list[OperationPattern], Field(max_length=MAX_ITEMS)]
    max_dynamic_steps: Defaulted[Limit] = 100
    max_depth: Defaulted[Limit] = 4
    max_parallel_executions: Defaulted[Limit] = 10
    max_registrations_per_minute: Defaulted[Limit] = 60


class TaskPart(Part):
    """The envelope of one task: what is known of it at its creation (source design 3.3.2)."""

    client_task_key: ClientKey
    title: Title
    owner_id: Name | None = None
    task_type: LongCode | None = None
    status_definition_version: Version | None = None
    operation_definition_version: Version | None = None
    product_id: Label | None = None
    batch_id: LongLabel | None = None
    parent_task_id: TaskId | None = None
    sensitive: Defaulted[Flag] = False
    shared_with: Defaulted[Annotated[list[Grant], Field(max_length=MAX_ITEMS, default_factory=list)]]
    external_refs: Defaulted[Annotated[list[ExternalRefPart], Field(max_length=MAX_ITEMS, default_factory=list)]]
    known_steps: Defaulted[Annotated[list[KnownStep], Field(max_length=MAX_ITEMS, default_factory=list)]]
    dynamic_registration_policy: Policy | None = None
    max_duration_seconds: TaskSeconds | None = None
    billing_account_id: LongLabel | None = None
    retention_policy_id: LongLabel | None = None
    data_classification: LongLabel | None = None

    def content(self, workflow_owner: str) -> dict[str, Any]:
        """What tells a replay from a reused key; an owner is named in it only if it isn't the workflow's."""
        content = self.model_dump(
            mode="json", by_alias=True, exclude_none=True, exclude={"tenant_id", "authority_scope"}
        )
        if self.owner_id == workflow_owner:
            del content["ownerId"]
        return content

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Steps are named once, depend on each other without a circle; a version needs its task type."""
        for where, step in objects_in(raw, "knownSteps", pointer):
            yield from KnownStep.cross_check(step, where)
        yield from repeated(raw, "knownSteps", "stepId", pointer)
        yield from dependency_errors(raw, pointer)
        if raw.get("statusDefinitionVersion") is not None and raw.get("taskType") is None:
            yield wrong(f"{pointer}/statusDefinitionVersion", "A status set needs a taskType.")


class CreateTask(TaskPart, Command):
    """Add one task to a workflow."""


class CreateWorkflow(Command):
    """Create a workflow, with its first tasks if they are known."""

    client_workflow_key: ClientKey
    owner_id: Name
    title: Title
    workflow_type: LongCode | None = None
    project_id: Name | None = None
    aggregation: Defaulted[Literal["EXPLICIT", "ALL_SETTLED"]] = "EXPLICIT"
    shared_with: Defaulted[Annotated[list[Grant], Field(max_length=MAX_ITEMS, default_factory=list)]]
    initial_tasks: Defaulted[Annotated[list[TaskPart], Field(max_length=MAX_ITEMS, default_factory=list)]]

    def canonical(self) -> dict[str, Any]:
        """The content by which a replay is told from a reused key; a task's owner defaults to the workflow's."""
        return {**super().canonical(), "initialTasks": [part.content(self.owner_id) for part in self.initial_tasks]}

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Every task is sound in itself and has a key of its own."""
        for where, task in objects_in(raw, "initialTasks", pointer):
            yield from TaskPart.cross_check(task, where)
        yield from repeated(raw, "initialTasks", "clientTaskKey", pointer)


class ReportWorkflowEvent(Command):
    """A coordinator's word about the whole workflow."""

    event_id: EventId
    event_type: Literal[
        "WORKFLOW_SEALED", "WORKFLOW_RETITLED", "WORKFLOW_COMPLETED", "WORKFLOW_FAILED", "WORKFLOW_CANCELLED"
    ]
    title: Title | None = None
    reason: FreeText | None = None

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """A title goes with retitling, and only with it."""
        retitles = raw.get("eventType") == "WORKFLOW_RETITLED"
        if retitles and raw.get("title") is None:
            yield wrong(f"{pointer}/title", "WORKFLOW_RETITLED needs the new title.")
        if not retitles and raw.get("title") is not None:
            yield wrong(f"{pointer}/title", "Only WORKFLOW_RETITLED takes a title.")


class RetryTask(Command):
    """Open a new attempt of an ended task."""

    event_id: EventId
    reason: FreeText


class ClassifyTask(Command):
    """Say what kind of task it is, as far as that is known now; what is left out stays as it is."""

    product_id: Label | None = None
    batch_id: LongLabel | None = None
    task_type: LongCode | None = None
    status_definition_version: Version | None = None
    operation_definition_version: Version | None = None


class PutGrant(Command):
    """Give a principal a permission; who it is stands in the path."""

    permission: Literal["VIEW", "OPERATE", "ADMIN"]


class NoMembers(Command):
    """The body of a request that says everything in its path."""
