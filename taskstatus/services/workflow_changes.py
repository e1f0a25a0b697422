"""What every fact about a workflow writes: its version, its log row, its summaries."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from outbox.enqueue import Outgoing, enqueue
from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import Service
from taskstatus.models import Workflow, WorkflowEvent
from taskstatus.projections.fanout import workflow_messages
from taskstatus.queries.clock import READINGS, reading
from taskstatus.queries.counts import count_for_push
from taskstatus.services.service_events import service_event_id
from taskstatus.services.writes import Writes

_COLUMNS = (
    "version",
    "updated_at",
    "title",
    "sealed",
    "lifecycle_status",
    "task_count",
    "end_reason",
    "started_at",
    "finished_at",
)


def lock_workflow(workflow_id: str, caller: Service) -> tuple[Workflow, datetime, int]:
    """The workflow under lock, the moment of a change to it, and the epoch.

    Raises WORKFLOW_NOT_FOUND where it is absent or of another tenant or scope: the two answer alike.
    """
    workflow = Workflow.objects.select_for_update().annotate(**READINGS).filter(pk=workflow_id).first()
    if workflow is None or (workflow.tenant_id, workflow.authority_scope) != (caller.tenant, caller.scope):
        raise DomainError("WORKFLOW_NOT_FOUND", "There is no such workflow.")
    return workflow, max(reading(workflow, "db_now"), workflow.updated_at), reading(workflow, "db_epoch")


def record_workflow(
    workflow: Workflow,
    now: datetime,
    epoch: int,
    event_type: str,
    producer_id: str,
    payload: Mapping[str, Any] | None = None,
    *,
    event_id: str | None = None,
) -> None:
    """Give a fact about the workflow its version, and write everything that goes with it."""
    read_version = workflow.version
    workflow.version += 1
    workflow.updated_at = now
    writes = Writes()
    writes.update([workflow], _COLUMNS, "version", [read_version])
    writes.send()
    announce_workflow(workflow, epoch, event_type, producer_id, payload, event_id=event_id)


def announce_workflow(
    workflow: Workflow,
    epoch: int,
    event_type: str,
    producer_id: str,
    payload: Mapping[str, Any] | None = None,
    *,
    event_id: str | None = None,
) -> None:
    """Write the log row and the summaries of the workflow's current version."""
    event_id = event_id or service_event_id()
    event = WorkflowEvent(
        workflow_id=workflow.id,
        workflow_version=workflow.version,
        event_id=event_id,
        event_type=event_type,
        producer_id=producer_id,
        lifecycle_status=workflow.lifecycle_status,
        payload=payload,
        committed_at=workflow.updated_at,
    )
    writes = Writes()
    writes.insert([event])
    enqueue(_messages(workflow, epoch, event_id), writes.execute)
    writes.send()


def _messages(workflow: Workflow, epoch: int, event_id: str) -> list[Outgoing]:
    return workflow_messages(workflow, count_for_push(workflow), epoch, event_id, coalescible=False)
