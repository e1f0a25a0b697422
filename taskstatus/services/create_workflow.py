"""Create a workflow, together with the tasks that are already known (source design 3.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from registries.resolver import registry
from taskstatus.commands.tasks import CreateWorkflow
from taskstatus.domain.errors import DomainError
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.identifiers import new_id, virtual_bucket
from taskstatus.identity.principals import Service
from taskstatus.models import Task, Workflow, WorkflowGrant
from taskstatus.services.fresh_clock import fresh_clock
from taskstatus.services.task_creation import create_tasks
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workflow_changes import announce_workflow
from taskstatus.services.workset import Workset


@dataclass(frozen=True, slots=True)
class CreatedWorkflow:
    """A workflow with the tasks that the request named; `created` is False for a replay."""

    workflow: Workflow
    tasks: Sequence[Task]
    epoch: int
    created: bool


@use_case
def create_workflow(command: CreateWorkflow, caller: Service) -> CreatedWorkflow:
    """Create the workflow and its first tasks, all or none; the same key and content answers what exists.

    Raises CLIENT_KEY_REUSED for other content under a used key, and whatever `create_tasks` refuses.
    """
    now, epoch = fresh_clock()
    content_hash = payload_hash(command.canonical())
    existing = Workflow.objects.filter(
        tenant_id=caller.tenant,
        authority_scope=caller.scope,
        client_workflow_key=command.client_workflow_key,
    ).first()
    if existing is not None:
        return _replay(existing, command, content_hash, epoch)
    workflow = _workflow_row(command, caller, content_hash, now)
    workflow.save(force_insert=True)
    WorkflowGrant.objects.bulk_create(_grants(workflow, command, caller))
    workset = Workset((), (), now, epoch)
    parts = {f"/initialTasks/{index}": part for index, part in enumerate(command.initial_tasks)}
    tasks = create_tasks(workset, workflow, parts, caller, registry(caller.tenant, caller.scope))
    workset.flush()
    announce_workflow(workflow, epoch, "WORKFLOW_CREATED", caller.producer_id)
    return CreatedWorkflow(workflow, tasks, epoch, created=True)


def _replay(workflow: Workflow, command: CreateWorkflow, content_hash: str, epoch: int) -> CreatedWorkflow:
    if workflow.creation_hash != content_hash:
        raise DomainError("CLIENT_KEY_REUSED", "Another workflow was created under this clientWorkflowKey.")
    keys = [part.client_task_key for part in command.initial_tasks]
    found = {task.client_task_key: task for task in workflow.tasks.filter(client_task_key__in=keys)}
    return CreatedWorkflow(workflow, [found[key] for key in keys], epoch, created=False)


def _workflow_row(command: CreateWorkflow, caller: Service, content_hash: str, now: datetime) -> Workflow:
    return Workflow(
        id=new_id("wfl", virtual_bucket(caller.tenant, command.owner_id)),
        tenant_id=caller.tenant,
        owner_id=command.owner_id,
        authority_scope=caller.scope,
        coordinator_id=caller.producer_id,
        client_workflow_key=command.client_workflow_key,
        creation_hash=content_hash,
        workflow_type=command.workflow_type,
        project_id=command.project_id,
        title=command.title,
        aggregation=command.aggregation,
        task_count=len(command.initial_tasks),
        created_at=now,
        updated_at=now,
    )


def _grants(workflow: Workflow, command: CreateWorkflow, caller: Service) -> list[WorkflowGrant]:
    chosen = {(grant.principal_type, grant.principal_id): grant for grant in command.shared_with}
    return [
        WorkflowGrant(
            workflow=workflow,
            principal_type=grant.principal_type,
            principal_id=grant.principal_id,
            permission=grant.permission,
            granted_by=caller.producer_id,
            created_at=workflow.created_at,
        )
        for grant in chosen.values()
    ]
