"""Accept reported events, one or many: the one path by which a report becomes a fact (design/architecture).

One report takes the same way as many. They are taken in the order given, in chunks of one transaction each; a report
that is refused changes nothing and concerns no other.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from taskstatus.commands.events import ReportEvent
from taskstatus.domain.errors import DomainError
from taskstatus.services.judge_step_report import judge_step_report
from taskstatus.services.judge_task_report import judge_task_report
from taskstatus.services.locked_rows import EventIds
from taskstatus.services.receipts import Receipt
from taskstatus.services.refusals import note_refusals
from taskstatus.services.report_targets import Caller, Right, Target, resolve
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset

# Bounds how long locks are held, and the memory of the largest batch.
CHUNK_SIZE: Final = 100

Outcome = Receipt | DomainError


def accept_event(report: ReportEvent, caller: Caller, idempotency_key: str | None = None) -> Receipt:
    """Accept one report and return its receipt; raises its refusal (protocol 4.3, rows 2 to 10)."""
    (outcome,) = accept_events([report], caller, idempotency_key)
    if isinstance(outcome, DomainError):
        raise outcome
    return outcome


def accept_events(reports: Sequence[ReportEvent], caller: Caller, idempotency_key: str | None = None) -> list[Outcome]:
    """The receipt or the refusal of every report, in the order given."""
    outcomes: list[Outcome] = []
    for chunk in _chunks(reports):
        outcomes.extend(_accept_chunk(chunk, caller, idempotency_key))
    return outcomes


def _chunks(reports: Sequence[ReportEvent]) -> Iterator[Sequence[ReportEvent]]:
    for start in range(0, len(reports), CHUNK_SIZE):
        yield reports[start : start + CHUNK_SIZE]


def _accept_chunk(reports: Sequence[ReportEvent], caller: Caller, idempotency_key: str | None) -> list[Outcome]:
    resolved = resolve(reports, caller, idempotency_key)
    targets = [target for target in resolved if isinstance(target, Target)]
    try:
        judged = iter(_apply(targets, caller.tenant) if targets else [])
    except DomainError as busy:
        judged = iter([busy] * len(targets))
    outcomes = [target if isinstance(target, DomainError) else next(judged) for target in resolved]
    note_refusals(list(zip(reports, resolved, outcomes, strict=True)), caller)
    return outcomes


@use_case
def _apply(targets: Sequence[Target], tenant: str) -> list[Outcome]:
    """Judge the chunk's reports under the locks of their tasks and write what was accepted."""
    workset = Workset.lock(
        (target.task_id for target in targets),
        execution_ids=[target.execution_id for target in targets if target.execution_id is not None],
        events=EventIds(tenant, {target.report.event_id for target in targets}),
    )
    outcomes = [_judge(target, workset) for target in targets]
    workset.flush()
    return outcomes


def _judge(target: Target, workset: Workset) -> Outcome:
    judge = judge_task_report if target.right is Right.TASK else judge_step_report
    try:
        _require_own_scope(target)
        return judge(target, workset)
    except DomainError as refusal:
        return refusal


def _require_own_scope(target: Target) -> None:
    report, caller = target.report, target.caller
    if report.tenant_id not in (None, caller.tenant) or report.authority_scope not in (None, caller.scope):
        raise DomainError("SCOPE_MISMATCH", "tenantId and authorityScope have to be the caller's own.")
