"""The summary of a workflow, with counts over the tasks that its reader may see (protocol 6)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from taskstatus.domain.health import worst
from taskstatus.domain.lifecycle import Health, Lifecycle
from taskstatus.models import Workflow
from taskstatus.projections.task_summary import Json, instant


@dataclass(slots=True)
class TaskCounts:
    """How many of a workflow's visible tasks are in which state."""

    lifecycle: dict[str, int] = field(default_factory=lambda: dict.fromkeys(Lifecycle, 0))
    health: dict[str, int] = field(default_factory=lambda: dict.fromkeys(Health, 0))
    requires_action: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.lifecycle.values())

    @classmethod
    def of(cls, groups: Iterable[tuple[str, str, bool, int]]) -> "TaskCounts":
        """Counts from groups of (lifecycle, health, requires action, how many)."""
        counts = cls()
        for lifecycle, group_health, requires_action, number in groups:
            counts.lifecycle[lifecycle] += number
            counts.health[group_health] += number
            counts.requires_action += number if requires_action else 0
        return counts


@dataclass(frozen=True, slots=True)
class PushedCounts:
    """What a push tells of a workflow's tasks, for each of its two audiences.

    `owner`: those that the owner sees by owning them. `viewers`: those that whoever sees the workflow may know of; one
    channel can't be cropped for each of its readers, so sensitive tasks are left out.
    """

    owner: TaskCounts
    viewers: TaskCounts


def workflow_summary(workflow: Workflow, counts: TaskCounts, epoch: int) -> Json:
    """The WorkflowSummary; its health is the worst of the counted tasks'."""
    present = (Health(word) for word, number in counts.health.items() if number)
    return {
        "id": workflow.id,
        "title": workflow.title,
        "workflowType": workflow.workflow_type,
        "ownerId": workflow.owner_id,
        "projectId": workflow.project_id,
        "aggregation": workflow.aggregation,
        "sealed": workflow.sealed,
        "lifecycleStatus": workflow.lifecycle_status,
        "health": worst(present),
        "version": str(workflow.version),
        "taskCount": counts.total,
        "counts": {"lifecycleStatus": counts.lifecycle, "health": counts.health},
        "requiresAction": counts.requires_action > 0,
        "createdAt": instant(workflow.created_at),
        "startedAt": instant(workflow.started_at),
        "finishedAt": instant(workflow.finished_at),
        "updatedAt": instant(workflow.updated_at),
        "epoch": str(epoch),
    }
