"""Rows 2 and the beginning of 3: what each report is about, and by which right it speaks (protocol 4.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils import timezone

from taskstatus.commands.events import ReportEvent
from taskstatus.domain.errors import DomainError, invalid_field
from taskstatus.domain.lifecycle import EventType, Role
from taskstatus.identity.handles import hash_handle
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.models import Step
from taskstatus.queries.known_handles import KnownHandle, handles_of

Caller = Service | ExecutionClaims


class Right(StrEnum):
    """By which right a report speaks."""

    WORKER = "WORKER"
    HEALTH = "HEALTH"
    TASK = "TASK"


@dataclass(frozen=True, slots=True)
class Target:
    """A report with the task, and for step events the execution, that its credential leads to."""

    report: ReportEvent
    caller: Caller
    right: Right
    task_id: str
    execution_id: str | None = None
    generation: int | None = None


@dataclass(frozen=True, slots=True)
class Lookups:
    """What the database knows of the handles and executions that some reports name."""

    handles: dict[str, KnownHandle]
    task_of_execution: dict[str, str]


def resolve(
    reports: Sequence[ReportEvent], caller: Caller, idempotency_key: str | None = None
) -> list[Target | DomainError]:
    """Find what every report is about, without a lock; a refusal takes only its own report's place."""
    refused = [_refusal_of(report, caller, idempotency_key) for report in reports]
    lookups = _look_up([r for r, error in zip(reports, refused, strict=True) if error is None], caller)
    return [error or _target(report, caller, lookups) for report, error in zip(reports, refused, strict=True)]


def _refusal_of(report: ReportEvent, caller: Caller, idempotency_key: str | None) -> DomainError | None:
    try:
        _require_role(report, caller)
        _require_key(report, idempotency_key)
        _require_credential(report, caller)
    except DomainError as error:
        return error
    return None


def _require_role(report: ReportEvent, caller: Caller) -> None:
    if isinstance(caller, ExecutionClaims):
        return
    if report.kind.is_task_event:
        caller.require(Role.COORDINATOR, Role.WORKER)
    elif report.kind is EventType.STEP_HEALTH_CHANGED:
        caller.require(Role.HEALTH, Role.WORKER)
    else:
        caller.require(Role.WORKER)


def _require_key(report: ReportEvent, idempotency_key: str | None) -> None:
    if idempotency_key not in (None, report.event_id):
        raise DomainError("IDEMPOTENCY_KEY_MISMATCH", "Idempotency-Key has to equal eventId.")


def _require_credential(report: ReportEvent, caller: Caller) -> None:
    if isinstance(caller, ExecutionClaims) or report.kind.is_task_event:
        return
    if _speaks_of_health(report, caller):
        if report.execution_id is None:
            raise invalid_field("/executionId", "A health report has to name the execution.")
    elif report.execution_handle is None:
        raise DomainError("TOKEN_MISSING", "A step event needs an execution token, or a handle beside a service token.")


def _speaks_of_health(report: ReportEvent, caller: Service) -> bool:
    return report.kind is EventType.STEP_HEALTH_CHANGED and Role.HEALTH in caller.roles


def _look_up(reports: Sequence[ReportEvent], caller: Caller) -> Lookups:
    hashes = {hash_handle(r.execution_handle) for r in reports if r.execution_handle is not None}
    named: set[str] = set()
    if isinstance(caller, Service):
        named = {r.execution_id for r in reports if r.execution_id is not None and _speaks_of_health(r, caller)}
    return Lookups(handles_of(hashes), _tasks_of(named))


def _tasks_of(execution_ids: Iterable[str]) -> dict[str, str]:
    wanted = sorted(execution_ids)
    if not wanted:
        return {}
    return dict(Step.objects.filter(execution_id__in=wanted).values_list("execution_id", "task_id"))


def _target(report: ReportEvent, caller: Caller, lookups: Lookups) -> Target | DomainError:
    try:
        if isinstance(caller, ExecutionClaims):
            return _token_target(report, caller, lookups)
        if report.kind.is_task_event:
            return Target(report, caller, Right.TASK, report.task_id or "")
        if _speaks_of_health(report, caller):
            return _health_target(report, caller, lookups)
        return _handle_target(report, caller, lookups)
    except DomainError as error:
        return error


def _token_target(report: ReportEvent, claims: ExecutionClaims, lookups: Lookups) -> Target:
    if report.execution_handle is not None:
        handle = lookups.handles.get(hash_handle(report.execution_handle))
        if handle is None or handle.execution_id != claims.execution_id:
            raise _invalid_handle()
    return Target(report, claims, Right.WORKER, claims.task_id, claims.execution_id, claims.generation)


def _health_target(report: ReportEvent, caller: Service, lookups: Lookups) -> Target:
    task_id = lookups.task_of_execution.get(report.execution_id or "")
    if task_id is None:
        raise DomainError("EXECUTION_NOT_FOUND", "There is no such execution.")
    return Target(report, caller, Right.HEALTH, task_id, report.execution_id)


def _handle_target(report: ReportEvent, caller: Service, lookups: Lookups) -> Target:
    handle = lookups.handles.get(hash_handle(report.execution_handle or ""))
    if handle is None or (handle.tenant_id, handle.authority_scope) != (caller.tenant, caller.scope):
        raise _invalid_handle()
    if handle.expires_at <= timezone.now():
        raise DomainError("HANDLE_EXPIRED", "The execution handle has expired; ask :renew for another.")
    return Target(report, caller, Right.WORKER, handle.task_id, handle.execution_id, handle.generation)


def _invalid_handle() -> DomainError:
    return DomainError("TOKEN_INVALID", "There is no such execution handle.")
