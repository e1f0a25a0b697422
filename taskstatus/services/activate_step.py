"""Activate a known step: give its attempt the execution that a worker will run (protocol 4.2)."""

from registries.resolver import Registry, registry
from taskstatus.commands.executions import ActivateStep
from taskstatus.domain.definitions import Operation
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import Lifecycle, RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import ActivationCommand, Step, Task
from taskstatus.services.activation import give_execution, retire_attempt
from taskstatus.services.changes import Change
from taskstatus.services.credentials import issue_credentials
from taskstatus.services.execution_context import ActivatedExecution
from taskstatus.services.service_events import service_event_id
from taskstatus.services.step_rows import bind, bound_operation, next_attempt
from taskstatus.services.task_lock import lock_task, require_live_task
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset


@use_case
def activate_step(task_id: str, step_id: str, command: ActivateStep, caller: Service) -> ActivatedExecution:
    """Activate the step's current or next attempt; a replay answers the same execution with fresh credentials.

    Raises TASK_NOT_FOUND, STEP_NOT_REGISTERED, CLIENT_KEY_REUSED, TERMINAL_STATE, ATTEMPT_STILL_RUNNING,
    ILLEGAL_TRANSITION, INVALID_FIELD, ATTEMPT_LIMIT, PRODUCER_MISMATCH, UNKNOWN_OPERATION, DEFINITION_NOT_FOUND.
    """
    workset, task = lock_task(task_id, caller.tenant, caller.scope)
    reg = registry(caller.tenant, caller.scope)
    current = workset.step(task, step_id)
    if current is None:
        raise DomainError("STEP_NOT_REGISTERED", "The task has no such step.")
    body_hash = payload_hash({"step": step_id, "body": command.canonical()})
    replayed = _replay(task, current, command, body_hash)
    if replayed is not None:
        operation = reg.operation(replayed.operation_definition_id, replayed.operation_code)
        step, created = replayed, False
    else:
        require_live_task(task)
        step, operation = _activate(workset, task, current, command, caller, reg)
        created = True
    _remember_command(task, step, command, body_hash, workset, replayed)
    workset.flush()
    credentials = issue_credentials(task, step, operation, workset.time_of(task))
    return ActivatedExecution(task, step, operation, credentials, workset.epoch, created)


def _replay(task: Task, current: Step, command: ActivateStep, body_hash: str) -> Step | None:
    """The step attempt that this command led to before, or that it names as already activated."""
    if command.command_id is not None:
        commands = ActivationCommand.objects.select_related("execution")
        known = commands.filter(task_id=task.id, command_id=command.command_id).first()
        if known is not None:
            if known.body_hash != body_hash:
                raise DomainError("CLIENT_KEY_REUSED", "This commandId was given with another step or body.")
            return known.execution
    if command.attempt != current.attempt or current.execution_id is None:
        return None
    if command.producer_id not in (None, current.producer_id):
        raise DomainError("PRODUCER_MISMATCH", "This attempt was activated for another producer.")
    return current


def _activate(
    workset: Workset, task: Task, current: Step, command: ActivateStep, caller: Service, reg: Registry
) -> tuple[Step, Operation]:
    opens_next = _opens_next_attempt(current, command)
    operation = bound_operation(current, task, reg)
    if opens_next and current.attempt >= operation.max_attempts:
        raise DomainError("ATTEMPT_LIMIT", f"{current.operation_code} allows {operation.max_attempts} attempts.")
    producer_id = _executor(current, command, operation)
    step = _open_next(workset, task, current, caller, reg) if opens_next else current
    bind(step, operation)
    give_execution(workset, task, step, producer_id, caller.producer_id)
    workset.record(Change(task, RecordType.STEP_ACTIVATED, service_event_id(), caller.producer_id, step=step))
    return step, operation


def _open_next(workset: Workset, task: Task, current: Step, caller: Service, reg: Registry) -> Step:
    retire_attempt(workset, task, current, caller.producer_id)
    statuses = reg.status_set(task.task_type, task.status_definition_version)
    step = next_attempt(current, task, statuses, workset.time_of(task))
    workset.add_step(task, step)
    return step


def _opens_next_attempt(current: Step, command: ActivateStep) -> bool:
    """Whether the step's next attempt is asked for (else its current one), and may be opened."""
    ended = Lifecycle(current.lifecycle_status).is_terminal
    if command.attempt is not None and command.attempt < current.attempt:
        raise DomainError("ILLEGAL_TRANSITION", "This attempt has gone by.", current={"attempt": str(current.attempt)})
    if command.attempt is not None and command.attempt > current.attempt + 1:
        raise invalid_field("/attempt", f"The next attempt is {current.attempt + 1}.")
    if current.execution_id is None and command.attempt in (None, current.attempt) and not ended:
        return False
    if not ended and not command.supersede:
        raise DomainError(
            "ATTEMPT_STILL_RUNNING", "The step's attempt has not ended.", current={"attempt": str(current.attempt)}
        )
    return True


def _executor(step: Step, command: ActivateStep, operation: Operation) -> str:
    """The service that will execute the attempt: named, else planned, else the only one allowed (protocol 4.2)."""
    producer_id = command.producer_id or step.expected_producer or operation.exact_producer
    if producer_id is None:
        raise invalid_field("/producerId", "Nothing says which service shall execute this step.")
    if not operation.allows_producer(producer_id) or step.expected_producer not in (None, producer_id):
        raise DomainError("PRODUCER_MISMATCH", f"{step.operation_code} is not for this producer.")
    return producer_id


def _remember_command(
    task: Task, step: Step, command: ActivateStep, body_hash: str, workset: Workset, replayed: Step | None
) -> None:
    if command.command_id is None:
        return
    if (
        replayed is not None
        and ActivationCommand.objects.filter(task_id=task.id, command_id=command.command_id).exists()
    ):
        return
    workset.add_dependents(
        [
            ActivationCommand(
                task_id=task.id,
                command_id=command.command_id,
                body_hash=body_hash,
                execution_id=step.execution_id,
                created_at=workset.time_of(task),
            )
        ]
    )
