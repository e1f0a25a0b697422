"""Take the beats of STALE executions: each is a fact, and makes the execution healthy again once (acceptance H04)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from taskstatus.domain.beats import BeatReason
from taskstatus.domain.lifecycle import Health
from taskstatus.models import Step, Task
from taskstatus.projections.task_detail import lease_of
from taskstatus.services.health_changes import hear
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset, is_live

TASKS_A_TRANSACTION: Final = 50


@dataclass(frozen=True, slots=True)
class Revival:
    """The highest beat of an execution that was found STALE."""

    task_id: str
    execution_id: str
    heartbeat_seq: int


@dataclass(frozen=True, slots=True)
class Revived:
    """How the execution stands after its beat; `reason` says why it can't be revived, where it has ended meanwhile."""

    health: str
    lease_until: datetime | None
    reason: BeatReason | None = None


def revive_executions(revivals: Sequence[Revival]) -> Mapping[str, Revived]:
    """Take these beats under the locks of their tasks, TASKS_A_TRANSACTION at a time; answers by executionId."""
    in_order = sorted(revivals, key=lambda revival: revival.task_id)
    done: dict[str, Revived] = {}
    for start in range(0, len(in_order), TASKS_A_TRANSACTION):
        done |= _revive(in_order[start : start + TASKS_A_TRANSACTION])
    return done


@use_case
def _revive(revivals: Sequence[Revival]) -> dict[str, Revived]:
    workset = Workset.lock({revival.task_id for revival in revivals})
    done = {revival.execution_id: _hear(workset, revival) for revival in revivals}
    workset.flush()
    return done


def _hear(workset: Workset, revival: Revival) -> Revived:
    task = workset.tasks.get(revival.task_id)
    step = workset.execution(task, revival.execution_id) if task is not None else None
    if task is None or step is None:
        return Revived(Health.STALE, None, BeatReason.STALE_EXECUTION)
    reason = _refusal(task, step)
    lease = lease_of(step)
    if reason is None and lease is not None and lease.heartbeat_seq < revival.heartbeat_seq:
        hear(workset, task, step, revival.heartbeat_seq)
    return Revived(step.health, lease.deadline_at if lease else None, reason)


def _refusal(task: Task, step: Step) -> BeatReason | None:
    """Why the execution that was STALE a moment ago can't be renewed any more, if so."""
    if not is_live(task) or not is_live(step):
        return BeatReason.TERMINAL_STATE
    return BeatReason.NOT_RUNNING if lease_of(step) is None else None
