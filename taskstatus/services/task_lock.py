"""One task under lock, as its coordinator or one of its users sees it."""

from collections.abc import Collection, Iterable

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Lifecycle, Permission
from taskstatus.domain.state_machine import require_live
from taskstatus.domain.versions import Version
from taskstatus.identity.principals import User
from taskstatus.models import Task
from taskstatus.queries.access import permissions_on, task_not_found, visible_tasks
from taskstatus.services.workset import Workset


def lock_task(task_id: str, tenant: str, scope: str, *, execution_ids: Iterable[str] = ()) -> tuple[Workset, Task]:
    """Lock one task; raises TASK_NOT_FOUND where it is absent or of another tenant or scope: the two answer alike."""
    workset = Workset.lock([task_id], execution_ids=execution_ids)
    task = workset.tasks.get(task_id)
    if task is None or (task.tenant_id, task.authority_scope) != (tenant, scope):
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    return workset, task


def lock_task_for(user: User, task_id: str, permission: Permission) -> tuple[Workset, Task]:
    """Lock one task on which the user has this permission; raises TASK_NOT_FOUND, PERMISSION_REQUIRED.

    A task that the user doesn't see is never waited for, or the wait would tell it from an absent one.
    """
    if not visible_tasks(user).filter(pk=task_id).exists():
        raise task_not_found()
    workset = Workset.lock([task_id])
    task = workset.tasks.get(task_id)
    # Grants change under the task's lock: what is read here still holds when the use case commits.
    held = permissions_on(task, user) if task is not None else []
    if task is None or not held:
        raise task_not_found()
    if permission not in held:
        raise DomainError("PERMISSION_REQUIRED", f"This needs the permission {permission} on the task.")
    return workset, task


def require_live_task(task: Task) -> None:
    """Raise TERMINAL_STATE if the task has ended."""
    require_live("task", Lifecycle(task.lifecycle_status))


def require_version(task: Task, epoch: int, tags: Collection[str]) -> None:
    """Raise VERSION_MISMATCH unless one of these ETags is that of the task's version in this epoch."""
    current = Version(epoch, task.version)
    for tag in tags:
        try:
            if Version.from_etag(tag, epoch) == current:
                return
        except ValueError:
            continue
    raise DomainError(
        "VERSION_MISMATCH", "The task has changed; read it again.", current={"taskVersion": str(task.version)}
    )
