"""How rows of steps come to be: from a known step, from a registration, and from the attempt before."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from registries.resolver import Registry
from taskstatus.commands.executions import RegisterExecution
from taskstatus.commands.steps import KnownStep
from taskstatus.domain.business_status import new_step_code
from taskstatus.domain.definitions import Operation, StatusSet
from taskstatus.domain.errors import DomainError
from taskstatus.domain.identifiers import dynamic_step_id
from taskstatus.domain.leases import INTERVALS_PER_TIMEOUT, heartbeat_problems
from taskstatus.models import Step, Task

# A caller who names only a longer interval gets a timeout that forgives three lost beats.
_INTERVALS_IN_DERIVED_TIMEOUT: Final = INTERVALS_PER_TIMEOUT + 1

_DECLARED: Final = {
    "operation_definition_version",
    "failure_policy",
    "heartbeat_interval_seconds",
    "heartbeat_timeout_seconds",
    "no_progress_seconds",
    "start_deadline_seconds",
    "stale_escalation_seconds",
}


def known_step(
    part: KnownStep, task: Task, statuses: StatusSet, registry: Registry, position: int, pointer: str
) -> Step:
    """The first row of a step that is known at creation; its operation and producer are judged here.

    `pointer` leads to the step in the request's body.
    """
    step = _new_row(task, statuses, position, task.created_at)
    step.step_id = step.client_step_key = part.step_id
    step.operation_code = part.operation_code
    step.expected_producer = part.expected_producer
    step.display_name = part.display_name
    step.depends_on = list(part.depends_on)
    step.declared = part.model_dump(include=_DECLARED, exclude_none=True)
    bind(step, bound_operation(step, task, registry), pointer)
    return step


def registered_step(
    command: RegisterExecution, task: Task, statuses: StatusSet, registry: Registry, position: int, now: datetime
) -> Step:
    """The row of a step that is registered while the task runs; who may register it is judged elsewhere."""
    step = _new_row(task, statuses, position, now)
    step.step_id = dynamic_step_id(command.client_step_key)
    step.client_step_key = command.client_step_key
    step.attempt = command.attempt
    step.is_dynamic = True
    step.operation_code = command.operation_code
    step.expected_producer = command.producer_id
    step.display_name = command.display_name
    step.declared = command.model_dump(include=_DECLARED, exclude_none=True)
    bind(step, bound_operation(step, task, registry))
    return step


def next_attempt(step: Step, task: Task, statuses: StatusSet, now: datetime) -> Step:
    """A row for the attempt after this one, in the task's current attempt; its version goes on."""
    row = _new_row(task, statuses, step.position, now)
    for name in (
        "step_id", "client_step_key", "is_dynamic", "parent_execution_id", "depth", "expected_producer",
        "registration_hash", "operation_code", "operation_definition_id", "operation_definition_version", "declared",
        "display_name", "depends_on", "failure_policy", "max_attempts", "heartbeat_interval_seconds",
        "heartbeat_timeout_seconds", "no_progress_seconds", "start_deadline_seconds", "stale_escalation_seconds",
    ):  # fmt: skip
        setattr(row, name, getattr(step, name))
    row.attempt = step.attempt + 1 if step.task_attempt == task.attempt else 1
    row.version = step.version + 1
    return row


def bound_operation(step: Step, task: Task, registry: Registry) -> Operation:
    """The operation that the step binds now (ruling 33), with its expected producer judged.

    Raises UNKNOWN_OPERATION, DEFINITION_NOT_FOUND, PRODUCER_MISMATCH.
    """
    operation = registry.bind_operation(
        step.operation_code,
        task.task_type,
        step.declared.get("operation_definition_version"),
        task.operation_definition_version,
    )
    if operation is None:
        raise DomainError("UNKNOWN_OPERATION", f"No definition or profile covers {step.operation_code}.")
    if step.expected_producer is not None and not operation.allows_producer(step.expected_producer):
        raise DomainError("PRODUCER_MISMATCH", f"{step.operation_code} may not be executed by this producer.")
    return operation


def bind(step: Step, operation: Operation, pointer: str = "") -> None:
    """Take from the operation what the step's declaration leaves open (ruling 38).

    Raises INVALID_FIELD, below `pointer`, where what is declared and what the operation says don't go together.
    """
    declared = step.declared
    step.operation_definition_id = operation.definition_id
    step.operation_definition_version = None if operation.definition_id is None else operation.version
    step.failure_policy = declared.get("failure_policy") or operation.failure_policy
    step.max_attempts = operation.max_attempts
    step.heartbeat_interval_seconds, step.heartbeat_timeout_seconds = _heartbeat(declared, operation, pointer)
    step.no_progress_seconds = declared.get("no_progress_seconds", operation.no_progress_seconds)
    step.start_deadline_seconds = declared.get("start_deadline_seconds", operation.start_deadline_seconds)
    step.stale_escalation_seconds = declared.get("stale_escalation_seconds", operation.stale_escalation_seconds)


def _heartbeat(declared: Mapping[str, Any], operation: Operation, pointer: str) -> tuple[int, int]:
    interval = declared.get("heartbeat_interval_seconds", operation.heartbeat_interval_seconds)
    timeout = declared.get("heartbeat_timeout_seconds")
    if timeout is None:
        timeout = operation.heartbeat_timeout_seconds
        if "heartbeat_interval_seconds" in declared:
            timeout = max(timeout, _INTERVALS_IN_DERIVED_TIMEOUT * interval)
    problems = heartbeat_problems(interval, timeout, pointer)
    if problems:
        raise DomainError("INVALID_FIELD", "Interval and timeout of the heartbeat don't fit.", errors=problems)
    return interval, timeout


def _new_row(task: Task, statuses: StatusSet, position: int, now: datetime) -> Step:
    return Step(
        task=task,
        task_attempt=task.attempt,
        position=position,
        business_status=new_step_code(statuses),
        created_at=now,
        updated_at=now,
    )
