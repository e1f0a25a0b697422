"""Live counts of a workflow's tasks."""

from django.db.models import Count

from taskstatus.models import Task, Workflow
from taskstatus.projections.workflow_summary import TaskCounts


def count_tasks(workflow: Workflow, **only: str) -> TaskCounts:
    """Counts over the workflow's tasks, or those of them that the filter keeps."""
    groups = (
        Task.objects.filter(workflow=workflow, **only)
        .values_list("lifecycle_status", "health", "requires_action")
        .annotate(number=Count("pk"))
        .order_by()
    )
    return TaskCounts.of(groups)
