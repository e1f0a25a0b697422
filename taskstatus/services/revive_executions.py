"""Take the beats of STALE executions: each is a fact, and makes the execution healthy again once (acceptance H04)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

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
    """How the execution stands after its beat."""

    health: str
    lease_until: datetime | None


def revive_executions(revivals: Sequence[Revival]) -> Mapping[str, Revived]:
    """Take these beats under the locks of their tasks, TASKS_A_TRANSACTION at a time; answers by executionId.

    Left out is whatever another beat or an end overtook: that has to be judged anew.
    """
    in_order = sorted(revivals, key=lambda revival: revival.task_id)
    done: dict[str, Revived] = {}
    for start in range(0, len(in_order), TASKS_A_TRANSACTION):
        done |= _revive(in_order[start : start + TASKS_A_TRANSACTION])
    return done


@use_case
def _revive(revivals: Sequence[Revival]) -> dict[str, Revived]:
    workset = Workset.lock({revival.task_id for revival in revivals})
    heard = {revival.execution_id: _hear(workset, revival) for revival in revivals}
    workset.flush()
    return {execution_id: revived for execution_id, revived in heard.items() if revived is not None}


def _hear(workset: Workset, revival: Revival) -> Revived | None:
    task = workset.tasks.get(revival.task_id)
    step = workset.execution(task, revival.execution_id) if task is not None and is_live(task) else None
    lease = lease_of(step) if step is not None and step.is_current else None
    if task is None or step is None or lease is None or lease.heartbeat_seq >= revival.heartbeat_seq:
        return None
    hear(workset, task, step, revival.heartbeat_seq)
    return Revived(step.health, lease.deadline_at)
