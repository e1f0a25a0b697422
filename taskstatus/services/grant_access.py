"""Share a task or a workflow with a user, project or role (protocol 4.1)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from taskstatus.commands.tasks import PutGrant
from taskstatus.domain.lifecycle import RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import AuditEntry, Task, TaskGrant, Workflow, WorkflowGrant
from taskstatus.services.changes import Change
from taskstatus.services.service_events import service_event_id
from taskstatus.services.task_lock import lock_task
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workflow_changes import lock_workflow, record_workflow


@dataclass(frozen=True, slots=True)
class Principal:
    """To whom a permission is given: a user, a project or a role."""

    principal_type: str
    principal_id: str


@dataclass(frozen=True, slots=True)
class ChangeReceipt:
    """The version at which the grant holds; `created` is True where the principal had none before."""

    aggregate_id: str
    version: int
    epoch: int
    created: bool


@use_case
def grant_task_access(task_id: str, principal: Principal, command: PutGrant, caller: Service) -> ChangeReceipt:
    """Give the principal this permission on the task; the same again changes nothing. Raises TASK_NOT_FOUND."""
    workset, task = lock_task(task_id, caller.tenant, caller.scope)
    now = workset.time_of(task)
    outcome = _put(TaskGrant, {"task": task}, principal, command, caller, now)
    if outcome is None:
        return ChangeReceipt(task.id, task.version, workset.epoch, created=False)
    detail = _detail(principal, command)
    change = Change(
        task, RecordType.TASK_ACCESS_CHANGED, service_event_id(), caller.producer_id, event={"payload": detail}
    )
    workset.record(change)
    workset.add_dependents([_audit_entry(caller, "GRANT_TASK", task.id, detail, now)])
    workset.flush()
    return ChangeReceipt(task.id, task.version, workset.epoch, created=outcome)


@use_case
def grant_workflow_access(workflow_id: str, principal: Principal, command: PutGrant, caller: Service) -> ChangeReceipt:
    """Give the principal this permission on the workflow; the same again changes nothing. Raises WORKFLOW_NOT_FOUND."""
    workflow, now, epoch = lock_workflow(workflow_id, caller)
    outcome = _put(WorkflowGrant, {"workflow": workflow}, principal, command, caller, now)
    if outcome is None:
        return ChangeReceipt(workflow.id, workflow.version, epoch, created=False)
    detail = _detail(principal, command)
    record_workflow(workflow, now, epoch, "WORKFLOW_ACCESS_CHANGED", caller.producer_id, detail)
    AuditEntry.objects.bulk_create([_audit_entry(caller, "GRANT_WORKFLOW", workflow.id, detail, now)])
    return ChangeReceipt(workflow.id, workflow.version, epoch, created=outcome)


def _put(
    model: type[TaskGrant] | type[WorkflowGrant],
    about: dict[str, Task] | dict[str, Workflow],
    principal: Principal,
    command: PutGrant,
    caller: Service,
    now: datetime,
) -> bool | None:
    """Write the grant: True if the principal had none, False if it had another permission, None if it had this one."""
    key: dict[str, Any] = {**about, "principal_type": principal.principal_type, "principal_id": principal.principal_id}
    row = model.objects.filter(**key).first()
    if row is not None and row.revoked_at is None and row.permission == command.permission:
        return None
    values: dict[str, Any] = {
        "permission": command.permission,
        "granted_by": caller.producer_id,
        "created_at": now,
        "revoked_at": None,
    }
    model.objects.update_or_create(**key, defaults=values)
    return row is None or row.revoked_at is not None


def _detail(principal: Principal, command: PutGrant) -> dict[str, str]:
    return {
        "principalType": principal.principal_type,
        "principalId": principal.principal_id,
        "permission": command.permission,
    }


def _audit_entry(caller: Service, action: str, object_id: str, detail: dict[str, str], now: datetime) -> AuditEntry:
    return AuditEntry(
        tenant_id=caller.tenant,
        authority_scope=caller.scope,
        actor=caller.producer_id,
        action=action,
        outcome="DONE",
        object_id=object_id,
        detail=detail,
        created_at=now,
    )
