"""The audit: who overstepped what they may do, and what operators did (source design 7, S07, S13)."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.db import DatabaseError
from django.utils import timezone

from taskstatus.domain.errors import DomainError, ErrorKind
from taskstatus.identity.principals import User
from taskstatus.models import AuditEntry, Task
from taskstatus.services.report_targets import Caller
from taskstatus.services.unit_of_work import use_case

# Django's user names may be longer than what the column takes.
_MAX_ACTOR: Final = 64

log = logging.getLogger(__name__)


def audit_violations(
    caller: Caller | User, action: str, errors: Iterable[DomainError], object_id: str | None = None
) -> None:
    """Log and keep those of the refusals that are violations: what this caller may not do. Never holds a credential.

    Failing to keep them is logged, and is not the caller's problem.
    """
    violations = [error for error in errors if error.kind is ErrorKind.FORBIDDEN]
    if not violations:
        return
    who = {"userId": caller.user_id} if isinstance(caller, User) else {"producerId": caller.producer_id}
    for error in violations:
        log.warning("violation: %s", error.code, extra={**who, "action": action})
    try:
        _keep([_entry(caller, action, error, object_id) for error in violations])
    except (DomainError, DatabaseError):
        log.warning("violations not kept", exc_info=True)


@use_case
def _keep(entries: list[AuditEntry]) -> None:
    AuditEntry.objects.bulk_create(entries)


def _entry(caller: Caller | User, action: str, error: DomainError, object_id: str | None) -> AuditEntry:
    # A user is bound by a tenant and by grants, and by no scope.
    scope, actor = (None, caller.user_id) if isinstance(caller, User) else (caller.scope, caller.producer_id)
    return AuditEntry(
        tenant_id=caller.tenant,
        authority_scope=scope,
        actor=actor,
        action=action,
        outcome=error.code,
        object_id=object_id,
        detail={"detail": error.detail},
        created_at=timezone.now(),
    )


def operator_entry(
    task: Task,
    actor: str,
    action: str,
    at: datetime,
    detail: Mapping[str, object] | None = None,
    *,
    object_id: str | None = None,
) -> AuditEntry:
    """What an operator did about this task or, with `object_id`, about something of it; not yet written."""
    return AuditEntry(
        tenant_id=task.tenant_id,
        authority_scope=task.authority_scope,
        actor=actor[:_MAX_ACTOR],
        action=action,
        outcome="DONE",
        object_id=object_id or task.id,
        detail=dict(detail or {}),
        created_at=at,
    )
