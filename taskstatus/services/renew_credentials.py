"""Give a worker fresh credentials for an execution that it still runs (protocol 4.2)."""

from registries.resolver import registry
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.identity.principals import Service
from taskstatus.models import Step, Task
from taskstatus.services.credentials import issue_credentials
from taskstatus.services.execution_context import ActivatedExecution
from taskstatus.services.task_lock import lock_task
from taskstatus.services.unit_of_work import use_case


@use_case
def renew_credentials(execution_id: str, caller: Service) -> ActivatedExecution:
    """A fresh token and handle; no version, no event.

    Raises EXECUTION_NOT_FOUND, PRODUCER_MISMATCH, TERMINAL_STATE (ended or superseded).
    """
    task_id = _task_of(execution_id, caller)
    workset, task = lock_task(task_id, caller.tenant, caller.scope, execution_ids=[execution_id])
    step = workset.execution(task, execution_id)
    if step is None:
        raise _absent()
    if step.producer_id != caller.producer_id:
        raise DomainError("PRODUCER_MISMATCH", "This execution is another producer's.")
    if _is_over(step, task):
        raise DomainError("TERMINAL_STATE", "The execution has ended or was superseded.")
    operation = registry(caller.tenant, caller.scope).operation(step.operation_definition_id, step.operation_code)
    credentials = issue_credentials(task, step, operation, workset.time_of(task))
    return ActivatedExecution(task, step, operation, credentials, workset.epoch, created=False)


def _task_of(execution_id: str, caller: Service) -> str:
    found = (
        Step.objects.filter(
            execution_id=execution_id, task__tenant_id=caller.tenant, task__authority_scope=caller.scope
        )
        .values_list("task_id", flat=True)
        .first()
    )
    if found is None:
        raise _absent()
    return str(found)


def _is_over(step: Step, task: Task) -> bool:
    gone = not step.is_current or step.task_attempt != task.attempt
    ended = (Lifecycle(row.lifecycle_status).is_terminal for row in (step, task))
    return gone or any(ended)


def _absent() -> DomainError:
    return DomainError("EXECUTION_NOT_FOUND", "There is no such execution.")
