"""Who gets which message of a change: one outbox row for each channel."""

from collections.abc import Sequence

from pydantic_core import to_json

from outbox.enqueue import Outgoing
from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import Audience
from taskstatus.models import Step, Task, TaskEvent, Workflow
from taskstatus.projections.channels import detail_channel, user_channel, workflow_channel
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.notices import notice
from taskstatus.projections.task_detail import task_detail
from taskstatus.projections.task_summary import Json, task_summary
from taskstatus.projections.timeline import timeline_event
from taskstatus.projections.workflow_summary import PushedCounts, workflow_summary

SCHEMA_VERSION = 1


def task_messages(
    task: Task,
    steps: Sequence[Step],
    event: TaskEvent,
    context: ProjectionContext,
    *,
    notice_type: NoticeType | None = None,
    coalescible: bool = True,
) -> list[Outgoing]:
    """The owner's summary and the detail of a task after this event."""
    summary = task_summary(task, steps, context)
    common: Json = {
        "schemaVersion": SCHEMA_VERSION,
        "epoch": str(context.epoch),
        "workflowId": task.workflow_id,
        "taskId": task.id,
        "taskVersion": str(task.version),
    }
    step = next((s for s in steps if s.execution_id == event.execution_id), None) if event.execution_id else None
    told = {"notice": notice(notice_type, task, steps, step, event, context)} if notice_type else {}
    return [
        _outgoing(
            task,
            event,
            context,
            channel=user_channel(task.tenant_id, task.owner_id),
            projection=Audience.USER_SUMMARY,
            body={"kind": "task.summary", **common, "task": summary, **told},
            coalescible=coalescible and notice_type is None,
        ),
        _outgoing(
            task,
            event,
            context,
            channel=detail_channel(task.tenant_id, task.id),
            projection=Audience.TASK_DETAIL,
            body={
                "kind": "task.detail",
                **common,
                "triggerEvent": timeline_event(event, context),
                "state": task_detail(task, steps, context, summary),
                "truncated": False,
            },
            coalescible=coalescible,
        ),
    ]


def workflow_messages(
    workflow: Workflow, counts: PushedCounts, epoch: int, event_id: str, *, coalescible: bool
) -> list[Outgoing]:
    """The workflow's summary: for its owner (S11), and for those who look at it together (ruling 12)."""
    readers = {
        user_channel(workflow.tenant_id, workflow.owner_id): counts.owner,
        workflow_channel(workflow.tenant_id, workflow.id): counts.viewers,
    }
    common: Json = {
        "kind": "workflow.summary",
        "schemaVersion": SCHEMA_VERSION,
        "epoch": str(epoch),
        "workflowId": workflow.id,
        "workflowVersion": str(workflow.version),
    }
    return [
        Outgoing(
            aggregate_type="WORKFLOW",
            aggregate_id=workflow.id,
            aggregate_version=workflow.version,
            epoch=epoch,
            channel=channel,
            projection=Audience.USER_SUMMARY,
            payload=_dump({**common, "workflow": workflow_summary(workflow, visible, epoch)}),
            coalescible=coalescible,
            event_id=event_id,
        )
        for channel, visible in readers.items()
    ]


def _outgoing(
    task: Task,
    event: TaskEvent,
    context: ProjectionContext,
    *,
    channel: str,
    projection: Audience,
    body: Json,
    coalescible: bool,
) -> Outgoing:
    return Outgoing(
        aggregate_type="TASK",
        aggregate_id=task.id,
        aggregate_version=task.version,
        epoch=context.epoch,
        channel=channel,
        projection=projection,
        payload=_dump(body),
        coalescible=coalescible,
        event_id=event.event_id,
    )


def _dump(body: Json) -> str:
    # A third of the time of the standard library's encoder, for the largest values that a report writes (bench/).
    return to_json(body).decode()
