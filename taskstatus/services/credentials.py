"""The credentials of an execution: a signed token and an opaque handle, issued together (source design 3.3.4)."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from taskstatus.domain.definitions import Operation
from taskstatus.domain.identifiers import bucket_of
from taskstatus.domain.lifecycle import EventType
from taskstatus.identity import execution_tokens
from taskstatus.identity.handles import hash_handle, new_handle
from taskstatus.identity.principals import ExecutionClaims
from taskstatus.models import ExecutionHandle, Step, Task


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a worker proves itself with; `expires_at` is the token's, the handle lives longer. Never logged."""

    token: str
    handle: str
    expires_at: datetime

    def __repr__(self) -> str:
        return f"Credentials(expires_at={self.expires_at!r})"


def issue_credentials(task: Task, step: Step, operation: Operation, now: datetime) -> Credentials:
    """A fresh token and handle for the step's execution; earlier ones stay valid until they expire."""
    claims = claims_of(task, step, operation.allowed_event_types, now + settings.EXECUTION_TOKEN_TTL)
    handle = new_handle(bucket_of(task.id))
    ExecutionHandle.objects.create(
        handle_hash=hash_handle(handle),
        execution_id=claims.execution_id,
        task_id=task.id,
        tenant_id=task.tenant_id,
        authority_scope=task.authority_scope,
        producer_id=claims.producer_id,
        generation=step.credential_generation,
        expires_at=now + settings.EXECUTION_HANDLE_TTL,
        created_at=now,
    )
    return Credentials(execution_tokens.issue(claims), handle, claims.expires_at)


def claims_of(
    task: Task, step: Step, allowed_event_types: frozenset[EventType], expires_at: datetime
) -> ExecutionClaims:
    """The right to report these events about the step's execution and nothing else, until that time."""
    return ExecutionClaims(
        tenant=task.tenant_id,
        scope=task.authority_scope,
        workflow_id=task.workflow_id,
        task_id=task.id,
        task_attempt=step.task_attempt,
        step_id=step.step_id,
        step_attempt=step.attempt,
        execution_id=step.execution_id,
        operation_code=step.operation_code,
        producer_id=step.producer_id,
        allowed_event_types=allowed_event_types,
        generation=step.credential_generation,
        expires_at=expires_at,
    )
