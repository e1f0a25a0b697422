"""The timeline of a task, from where a reader left off (source design 3.8, C23)."""

from django.db.models import Min

from taskstatus.commands.queries import ReadTimeline
from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import User
from taskstatus.models import TaskEvent
from taskstatus.projections.task_summary import Json
from taskstatus.projections.timeline import timeline_event
from taskstatus.queries.snapshots import projection_context
from taskstatus.queries.user_tasks import visible_task


def task_timeline(user: User, task_id: str, query: ReadTimeline, language: str) -> Json:
    """Facts after a version, oldest first: `{items, nextAfterTaskVersion, oldestTaskVersion, epoch}`.

    Raises TASK_NOT_FOUND, and TIMELINE_PURGED where facts right after the named version are no longer kept.
    """
    task = visible_task(user, task_id)
    context = projection_context(task, language)
    events = TaskEvent.objects.filter(task_id=task.id)
    oldest = events.aggregate(oldest=Min("task_version"))["oldest"]
    after = query.after_task_version
    if after is not None and after < task.version and (oldest is None or after + 1 < oldest):
        raise DomainError(
            "TIMELINE_PURGED",
            "Facts after that version are no longer kept.",
            # Where nothing is kept, the next fact will be the oldest.
            current={"oldestTaskVersion": str(oldest if oldest is not None else task.version + 1)},
        )
    rows = list(events.filter(task_version__gt=after or 0).order_by("task_version")[: query.limit + 1])
    more = len(rows) > query.limit
    return {
        "items": [timeline_event(row, context) for row in rows[: query.limit]],
        "nextAfterTaskVersion": str(rows[query.limit - 1].task_version) if more else None,
        "oldestTaskVersion": str(oldest) if oldest is not None else None,
        "epoch": str(context.epoch),
    }
