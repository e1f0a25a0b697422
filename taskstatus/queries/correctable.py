"""What can be corrected of a task: the attempts that ran, and the codes that an end may show."""

from collections.abc import Sequence
from dataclasses import dataclass

from registries.resolver import registry
from taskstatus.domain.lifecycle import AppliesTo
from taskstatus.models import Step, Task
from taskstatus.projections.context import text_in


@dataclass(frozen=True, slots=True)
class EndCode:
    """A business status that belongs to an end, of tasks or of steps."""

    code: str
    name: str
    lifecycle: str
    scope: AppliesTo


@dataclass(frozen=True, slots=True)
class Correctable:
    """The current attempts that were activated, and every code that an end of the task or of a step may show."""

    steps: Sequence[Step]
    codes: Sequence[EndCode]


def correctable(task: Task, language: str) -> Correctable:
    """What an operator may choose from, the codes with their names in this language."""
    steps = Step.objects.filter(task=task, is_current=True, execution_id__isnull=False).order_by("position", "pk")
    statuses = registry(task.tenant_id, task.authority_scope).status_set(task.task_type, task.status_definition_version)
    codes = [
        EndCode(code, text_in(language, status.display_name) or code, status.lifecycle, scope)
        for code in sorted({*statuses.statuses, *statuses.step_statuses})
        for scope in AppliesTo
        if (status := statuses.get(code, scope)) is not None and status.lifecycle.is_terminal
    ]
    return Correctable(list(steps), codes)
