"""Live counts of a workflow's tasks."""

from django.db.models import Count

from taskstatus.models import Task, Workflow
from taskstatus.projections.workflow_summary import PushedCounts, TaskCounts

_GROUP = ("lifecycle_status", "health", "requires_action")


def count_tasks(workflow: Workflow) -> TaskCounts:
    """Counts over all of the workflow's tasks."""
    groups = Task.objects.filter(workflow=workflow).values_list(*_GROUP).annotate(number=Count("pk")).order_by()
    return TaskCounts.of(groups)


def count_for_push(workflow: Workflow) -> PushedCounts:
    """Counts for the owner's channel and for the workflow's own, read at once (S10, S11)."""
    tasks = Task.objects.filter(workflow=workflow).values_list("owner_id", "sensitive", *_GROUP)
    rows = [(row[0] == workflow.owner_id, row[1], row[2:]) for row in tasks.annotate(number=Count("pk")).order_by()]
    return PushedCounts(
        owner=TaskCounts.of(group for is_owners, _, group in rows if is_owners),
        viewers=TaskCounts.of(group for _, is_sensitive, group in rows if not is_sensitive),
    )
