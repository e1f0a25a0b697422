"""Open a new attempt of a task that has ended (source design 4.1, protocol 4.1)."""

from typing import Any

from registries.resolver import registry
from taskstatus.commands.tasks import RetryTask
from taskstatus.domain.business_status import TaskCodes
from taskstatus.domain.errors import DomainError
from taskstatus.domain.idempotency import payload_hash
from taskstatus.domain.lifecycle import Lifecycle, RecordType
from taskstatus.identity.principals import Service
from taskstatus.models import EventDedup, Task
from taskstatus.services.changes import Change
from taskstatus.services.dedup import known_event
from taskstatus.services.step_rows import next_attempt
from taskstatus.services.task_lock import lock_task
from taskstatus.services.unit_of_work import use_case
from taskstatus.services.workset import Workset, is_live


@use_case
def retry_task(task_id: str, command: RetryTask, caller: Service) -> dict[str, Any]:
    """Begin the task anew with every known step PENDING; the same eventId gets the first receipt again.

    Raises TASK_NOT_FOUND, EVENT_ID_REUSED, ATTEMPT_STILL_RUNNING.
    """
    workset, task = lock_task(task_id, caller.tenant, caller.scope)
    content_hash = payload_hash({"event": command.canonical(), "task": task.id, "producer": caller.producer_id})
    known = known_event(caller.tenant, command.event_id, content_hash)
    if known is not None:
        first: dict[str, Any] = known.result
        return first
    if is_live(task):
        raise DomainError("ATTEMPT_STILL_RUNNING", "The task has not ended.", current={"attempt": str(task.attempt)})
    _begin_anew(workset, task)
    change = Change(
        task,
        RecordType.TASK_RETRIED,
        command.event_id,
        caller.producer_id,
        event={"payload": {"reason": command.reason}},
    )
    workset.record(change)
    receipt = {"taskAttempt": task.attempt, "taskVersion": str(task.version), "epoch": str(workset.epoch)}
    workset.remember(
        EventDedup(
            tenant_id=caller.tenant,
            event_id=command.event_id,
            authority_scope=caller.scope,
            producer_id=caller.producer_id,
            aggregate_id=task.id,
            payload_hash=content_hash,
            result=receipt,
            created_at=task.updated_at,
        )
    )
    workset.flush()
    return receipt


def _begin_anew(workset: Workset, task: Task) -> None:
    statuses = registry(task.tenant_id, task.authority_scope).status_set(task.task_type, task.status_definition_version)
    codes = TaskCodes.initial(statuses)
    task.attempt += 1
    task.lifecycle_status = Lifecycle.PENDING
    task.business_status, task.remembered_status = codes.shown, codes.unreserved
    task.started_at = task.finished_at = task.duration_ms = task.cancel_requested_at = None
    task.failure_code = task.failure_message = task.failed_step_id = None
    task.summary_schema = task.summary_data = None
    task.requires_action, task.actions, task.task_source_seqs = False, [], {}
    now = workset.time_of(task)
    for step in workset.steps(task):
        workset.change_step(step, {"is_current": False})
        if not step.is_dynamic:
            workset.add_step(task, next_attempt(step, task, statuses, now))
