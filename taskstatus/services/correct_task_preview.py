"""A correction before it is made: what is, and what would be."""

from collections.abc import Mapping
from dataclasses import dataclass

from registries.actors import Actor
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.versions import Version
from taskstatus.models import Step, Task
from taskstatus.queries.access import task_not_found
from taskstatus.queries.aggregates import with_steps
from taskstatus.queries.clock import READINGS, reading
from taskstatus.queries.task_browser import reached_task
from taskstatus.services.correct_task_decision import decide_correction
from taskstatus.services.workset import is_live


@dataclass(frozen=True, slots=True)
class Preview:
    """What was and what would be, by the names that the log has; `seen` is the ETag of the version that was looked at.

    `fenced` are the running executions whose reports would count no more.
    """

    task: Task
    step: Step | None
    old: Mapping[str, object]
    new: Mapping[str, object]
    seen: str
    fenced: tuple[str, ...]


def preview_correction(task_id: str, command: CorrectTask, actor: Actor) -> Preview:
    """Show what the correction would make of the task as it is now; nothing is written, whatever was seen before.

    Raises TASK_NOT_FOUND, and what `decide_correction` refuses.
    """
    reached_task(task_id, actor.tenant)
    found = with_steps(Task.objects.filter(pk=task_id).annotate(**READINGS))
    if not found:
        raise task_not_found()
    task, steps = found[0].task, found[0].steps
    decision = decide_correction(command, task, steps, reading(task, "db_now"))
    concerned = [] if not is_live(task) else steps if decision.step is None else [decision.step]
    return Preview(
        task,
        decision.step,
        decision.correction.old,
        decision.correction.new,
        Version(reading(task, "db_epoch"), task.version).etag,
        tuple(step.execution_id for step in concerned if step.execution_id is not None and is_live(step)),
    )
