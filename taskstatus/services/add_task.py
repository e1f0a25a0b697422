"""Add one task to a workflow that exists (protocol 4.1)."""

from dataclasses import dataclass

from registries.resolver import registry
from taskstatus.commands.tasks import CreateTask
from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import Service
from taskstatus.models import Task, Workflow
from taskstatus.services.task_creation import create_tasks, creation_hash
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workflow_changes import lock_workflow, record_workflow
from taskstatus.services.workset import Workset, is_live


@dataclass(frozen=True, slots=True)
class AddedTask:
    """A task and its workflow; `created` is False for a replay."""

    workflow: Workflow
    task: Task
    epoch: int
    created: bool


@use_case
def add_task(workflow_id: str, command: CreateTask, caller: Service) -> AddedTask:
    """Create the task in the workflow; the same key and content answers what exists.

    Raises WORKFLOW_NOT_FOUND, CLIENT_KEY_REUSED, TERMINAL_STATE, WORKFLOW_SEALED, and what `create_tasks` refuses.
    """
    workflow, now, epoch = lock_workflow(workflow_id, caller)
    existing = workflow.tasks.filter(client_task_key=command.client_task_key).first()
    if existing is not None:
        if existing.creation_hash != creation_hash(command, workflow.owner_id):
            raise DomainError("CLIENT_KEY_REUSED", "Another task was created under this clientTaskKey.")
        return AddedTask(workflow, existing, epoch, created=False)
    _require_open(workflow)
    workset = Workset((), (), now, epoch)
    (task,) = create_tasks(workset, workflow, {"": command}, caller, registry(caller.tenant, caller.scope))
    workset.flush()
    workflow.task_count += 1
    record_workflow(workflow, now, epoch, "WORKFLOW_TASK_ADDED", caller.producer_id, {"taskId": task.id})
    return AddedTask(workflow, task, epoch, created=True)


def _require_open(workflow: Workflow) -> None:
    if not is_live(workflow):
        raise DomainError("TERMINAL_STATE", "The workflow has already ended.")
    if workflow.sealed:
        raise DomainError("WORKFLOW_SEALED", "The workflow takes no further tasks.")
