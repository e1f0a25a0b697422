"""Withdraw every credential of an execution: its worker may no longer report (source design 3.3.4)."""

from taskstatus.domain.errors import DomainError
from taskstatus.models import Step
from taskstatus.services.audit import operator_entry
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset


@use_case
def revoke_credentials(execution_id: str, actor: str) -> int:
    """Outdate all tokens and handles issued so far; returns the generation that counts from now on.

    `:renew` and a replayed activation issue new ones. Raises EXECUTION_NOT_FOUND.
    """
    task_id = Step.objects.filter(execution_id=execution_id).values_list("task_id", flat=True).first()
    workset = Workset.lock([task_id] if task_id else [], execution_ids=[execution_id])
    step = workset.execution(workset.tasks[task_id], execution_id) if task_id in workset.tasks else None
    if step is None:
        raise DomainError("EXECUTION_NOT_FOUND", "There is no such execution.")
    task = workset.tasks[step.task_id]
    workset.change_step(step, {"credential_generation": step.credential_generation + 1})
    at = workset.time_of(task)
    workset.add_dependents([operator_entry(task, actor, "REVOKE_CREDENTIALS", at, object_id=execution_id)])
    workset.flush()
    return int(step.credential_generation)
