"""The current state of one task or workflow, as a service of its scope may read it (protocol 4.1)."""

from dataclasses import dataclass

from registries.resolver import registry
from taskstatus.domain.errors import DomainError
from taskstatus.domain.versions import Version
from taskstatus.identity.principals import Service
from taskstatus.models import Task, Workflow
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.task_detail import task_detail
from taskstatus.projections.task_summary import Json, task_summary
from taskstatus.projections.workflow_summary import workflow_summary
from taskstatus.queries.aggregates import TaskWithSteps, with_steps
from taskstatus.queries.clock import READINGS, reading
from taskstatus.queries.counts import count_tasks


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """A TaskDetail and the version it shows."""

    detail: Json
    version: Version


def task_snapshot(task_id: str, caller: Service, language: str) -> TaskSnapshot:
    """The detail of a task of the caller's scope; raises TASK_NOT_FOUND."""
    found = Task.objects.filter(pk=task_id, tenant_id=caller.tenant, authority_scope=caller.scope)
    whole = with_steps(found.annotate(**READINGS))
    if not whole:
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    return detail_snapshot(whole[0], language)


def workflow_snapshot(workflow_id: str, caller: Service) -> Json:
    """The summary of a workflow of the caller's scope over all of its tasks; raises WORKFLOW_NOT_FOUND."""
    found = Workflow.objects.filter(pk=workflow_id, tenant_id=caller.tenant, authority_scope=caller.scope)
    workflow = found.annotate(**READINGS).first()
    if workflow is None:
        raise DomainError("WORKFLOW_NOT_FOUND", "There is no such workflow.")
    return workflow_summary(workflow, count_tasks(workflow), reading(workflow, "db_epoch"))


def projection_context(task: Task, language: str) -> ProjectionContext:
    """What projections of a task need that was read with READINGS."""
    return ProjectionContext(
        registry(task.tenant_id, task.authority_scope),
        reading(task, "db_epoch"),
        reading(task, "db_now"),
        language,
    )


def detail_snapshot(whole: TaskWithSteps, language: str, permissions: list[str] | None = None) -> TaskSnapshot:
    """The detail of a task, for a viewer with these permissions."""
    context = projection_context(whole.task, language)
    summary = task_summary(whole.task, whole.steps, context)
    detail = task_detail(whole.task, whole.steps, context, summary, permissions)
    return TaskSnapshot(detail, Version(context.epoch, whole.task.version))
