"""One task under lock, as its coordinator sees it."""

from collections.abc import Iterable

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.state_machine import require_live
from taskstatus.models import Task
from taskstatus.services.workset import Workset


def lock_task(task_id: str, tenant: str, scope: str, *, execution_ids: Iterable[str] = ()) -> tuple[Workset, Task]:
    """Lock one task; raises TASK_NOT_FOUND where it is absent or of another tenant or scope: the two answer alike."""
    workset = Workset.lock([task_id], execution_ids=execution_ids)
    task = workset.tasks.get(task_id)
    if task is None or (task.tenant_id, task.authority_scope) != (tenant, scope):
        raise DomainError("TASK_NOT_FOUND", "There is no such task.")
    return workset, task


def require_live_task(task: Task) -> None:
    """Raise TERMINAL_STATE if the task has ended."""
    require_live("task", Lifecycle(task.lifecycle_status))
