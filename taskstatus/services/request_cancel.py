"""Note that a user wants a task cancelled: workers hear of it with their next beats, the coordinator acts (protocol 5).

The first answer holds for as long as the attempt of the task lives, whoever asks again. It is kept among the receipts,
which outlive the log: a live task's are never purged (ruling 39).
"""

from typing import Any

from taskstatus.commands.cancellation import RequestCancel
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import Permission, RecordType
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.identity.principals import User
from taskstatus.models import AuditEntry, EventDedup, Task
from taskstatus.services.changes import Change
from taskstatus.services.service_events import service_event_id
from taskstatus.services.task_lock import lock_task_for, require_live_task
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset


@use_case
def request_cancel(task_id: str, command: RequestCancel, user: User) -> dict[str, Any]:
    """Tell everybody that cancelling was asked for; the lifecycle stays. Asked again, the first answer.

    Raises TASK_NOT_FOUND, PERMISSION_REQUIRED, TERMINAL_STATE.
    """
    workset, task = lock_task_for(user, task_id, Permission.OPERATE)
    require_live_task(task)
    key = _key(task)
    known = EventDedup.objects.filter(tenant_id=task.tenant_id, event_id=key).first()
    if known is not None:
        first: dict[str, Any] = known.result
        return first
    task.cancel_requested_at = workset.time_of(task)
    payload = {"reason": command.reason}
    workset.record(
        Change(task, RecordType.TASK_CANCEL_REQUESTED, service_event_id(), user.user_id, event={"payload": payload})
    )
    answer = {
        "taskVersion": str(task.version),
        "epoch": str(workset.epoch),
        "cancelRequestedAt": format_utc_millis(task.cancel_requested_at),
    }
    _keep(workset, task, key, user, answer)
    workset.add_dependents([_audit_entry(task, user, payload)])
    workset.flush()
    return answer


def _key(task: Task) -> str:
    """Under which the answer of the task's current attempt is kept; no eventId can be spelled so."""
    return f"cancel/{task.id}/{task.attempt}"


def _keep(workset: Workset, task: Task, key: str, user: User, answer: dict[str, Any]) -> None:
    workset.remember(
        EventDedup(
            tenant_id=task.tenant_id,
            event_id=key,
            authority_scope=task.authority_scope,
            producer_id=user.user_id,
            aggregate_id=task.id,
            # What is sent doesn't matter to a repetition: any is answered alike.
            payload_hash=payload_hash({"cancel": task.id, "taskAttempt": task.attempt}),
            result=answer,
            created_at=task.updated_at,
        )
    )


def _audit_entry(task: Task, user: User, payload: dict[str, Any]) -> AuditEntry:
    return AuditEntry(
        tenant_id=user.tenant,
        actor=user.user_id,
        action="REQUEST_CANCEL",
        outcome="DONE",
        object_id=task.id,
        detail={"taskAttempt": task.attempt, "taskVersion": str(task.version), **payload},
        created_at=task.updated_at,
    )
