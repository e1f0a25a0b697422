"""Who may register which children, how deep and how many (source design 3.1.1, protocol 4.2's order)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Q

from taskstatus.commands.executions import RegisterExecution
from taskstatus.domain.definitions import matches_pattern
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import LIVE, Lifecycle
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.models import Step, Task
from taskstatus.services.workset import Workset

RATE_WINDOW_SECONDS: Final = 60
_DEFAULT_LIMITS: Final = {
    "max_dynamic_steps": 100,
    "max_depth": 4,
    "max_parallel_executions": 10,
    "max_registrations_per_minute": 60,
}


def parent_of(command: RegisterExecution, caller: Service | ExecutionClaims) -> str | None:
    """The parent's executionId: the token's own, or the one that a coordinator names, or none."""
    if isinstance(caller, Service):
        return command.parent_execution_id
    if command.parent_execution_id not in (None, caller.execution_id):
        raise DomainError("PARENT_NOT_ALLOWED", "An execution registers children of its own only.")
    return caller.execution_id


def judge_registration(
    workset: Workset, task: Task, command: RegisterExecution, parent_id: str | None, now: datetime
) -> tuple[Step | None, int]:
    """The parent and the new step's depth.

    Raises EXECUTION_NOT_FOUND, PARENT_NOT_ALLOWED, TERMINAL_STATE, CHILD_OPERATION_NOT_ALLOWED, DEPTH_LIMIT,
    DYNAMIC_STEP_LIMIT, PARALLEL_LIMIT, REGISTRATION_RATE_LIMIT: the first that applies, in this order.
    """
    policy: dict[str, Any] | None = task.dynamic_policy
    parent, depth = None, 0
    if parent_id is not None:
        parent = _judge_parent(workset, task, parent_id, policy)
        depth = parent.depth + 1
        if not _matches_any(policy["allowed_child_operations"] if policy else (), command.operation_code):
            raise DomainError("CHILD_OPERATION_NOT_ALLOWED", f"{command.operation_code} may not be registered here.")
    limits = policy or _DEFAULT_LIMITS
    if depth > limits["max_depth"]:
        raise DomainError("DEPTH_LIMIT", f"Children may be {limits['max_depth']} deep.")
    _judge_numbers(task, limits, now)
    return parent, depth


def _judge_parent(workset: Workset, task: Task, parent_id: str, policy: dict[str, Any] | None) -> Step:
    parent = workset.execution(task, parent_id)
    if parent is None or parent.task_attempt != task.attempt:
        raise DomainError("EXECUTION_NOT_FOUND", "The task has no such parent execution.")
    if policy is None or not _matches_any(policy["allowed_parent_operations"], parent.operation_code):
        raise DomainError("PARENT_NOT_ALLOWED", f"{parent.operation_code} may not have children in this task.")
    if not parent.is_current or Lifecycle(parent.lifecycle_status).is_terminal:
        raise DomainError("TERMINAL_STATE", "The parent execution has ended.")
    return parent


def _judge_numbers(task: Task, limits: dict[str, Any], now: datetime) -> None:
    since = now - timedelta(seconds=RATE_WINDOW_SECONDS)
    numbers = Step.objects.filter(task=task, task_attempt=task.attempt, is_dynamic=True).aggregate(
        all=Count("pk"),
        live=Count("pk", filter=Q(lifecycle_status__in=sorted(LIVE), is_current=True)),
        recent=Count("pk", filter=Q(created_at__gt=since)),
    )
    if numbers["all"] >= limits["max_dynamic_steps"]:
        raise DomainError("DYNAMIC_STEP_LIMIT", f"The task may have {limits['max_dynamic_steps']} dynamic executions.")
    if numbers["live"] >= limits["max_parallel_executions"]:
        raise DomainError("PARALLEL_LIMIT", f"{limits['max_parallel_executions']} executions may run side by side.")
    if numbers["recent"] >= limits["max_registrations_per_minute"]:
        raise DomainError(
            "REGISTRATION_RATE_LIMIT",
            f"{limits['max_registrations_per_minute']} registrations a minute are allowed.",
            retry_after_seconds=RATE_WINDOW_SECONDS,
        )


def _matches_any(patterns: Iterable[str], code: str) -> bool:
    return any(matches_pattern(pattern, code) for pattern in patterns)
