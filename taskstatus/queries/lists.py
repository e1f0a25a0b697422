"""Lists of what a user may see, newest update first (protocol 5)."""

from collections.abc import Iterable, Sequence

from django.db.models import Count, QuerySet

from taskstatus.commands.queries import ListTasks, Page
from taskstatus.identity.principals import User
from taskstatus.models import Task, Workflow
from taskstatus.projections.task_summary import Json, instant, task_summary
from taskstatus.projections.workflow_summary import TaskCounts, workflow_summary
from taskstatus.queries.access import owned_tasks, shared_tasks, visible_tasks, visible_workflows, workflow_not_found
from taskstatus.queries.aggregates import with_steps
from taskstatus.queries.clock import READINGS, read_clock, reading
from taskstatus.queries.cursors import Cursor
from taskstatus.queries.snapshots import projection_context

_ANY_OF = ("lifecycle_status", "health", "task_type", "product_id", "workflow_id", "batch_id", "parent_task_id")


def list_tasks(user: User, query: ListTasks, language: str) -> Json:
    """A page of the user's tasks: `{items, nextCursor, epoch, asOf}`.

    Owned and shared tasks are asked for apart, each by its index, and merged: an OR of both would use neither.
    """
    parts = [_window(part, query) for part in (owned_tasks(user), shared_tasks(user))]
    rows = _first(parts, query.limit + 1)
    page = with_steps(rows[: query.limit])
    items = [task_summary(whole.task, whole.steps, projection_context(whole.task, language)) for whole in page]
    return _page(items, rows, query.limit)


def list_workflow_tasks(user: User, workflow_id: str, query: ListTasks, language: str) -> Json:
    """A page of those tasks of a workflow that the user may see; raises WORKFLOW_NOT_FOUND."""
    if not visible_workflows(user).filter(pk=workflow_id).exists():
        raise workflow_not_found()
    return list_tasks(user, query.model_copy(update={"workflow_id": [workflow_id]}), language)


def list_workflows(user: User, query: Page) -> Json:
    """A page of the user's workflows, each with counts over the tasks that the user may see."""
    found = visible_workflows(user).annotate(**READINGS).order_by("-updated_at", "-id")
    if query.cursor is not None:
        found = found.filter(Cursor.decode(query.cursor).after())
    rows = list(found[: query.limit + 1])
    counts = _visible_counts(user, rows[: query.limit])
    items = [workflow_summary(row, counts[row.id], reading(row, "db_epoch")) for row in rows[: query.limit]]
    return _page(items, rows, query.limit)


def workflow_page(user: User, workflow_id: str) -> Json:
    """The summary of one workflow over the tasks that the user may see; raises WORKFLOW_NOT_FOUND."""
    workflow = visible_workflows(user).filter(pk=workflow_id).annotate(**READINGS).first()
    if workflow is None:
        raise workflow_not_found()
    return workflow_summary(workflow, _visible_counts(user, [workflow])[workflow.id], reading(workflow, "db_epoch"))


def task_counts(user: User) -> Json:
    """How many of the user's tasks are in which state."""
    counts = TaskCounts.of(_groups(visible_tasks(user)))
    now, epoch = read_clock()
    return {
        "lifecycleStatus": counts.lifecycle,
        "health": counts.health,
        "requiresAction": counts.requires_action,
        "epoch": str(epoch),
        "asOf": instant(now),
    }


def _window(tasks: QuerySet[Task], query: ListTasks) -> list[Task]:
    """The first rows of one part of the list that the filters and the cursor let through."""
    for name in _ANY_OF:
        values = getattr(query, name)
        if values:
            tasks = tasks.filter(**{f"{name}__in": values})
    if query.q is not None:
        tasks = tasks.filter(title_folded__contains=query.q.casefold())
    if query.updated_after is not None:
        tasks = tasks.filter(updated_at__gt=query.updated_after)
    if query.cursor is not None:
        tasks = tasks.filter(Cursor.decode(query.cursor).after())
    return list(tasks.annotate(**READINGS).order_by("-updated_at", "-id")[: query.limit + 1])


def _first(parts: Iterable[Sequence[Task]], number: int) -> list[Task]:
    rows = [task for part in parts for task in part]
    return sorted(rows, key=lambda task: (task.updated_at, task.id), reverse=True)[:number]


def _page(items: list[Json], rows: Sequence[Task] | Sequence[Workflow], limit: int) -> Json:
    now, epoch = read_clock()
    last = rows[limit - 1] if len(rows) > limit else None
    return {
        "items": items,
        "nextCursor": Cursor(last.updated_at, last.id).encode() if last is not None else None,
        "epoch": str(epoch),
        "asOf": instant(now),
    }


def _groups(tasks: QuerySet[Task]) -> Iterable[tuple[str, str, bool, int]]:
    """Groups of (lifecycle, health, requires action, how many)."""
    return tasks.values_list("lifecycle_status", "health", "requires_action").annotate(number=Count("pk")).order_by()


def _visible_counts(user: User, workflows: Sequence[Workflow]) -> dict[str, TaskCounts]:
    """Counts of each workflow over the tasks that the user may see (S10, S11)."""
    groups: dict[str, list[tuple[str, str, bool, int]]] = {workflow.id: [] for workflow in workflows}
    rows = (
        visible_tasks(user)
        .filter(workflow_id__in=list(groups))
        .values_list("workflow_id", "lifecycle_status", "health", "requires_action")
        .annotate(number=Count("pk"))
        .order_by()
    )
    for workflow_id, *group in rows:
        groups[workflow_id].append((group[0], group[1], group[2], group[3]))
    return {workflow_id: TaskCounts.of(rows) for workflow_id, rows in groups.items()}
