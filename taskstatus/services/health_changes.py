"""A change of an execution's health that the service itself finds: one event, one version (protocol 4.4)."""

from typing import Final

from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.health import HealthState, after_beat, health_columns
from taskstatus.domain.lifecycle import EventType, Health
from taskstatus.models import Step, Task
from taskstatus.services.changes import Change
from taskstatus.services.pending_progress import with_pending_progress
from taskstatus.services.service_events import service_event_id
from taskstatus.services.workset import Workset

RECONCILER: Final = "task-status-reconciler"


def change_health(workset: Workset, task: Task, step: Step, state: HealthState) -> None:
    """Bring the step into this state, which it is not in, as a version of its own."""
    workset.change_step(step, health_columns(step, state, workset.time_of(task)))
    workset.record(_change(task, step))


def escalate(workset: Workset, task: Task, step: Step) -> None:
    """Tell once more, louder, of an execution that has been STALE for long: nothing else changes."""
    workset.change_step(step, {"stale_escalated_at": workset.time_of(task)})
    workset.record(_change(task, step, NoticeType.TASK_STALE))


def hear(workset: Workset, task: Task, step: Step, heartbeat_seq: int) -> None:
    """Take a running execution's beat; one that was STALE is so no longer (acceptance H04)."""
    workset.beat(step, heartbeat_seq)
    if step.health == Health.STALE:
        change_health(workset, task, step, after_beat(with_pending_progress(step), task, workset.time_of(task)))


def _change(task: Task, step: Step, notice: NoticeType | None = None) -> Change:
    return Change(task, EventType.STEP_HEALTH_CHANGED, service_event_id(), RECONCILER, step=step, notice=notice)
