"""Register a step that became known while its task runs, with its execution (source design 3.1.1, protocol 4.2)."""

from django.db.models import Max

from registries.resolver import registry
from taskstatus.commands.executions import RegisterExecution
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.identifiers import dynamic_step_id
from taskstatus.domain.lifecycle import Lifecycle, RecordType, Role
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.models import Step, Task
from taskstatus.services.activation import give_execution, retire_attempt
from taskstatus.services.changes import Change
from taskstatus.services.credentials import issue_credentials
from taskstatus.services.execution_context import ActivatedExecution
from taskstatus.services.registration_rules import judge_registration, parent_of
from taskstatus.services.service_events import service_event_id
from taskstatus.services.step_rows import registered_step
from taskstatus.services.task_lock import lock_task, require_live_task
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset


@use_case
def register_execution(
    task_id: str, command: RegisterExecution, caller: Service | ExecutionClaims
) -> ActivatedExecution:
    """Register and activate the step's attempt; a replay answers the same execution with fresh credentials.

    Raises ROLE_REQUIRED, TASK_NOT_FOUND, TOKEN_INVALID (revoked), CLIENT_KEY_REUSED, TERMINAL_STATE,
    what `judge_registration` refuses, UNKNOWN_OPERATION, PRODUCER_MISMATCH, ATTEMPT_STILL_RUNNING, ATTEMPT_LIMIT,
    INVALID_FIELD.
    """
    if isinstance(caller, Service):
        caller.require(Role.COORDINATOR)
    parent_id = parent_of(command, caller)
    workset, task = lock_task(
        task_id, caller.tenant, caller.scope, execution_ids=[parent_id] if parent_id is not None else []
    )
    _require_unrevoked(workset, task, caller)
    reg = registry(caller.tenant, caller.scope)
    content_hash = payload_hash({**command.canonical(), "parentExecutionId": parent_id})
    existing = _attempt(task, command)
    if existing is not None:
        if existing.registration_hash != content_hash:
            raise DomainError("CLIENT_KEY_REUSED", "Another execution was registered under this clientStepKey.")
        step, created = existing, False
    else:
        require_live_task(task)
        step = _register(workset, task, command, caller, parent_id)
        step.registration_hash = content_hash
        created = True
    workset.flush()
    operation = reg.operation(step.operation_definition_id, step.operation_code)
    credentials = issue_credentials(task, step, operation, workset.time_of(task))
    return ActivatedExecution(task, step, operation, credentials, workset.epoch, created)


def _require_unrevoked(workset: Workset, task: Task, caller: Service | ExecutionClaims) -> None:
    """Raise TOKEN_INVALID if the caller is an execution whose credentials were withdrawn since its token was issued."""
    if isinstance(caller, Service):
        return
    parent = workset.execution(task, caller.execution_id)
    if parent is not None and parent.credential_generation != caller.generation:
        raise DomainError("TOKEN_INVALID", "This credential was revoked.")


def _attempt(task: Task, command: RegisterExecution) -> Step | None:
    return Step.objects.filter(
        task=task,
        task_attempt=task.attempt,
        step_id=dynamic_step_id(command.client_step_key),
        attempt=command.attempt,
    ).first()


def _register(
    workset: Workset,
    task: Task,
    command: RegisterExecution,
    caller: Service | ExecutionClaims,
    parent_id: str | None,
) -> Step:
    now = workset.time_of(task)
    reg = registry(task.tenant_id, task.authority_scope)
    parent, depth = judge_registration(workset, task, command, parent_id, now)
    previous = _previous_attempt(workset, task, command)
    statuses = reg.status_set(task.task_type, task.status_definition_version)
    step = registered_step(command, task, statuses, reg, _next_position(workset, task, previous), now)
    step.parent_execution_id = parent.execution_id if parent else None
    step.depth = depth
    if command.attempt > step.max_attempts:
        raise DomainError("ATTEMPT_LIMIT", f"{step.operation_code} allows {step.max_attempts} attempts.")
    if previous is not None:
        retire_attempt(workset, task, previous, caller.producer_id)
    step.version = _last_version(task, step.step_id) + 1
    workset.add_step(task, step)
    give_execution(workset, task, step, command.producer_id, caller.producer_id)
    workset.record(Change(task, RecordType.STEP_REGISTERED, service_event_id(), caller.producer_id, step=step))
    return step


def _previous_attempt(workset: Workset, task: Task, command: RegisterExecution) -> Step | None:
    """The attempt that the new one follows; raises unless that one is the last and has ended."""
    step_id = dynamic_step_id(command.client_step_key)
    current = workset.step(task, step_id)
    expected = current.attempt + 1 if current else 1
    if command.attempt != expected:
        raise invalid_field("/attempt", f"The next attempt is {expected}.")
    if current is not None and not Lifecycle(current.lifecycle_status).is_terminal:
        raise DomainError(
            "ATTEMPT_STILL_RUNNING", "The step's attempt has not ended.", current={"attempt": str(current.attempt)}
        )
    return current


def _next_position(workset: Workset, task: Task, previous: Step | None) -> int:
    if previous is not None:
        return int(previous.position)
    return 1 + max((int(step.position) for step in workset.steps(task)), default=-1)


def _last_version(task: Task, step_id: str) -> int:
    """The step's last version in any attempt of its task; 0 if it never was (it never restarts, protocol 6)."""
    versions = Step.objects.filter(task=task, step_id=step_id).aggregate(last=Max("version"))
    return int(versions["last"] or 0)
