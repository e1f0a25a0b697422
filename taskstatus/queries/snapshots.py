"""The current state of one task or workflow, as a service of its scope may read it (protocol 4.1)."""

from dataclasses import dataclass
from typing import Final

from registries.resolver import registry
from taskstatus.domain.errors import DomainError
from taskstatus.domain.versions import Version
from taskstatus.identity.principals import Service
from taskstatus.models import Step, Task, Workflow
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.task_detail import task_detail
from taskstatus.projections.task_summary import Json, task_summary
from taskstatus.projections.workflow_summary import workflow_summary
from taskstatus.queries.clock import READINGS, reading
from taskstatus.queries.counts import count_tasks

MAX_READS: Final = 5


@dataclass(frozen=True, slots=True)
class TaskSnapshot:
    """A TaskDetail and the version it shows."""

    detail: Json
    version: Version


def task_snapshot(task_id: str, caller: Service, language: str) -> TaskSnapshot:
    """The detail of a task of the caller's scope; raises TASK_NOT_FOUND.

    Task and steps are two reads. They are taken again if the version moved in between, so that one version names one
    state; a task that never stands still raises DATABASE_BUSY.
    """
    for _ in range(MAX_READS):
        task = _task(task_id, caller)
        steps = list(Step.objects.filter(task=task, is_current=True).select_related("lease").order_by("position"))
        if Task.objects.filter(pk=task.pk, version=task.version).exists():
            return _snapshot(task, steps, language)
    raise DomainError("DATABASE_BUSY", "The task changes faster than it can be read; try again.")


def workflow_snapshot(workflow_id: str, caller: Service) -> Json:
    """The summary of a workflow of the caller's scope over all of its tasks; raises WORKFLOW_NOT_FOUND."""
    found = Workflow.objects.filter(pk=workflow_id, tenant_id=caller.tenant, authority_scope=caller.scope)
    workflow = found.annotate(**READINGS).first()
    if workflow is None:
        raise DomainError("WORKFLOW_NOT_FOUND", "There is no such workflow.")
    return workflow_summary(workflow, count_tasks(workflow), reading(workflow, "db_epoch"))


def _task(task_id: str, caller: Service) -> Task:
    found = Task.objects.filter(pk=task_id, tenant_id=caller.tenant, authority_scope=caller.scope)
    task = found.annotate(**READINGS).first()
    if task is None:
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    return task


def _snapshot(task: Task, steps: list[Step], language: str) -> TaskSnapshot:
    epoch = reading(task, "db_epoch")
    context = ProjectionContext(
        registry(task.tenant_id, task.authority_scope), epoch, reading(task, "db_now"), language
    )
    detail = task_detail(task, steps, context, task_summary(task, steps, context))
    return TaskSnapshot(detail, Version(epoch, task.version))
