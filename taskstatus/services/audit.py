"""The audit: who overstepped what they may do (source design 7, S07)."""

import logging
from collections.abc import Iterable

from django.db import DatabaseError
from django.utils import timezone

from taskstatus.domain.errors import DomainError, ErrorKind
from taskstatus.models import AuditEntry
from taskstatus.services.report_targets import Caller
from taskstatus.services.unit_of_work import use_case

log = logging.getLogger(__name__)


def audit_violations(caller: Caller, action: str, errors: Iterable[DomainError], object_id: str | None = None) -> None:
    """Log and keep those of the refusals that are violations: what this caller may not do. Never holds a credential.

    Failing to keep them is logged, and is not the caller's problem.
    """
    violations = [error for error in errors if error.kind is ErrorKind.FORBIDDEN]
    if not violations:
        return
    for error in violations:
        log.warning("violation: %s", error.code, extra={"producerId": caller.producer_id, "action": action})
    try:
        _keep([_entry(caller, action, error, object_id) for error in violations])
    except (DomainError, DatabaseError):
        log.warning("violations not kept", exc_info=True)


@use_case
def _keep(entries: list[AuditEntry]) -> None:
    AuditEntry.objects.bulk_create(entries)


def _entry(caller: Caller, action: str, error: DomainError, object_id: str | None) -> AuditEntry:
    return AuditEntry(
        tenant_id=caller.tenant,
        authority_scope=caller.scope,
        actor=caller.producer_id,
        action=action,
        outcome=error.code,
        object_id=object_id,
        detail={"detail": error.detail},
        created_at=timezone.now(),
    )
