"""Take a coordinator's word about a whole workflow (protocol 4.1)."""

from typing import Any, Final

from taskstatus.commands.tasks import ReportWorkflowEvent
from taskstatus.domain.errors import DomainError
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import Lifecycle, WorkflowEventType
from taskstatus.identity.principals import Service
from taskstatus.models import EventDedup, Workflow
from taskstatus.services.dedup import known_event
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workflow_changes import lock_workflow, record_workflow
from taskstatus.services.workset import is_live

_ENDS: Final = {
    WorkflowEventType.WORKFLOW_COMPLETED: Lifecycle.SUCCEEDED,
    WorkflowEventType.WORKFLOW_FAILED: Lifecycle.FAILED,
    WorkflowEventType.WORKFLOW_CANCELLED: Lifecycle.CANCELLED,
}


@use_case
def report_workflow_event(workflow_id: str, command: ReportWorkflowEvent, caller: Service) -> dict[str, Any]:
    """Apply the event once and return its receipt; the same eventId and content gets the first one again.

    Raises WORKFLOW_NOT_FOUND, EVENT_ID_REUSED, TERMINAL_STATE, WORKFLOW_SEALED (sealed already).
    """
    workflow, now, epoch = lock_workflow(workflow_id, caller)
    content_hash = payload_hash({"event": command.canonical(), "workflow": workflow.id, "producer": caller.producer_id})
    known = known_event(caller.tenant, command.event_id, content_hash)
    if known is not None:
        return {**known.result, "duplicate": True}
    _apply(workflow, command)
    if not is_live(workflow):
        workflow.finished_at = now
    payload = {"title": command.title, "reason": command.reason}
    record_workflow(workflow, now, epoch, command.event_type, caller.producer_id, payload, event_id=command.event_id)
    receipt = {
        "accepted": True,
        "duplicate": False,
        "workflowVersion": str(workflow.version),
        "epoch": str(epoch),
        "lifecycleStatus": workflow.lifecycle_status,
    }
    EventDedup.objects.create(
        tenant_id=caller.tenant,
        event_id=command.event_id,
        authority_scope=caller.scope,
        producer_id=caller.producer_id,
        aggregate_id=workflow.id,
        payload_hash=content_hash,
        result=receipt,
        created_at=workflow.updated_at,
    )
    return receipt


def _apply(workflow: Workflow, command: ReportWorkflowEvent) -> None:
    if not is_live(workflow):
        raise DomainError("TERMINAL_STATE", "The workflow has already ended.")
    event_type = WorkflowEventType(command.event_type)
    if event_type is WorkflowEventType.WORKFLOW_SEALED:
        if workflow.sealed:
            raise DomainError("WORKFLOW_SEALED", "The workflow is sealed already.")
        workflow.sealed = True
    elif event_type is WorkflowEventType.WORKFLOW_RETITLED:
        workflow.title = command.title or workflow.title
    else:
        workflow.lifecycle_status = _ENDS[event_type]
        workflow.end_reason = command.reason
