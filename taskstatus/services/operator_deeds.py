"""What an operator may do about a task that does not move, each on record with who did it (acceptance O06, S13)."""

from collections.abc import Sequence

from django.utils import timezone

from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.relay import dead_letters
from taskstatus.models import AuditEntry, Task
from taskstatus.queries.unpublished import left_messages
from taskstatus.services.audit import operator_entry
from taskstatus.services.reconcile_health import HealthPass, reconcile_tasks
from taskstatus.services.unit_of_work import use_case

RECONCILE = "RECONCILE_TASK"
REQUEUE = "REQUEUE_MESSAGES"


def reconcile_for(task: Task, actor: str) -> HealthPass:
    """Judge the task's executions now, as the reconciler would that found them due."""
    done = reconcile_tasks([task.id])
    detail = {"changed": done.changed, "isDeaf": done.is_deaf}
    _note(operator_entry(task, actor, RECONCILE, timezone.now(), detail))
    return done


def requeue_for(task: Task, actor: str) -> int:
    """Let the task's messages that were given up wait again, with all their tries; returns how many.

    Who did it is kept in the same transaction, or nothing happens.
    """
    messages = left_messages({task.id}).by_task.get(task.id, ())

    def record(rows: Sequence[OutboxMessage]) -> None:
        errors = {str(row.pk): row.last_error for row in rows}
        if rows:
            entry = operator_entry(task, actor, REQUEUE, timezone.now(), {"messages": errors})
            AuditEntry.objects.bulk_create([entry])

    return dead_letters.requeue([one.pk for one in messages if one.status == Status.DEAD], record)


@use_case
def _note(entry: AuditEntry) -> None:
    AuditEntry.objects.bulk_create([entry])
