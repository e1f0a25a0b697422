"""Refused reports, kept for operators who ask why a task does not move (ruling 17)."""

import logging
from collections.abc import Sequence
from typing import Final

from django.db import DatabaseError
from django.db.models.functions import Now

from taskstatus.commands.events import ReportEvent
from taskstatus.domain.errors import DomainError, ErrorKind
from taskstatus.models import RefusedReport, Task
from taskstatus.services.receipts import Receipt
from taskstatus.services.report_targets import Caller, Target
from taskstatus.services.unit_of_work import use_case

# The sender is told; there is nothing to explain to an operator of the task.
_NOT_KEPT: Final = frozenset({ErrorKind.UNAVAILABLE, ErrorKind.LIMITED})
_MAX_DETAIL: Final = 1000

log = logging.getLogger(__name__)

Judged = tuple[ReportEvent, Target | DomainError, Receipt | DomainError]


def note_refusals(judged: Sequence[Judged], caller: Caller) -> None:
    """Keep what was refused. Failing to do so is logged and never becomes the reporter's problem."""
    refused = [(report, target, outcome) for report, target, outcome in judged if isinstance(outcome, DomainError)]
    kept: dict[str, list[RefusedReport]] = {}
    for report, target, error in refused:
        if isinstance(target, Target) and error.kind not in _NOT_KEPT:
            kept.setdefault(target.task_id, []).append(_row(report, target, error, caller))
    for task_id, rows in sorted(kept.items()):
        try:
            _keep(task_id, rows, caller)
        except (DomainError, DatabaseError):
            log.warning("refusals not kept", exc_info=True, extra={"taskId": task_id})


@use_case
def _keep(task_id: str, rows: Sequence[RefusedReport], caller: Caller) -> None:
    """Count the refusals on the task and put the latest into its ring; another tenant's task has none of ours."""
    tasks = Task.objects.filter(pk=task_id, tenant_id=caller.tenant, authority_scope=caller.scope)
    task = tasks.select_for_update().annotate(db_now=Now()).first()
    if task is None:
        return
    for number, row in enumerate(rows):
        row.slot = (task.refusal_count + number) % RefusedReport.CAPACITY
        row.refused_at = task.db_now
    latest = rows[-RefusedReport.CAPACITY :]
    RefusedReport.objects.filter(task_id=task_id, slot__in=[row.slot for row in latest]).delete()
    RefusedReport.objects.bulk_create(latest)
    tasks.update(refusal_count=task.refusal_count + len(rows))


def _row(report: ReportEvent, target: Target, error: DomainError, caller: Caller) -> RefusedReport:
    return RefusedReport(
        task_id=target.task_id,
        event_id=report.event_id,
        event_type=report.event_type,
        execution_id=target.execution_id,
        producer_id=caller.producer_id,
        code=error.code,
        detail=error.detail[:_MAX_DETAIL],
    )
