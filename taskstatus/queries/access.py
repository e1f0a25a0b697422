"""The only door to tasks and workflows for a user: what is not seen here does not exist for them (S04)."""

from typing import Final

from django.db.models import Q, QuerySet

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Permission, PrincipalType
from taskstatus.identity.principals import User
from taskstatus.models import Task, TaskGrant, Workflow, WorkflowGrant

# Each permission holds the ones before it.
_LADDER: Final = (Permission.VIEW, Permission.OPERATE, Permission.ADMIN)


def owned_tasks(user: User) -> QuerySet[Task]:
    """The tasks that the user owns."""
    return Task.objects.filter(tenant_id=user.tenant, owner_id=user.user_id)


def shared_tasks(user: User) -> QuerySet[Task]:
    """The tasks of others that a grant lets the user see."""
    granted = TaskGrant.objects.filter(_to(user), revoked_at__isnull=True).values("task_id")
    return Task.objects.filter(tenant_id=user.tenant, pk__in=granted).exclude(owner_id=user.user_id)


def visible_tasks(user: User) -> QuerySet[Task]:
    """Every task that the user may see, for questions about named ones; lists ask the two parts apart."""
    granted = TaskGrant.objects.filter(_to(user), revoked_at__isnull=True).values("task_id")
    return Task.objects.filter(Q(owner_id=user.user_id) | Q(pk__in=granted), tenant_id=user.tenant)


def visible_workflows(user: User) -> QuerySet[Workflow]:
    """Every workflow that the user owns or was given; that alone shows none of its tasks (S11)."""
    granted = WorkflowGrant.objects.filter(_to(user), revoked_at__isnull=True).values("workflow_id")
    return Workflow.objects.filter(Q(owner_id=user.user_id) | Q(pk__in=granted), tenant_id=user.tenant)


def workflow_not_found() -> DomainError:
    """The refusal of a workflow that is absent or unseen."""
    return DomainError("WORKFLOW_NOT_FOUND", "There is no such workflow.")


def task_not_found() -> DomainError:
    """The refusal of a task that is absent or unseen."""
    return DomainError("TASK_NOT_FOUND", "There is no such task.")


def permissions_on(task: Task, user: User) -> list[str]:
    """What the user may do with a task that they see; its owner everything."""
    if task.owner_id == user.user_id:
        return list(_LADDER)
    grants = TaskGrant.objects.filter(_to(user), task=task, revoked_at__isnull=True)
    given = {_LADDER.index(Permission(word)) for word in grants.values_list("permission", flat=True)}
    return list(_LADDER[: max(given, default=-1) + 1])


def _to(user: User) -> Q:
    """Grants that reach the user: by name, by project, by role."""
    return (
        Q(principal_type=PrincipalType.USER, principal_id=user.user_id)
        | Q(principal_type=PrincipalType.PROJECT, principal_id__in=sorted(user.projects))
        | Q(principal_type=PrincipalType.ROLE, principal_id__in=sorted(user.roles))
    )
