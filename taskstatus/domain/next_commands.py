"""What may be done next with a task, by whom: read off the state machine, for operators who ask (ruling 17)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from taskstatus.domain.lifecycle import EventType, Lifecycle
from taskstatus.domain.situation import ExplainedStep, ExplainedTask
from taskstatus.domain.state_machine import STEP_TRANSITIONS, TASK_TRANSITIONS


class Actor(StrEnum):
    """Who may."""

    COORDINATOR = "COORDINATOR"
    WORKER = "WORKER"


@dataclass(frozen=True, slots=True)
class NextCommand:
    """One thing that may come next: the event, or the path's verb, and its step where it is about one."""

    actor: Actor
    command: str
    step: ExplainedStep | None = None


def next_commands(task: ExplainedTask, steps: Sequence[ExplainedStep]) -> list[NextCommand]:
    """What the task's coordinator and its workers may do now; rights, definitions and limits are judged later."""
    lifecycle = Lifecycle(task.lifecycle_status)
    if lifecycle.is_terminal:
        return [NextCommand(Actor.COORDINATOR, ":retry")]
    ends = [kind for kind, before in TASK_TRANSITIONS if before is lifecycle]
    of_task = [NextCommand(Actor.COORDINATOR, kind.value) for kind in (EventType.TASK_STATUS_CHANGED, *ends)]
    return [*(one for step in steps for one in _of_step(step)), *of_task]


def _of_step(step: ExplainedStep) -> Iterator[NextCommand]:
    lifecycle = Lifecycle(step.lifecycle_status)
    if step.execution_id is None:
        yield NextCommand(Actor.COORDINATOR, ":activate", step)
        return
    if step.attempt < step.max_attempts:
        command = ":activate" if lifecycle.is_terminal else ":activate supersede=true"
        yield NextCommand(Actor.COORDINATOR, command, step)
    for kind, before in STEP_TRANSITIONS:
        if before is lifecycle and kind is not EventType.STEP_HEALTH_CHANGED:
            yield NextCommand(Actor.WORKER, kind.value, step)
