"""Make kept progress a version once its operation's interval is over (ruling 35)."""

import logging
from collections.abc import Sequence
from typing import Final

from django.db.models.functions import Now

from registries.resolver import registry
from taskstatus.models import EventDedup, Step, Task
from taskstatus.services.pending_progress import CLEARED, absorb_pending, pending_report
from taskstatus.services.record_report import Origin, record_report
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset, is_live

BATCH_SIZE: Final = 100

log = logging.getLogger(__name__)


def flush_progress(max_steps: int = 1000) -> int:
    """Flush what is due, in transactions of BATCH_SIZE steps; returns how many steps were looked at.

    Tasks that somebody holds are left to the next time, and not waited for.
    """
    done = 0
    while done < max_steps:
        due = _due_steps()
        if not due:
            break
        if not _flush({task_id for task_id, _ in due}, {step_id for _, step_id in due}):
            break
        done += len(due)
    return done


def _due_steps() -> Sequence[tuple[str, int]]:
    """Tasks and steps whose kept progress is due; read without a lock, decided again under one."""
    due = Step.objects.filter(pending_flush_at__lte=Now()).order_by("pending_flush_at", "pk")
    return list(due.values_list("task_id", "pk")[:BATCH_SIZE])


@use_case
def _flush(task_ids: set[str], step_ids: set[int]) -> int:
    """Flush these steps, as far as nobody holds their tasks; returns how many tasks were free."""
    workset = Workset.lock(task_ids, only_free=True)
    due = [
        (task, step)
        for task in workset.tasks.values()
        for step in workset.steps(task)
        if step.pk in step_ids and step.pending_report is not None
    ]
    used = _used_event_ids(due)
    for task, step in due:
        _flush_step(workset, task, step, is_used=(task.tenant_id, step.pending_event_id) in used)
    workset.flush()
    return len(workset.tasks)


def _used_event_ids(due: Sequence[tuple[Task, Step]]) -> set[tuple[str, str]]:
    """Tenants and eventIds of kept progress that were accepted for something else since."""
    event_ids = {step.pending_event_id for _, step in due}
    tenants = {task.tenant_id for task, _ in due}
    found = EventDedup.objects.filter(tenant_id__in=tenants, event_id__in=event_ids)
    return set(found.values_list("tenant_id", "event_id"))


def _flush_step(workset: Workset, task: Task, step: Step, *, is_used: bool) -> None:
    report, received_at = pending_report(step)
    content_hash = step.pending_payload_hash
    if is_used or not is_live(task) or content_hash is None:
        # Its eventId was accepted for something else meanwhile, or the task has ended: there is no version for it.
        log.warning("kept progress dropped", extra={"eventId": report.event_id, "taskId": task.id})
        workset.change_step(step, CLEARED)
        return
    absorb_pending(workset, step)
    workset.change_step(step, {"progress_versioned_at": workset.time_of(task)})
    operation = registry(task.tenant_id, task.authority_scope).operation(
        step.operation_definition_id, step.operation_code
    )
    record_report(
        workset,
        report,
        task,
        step,
        Origin(step.producer_id or "", content_hash, received_at),
        operation=operation,
    )
