"""Find executions that fell silent, stuck, late or over time, and say so once (rulings 15, 29, 45).

What is due is read by index and without a lock; whether it still holds is decided under the task's lock. Any number of
reconcilers may run at once: they take the due ones in different orders, and whoever comes second finds nothing to do.
"""

import logging
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from taskstatus.domain.errors import DomainError
from taskstatus.domain.judgement import Verdict, is_overdue, judge, later_deadline
from taskstatus.domain.outages import Outage
from taskstatus.domain.overdue import next_look
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.models import ExecutionLease, Step, Task
from taskstatus.projections.task_detail import lease_of
from taskstatus.queries.due_health import overdue_leases, tasks_of_due_steps
from taskstatus.queries.packets import send
from taskstatus.services.bulk_update import update
from taskstatus.services.column_values import utc_text
from taskstatus.services.health_changes import change_health, escalate
from taskstatus.services.pending_progress import with_pending_progress
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.watch_outages import Watch, keep_watch
from taskstatus.services.workset import Workset, is_live

# Of one reading; what is left is read again until nothing is, or the pass has done its share.
READ_AT_ONCE: Final = 1_000
TASKS_A_TRANSACTION: Final = 50
MAX_READINGS: Final = 10

log = logging.getLogger(__name__)


@dataclass(slots=True)
class HealthPass:
    """What one pass of the reconciler did; the tasks that `failed` are for the log to explain."""

    is_deaf: bool = False
    graced: int = 0
    looked_at: int = 0
    changed: int = 0
    failed: int = 0


def reconcile_health() -> HealthPass:
    """Look at every execution that is due, in bounded batches; an outage of our own is no silence of theirs.

    While nobody takes reports nothing is judged at all.
    """
    done = HealthPass()
    for _ in range(MAX_READINGS):
        watch = _look_around(done)
        if watch.is_deaf or not _one_reading(done, watch):
            break
    return done


def reconcile_tasks(task_ids: Iterable[str]) -> HealthPass:
    """Look at the current executions of these tasks at once, as a pass would that found them due.

    Raises DATABASE_BUSY where somebody holds one of them for long; others may have been judged before.
    """
    done = HealthPass()
    for some in _chunks(set(task_ids)):
        _judge_some(some, _look_around(done), done, waits=True)
    return done


def _look_around(done: HealthPass) -> Watch:
    """Keep watch. That is done all through a pass: a long one is no absence, and an outage in it no silence."""
    watch = keep_watch()
    done.is_deaf = watch.is_deaf
    if watch.found is not None and watch.is_news:
        began, ended = watch.found.began_at, watch.found.ended_at
        moments = {"outageBeganAt": format_utc_millis(began), "outageEndedAt": ended and format_utc_millis(ended)}
        log.warning("the service did not hear or judge for a time", extra=moments)
    return watch


def _one_reading(done: HealthPass, watch: Watch) -> bool:
    """Look at up to READ_AT_ONCE of each kind; returns whether there may be more."""
    leases = overdue_leases(READ_AT_ONCE)
    later = [(one, until) for one in leases if (until := later_deadline(one, watch.ended)) and until > watch.now]
    spared = {lease.pk for lease, _ in later}
    graced = [(lease, until) for lease, until in later if is_overdue(lease, watch.now)]
    lagging = [(lease, until) for lease, until in later if not is_overdue(lease, watch.now)]
    if lagging:
        _postpone(lagging)
    if graced:
        done.graced += _postpone(graced)
    of_steps = tasks_of_due_steps(READ_AT_ONCE)
    task_ids = {*of_steps, *(lease.task_id for lease in leases if lease.pk not in spared)}
    for some in _chunks(task_ids):
        _judge_some(some, _look_around(done), done)
    return READ_AT_ONCE in (len(leases), len(of_steps))


def _chunks(task_ids: Iterable[str]) -> list[list[str]]:
    """The tasks in groups for a transaction each, in an order that no other reconciler has."""
    ids = sorted(task_ids)
    groups = [ids[start : start + TASKS_A_TRANSACTION] for start in range(0, len(ids), TASKS_A_TRANSACTION)]
    random.shuffle(groups)
    return groups


@use_case
def _postpone(later: Sequence[tuple[ExecutionLease, datetime]]) -> int:
    """Give these leases their later deadlines, each only while it has the one that was read; returns how many."""
    # Beats take leases in this order too.
    in_order = sorted(later, key=lambda pair: pair[0].pk)
    guards = [utc_text(lease.deadline_at) for lease, _ in in_order]
    for lease, until in in_order:
        lease.deadline_at = until
    statement = update([lease for lease, _ in in_order], ("deadline_at",), "deadline_at", guards)
    return sum(answer.count for answer in send([statement] if statement else []))


def _judge_some(task_ids: Sequence[str], watch: Watch, done: HealthPass, *, waits: bool = False) -> None:
    """Judge these tasks. One that somebody holds is left to the next pass, or waited for: then DATABASE_BUSY is raised.

    Where one of them can't be judged at all the others are, each by itself.
    """
    if watch.is_deaf:
        return
    try:
        done.changed += _judge(task_ids, watch, waits=waits)
    except Exception as error:
        code = error.code if isinstance(error, DomainError) else None
        if code == "DATABASE_UNAVAILABLE" or (code == "DATABASE_BUSY" and waits):
            raise
        if code == "DATABASE_BUSY":
            log.warning("tasks are locked for long, health not judged", extra={"tasks": len(task_ids)})
        elif len(task_ids) == 1:
            done.failed += 1
            log.exception("a task's health can't be judged", extra={"taskId": task_ids[0]})
        else:
            for task_id in task_ids:
                _judge_some([task_id], _look_around(done), done, waits=waits)
            return
    done.looked_at += len(task_ids)


@use_case
def _judge(task_ids: Sequence[str], watch: Watch, *, waits: bool) -> int:
    """Decide again about every current step of these tasks, under their locks; returns how many versions that made.

    A pass doesn't wait: a task that is held for long would keep it from all others, and its absence would excuse them.
    """
    workset = Workset.lock(task_ids, only_free=not waits)
    if workset.tasks and not watch.holds(workset.now):
        return 0  # this process or the database stood still meanwhile: the next look says what that means
    changed = 0
    for task in workset.tasks.values():
        for step in workset.steps(task):
            if is_live(task) and _judge_step(workset, task, step, watch.ended):
                changed += 1
            else:
                _wait_on(workset, task, step)
    workset.flush()
    return changed


def _wait_on(workset: Workset, task: Task, step: Step) -> None:
    """Come back when the next clock runs out, progress included that is no version yet."""
    workset.wait_on(task, step)
    if is_live(task):
        step.health_due_at = next_look(with_pending_progress(step), task)


def _judge_step(workset: Workset, task: Task, step: Step, outages: Sequence[Outage]) -> bool:
    """Record what the clock says of the step, if that is news; progress counts that is no version yet."""
    judgement = judge(with_pending_progress(step), task, lease_of(step), outages, workset.time_of(task))
    if judgement.verdict is Verdict.ESCALATE:
        escalate(workset, task, step)
    elif judgement.verdict is Verdict.CHANGE:
        change_health(workset, task, step, judgement.state)
    return judgement.verdict in (Verdict.ESCALATE, Verdict.CHANGE)
