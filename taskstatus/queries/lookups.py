"""Finding things by the names that others have for them (protocol 4.1)."""

from typing import Any

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.principals import Service
from taskstatus.models import EventDedup, ExternalRef
from taskstatus.projections.task_summary import Json
from taskstatus.queries.clock import read_epoch

_READS_ALL = frozenset({Role.BUSINESS, Role.COORDINATOR})


def task_of_external_ref(ref_type: str, ref_value: str, caller: Service) -> Json:
    """The task that this outside number names in the caller's scope; raises TASK_NOT_FOUND."""
    ref = (
        ExternalRef.objects.filter(
            tenant_id=caller.tenant, authority_scope=caller.scope, ref_type=ref_type, ref_value=ref_value
        )
        .select_related("task")
        .first()
    )
    if ref is None:
        raise DomainError("TASK_NOT_FOUND", "No task has this number.")
    return {"taskId": ref.task_id, "workflowId": ref.task.workflow_id, "epoch": str(read_epoch())}


def first_receipt(event_id: str, caller: Service) -> dict[str, Any]:
    """The receipt first given for an event of the caller's scope; a mere worker sees its own events' only.

    Raises EVENT_NOT_FOUND.
    """
    events = EventDedup.objects.filter(tenant_id=caller.tenant, event_id=event_id, authority_scope=caller.scope)
    if caller.roles.isdisjoint(_READS_ALL):
        events = events.filter(producer_id=caller.producer_id)
    event = events.first()
    if event is None:
        raise DomainError("EVENT_NOT_FOUND", "No such event was accepted.")
    receipt: dict[str, Any] = event.result
    return receipt
