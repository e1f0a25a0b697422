"""What a correction would make of a task as it stands; asked for its preview, and again under the task's lock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from registries.resolver import registry
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.corrections import Correction, correct_step, correct_task
from taskstatus.domain.errors import DomainError
from taskstatus.models import Step, Task


@dataclass(frozen=True, slots=True)
class Decision:
    """The correction, and the step that it is about, if it is about one."""

    correction: Correction
    step: Step | None


def decide_correction(command: CorrectTask, task: Task, steps: Sequence[Step], now: datetime) -> Decision:
    """Judge the correction of a task with these current steps.

    Raises STEP_NOT_REGISTERED, ILLEGAL_TRANSITION, INVALID_FIELD, UNKNOWN_BUSINESS_STATUS, STATUS_NOT_REACHABLE.
    """
    reg = registry(task.tenant_id, task.authority_scope)
    statuses = reg.status_set(task.task_type, task.status_definition_version)
    if command.step_id is None:
        return Decision(correct_task(command, task, statuses, now), None)
    step = next((step for step in steps if step.step_id == command.step_id), None)
    if step is None:
        raise DomainError("STEP_NOT_REGISTERED", "The task has no such step.")
    others = [other for other in steps if other is not step]
    operation = reg.operation(step.operation_definition_id, step.operation_code)
    return Decision(correct_step(command, step, task, others, (statuses, operation), now), step)
