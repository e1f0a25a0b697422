"""Corrections as an operator of acme makes them, who has just looked at the task."""

from typing import Any, Final

from registries.actors import Actor
from taskstatus.commands.corrections import CorrectTask
from taskstatus.models import Task
from taskstatus.services.correct_task import correct_task

OLGA: Final = Actor("olga", "acme")
REASON: Final = "The worker's host burned down; the pages were counted by hand."


def stated(task_id: str, lifecycle: str = "SUCCEEDED", **members: Any) -> CorrectTask:
    """The command of somebody who sees the task as it is, unless members say otherwise."""
    seen = f'"task-version-{Task.objects.get(pk=task_id).version}"'
    return CorrectTask.read({"seen": seen, "lifecycleStatus": lifecycle, "reason": REASON, **members})


def correct(task_id: str, lifecycle: str = "SUCCEEDED", actor: Actor = OLGA, **members: Any) -> int:
    """Correct the task, or the step that `stepId` names; the version that it became."""
    return correct_task(task_id, stated(task_id, lifecycle, **members), actor)
