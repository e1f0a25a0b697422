"""One task, or some named ones, as a user may see them (protocol 5)."""

from collections.abc import Sequence

from taskstatus.commands.queries import BatchGet, LookUpTask
from taskstatus.domain.versions import parse_decimal
from taskstatus.identity.principals import User
from taskstatus.models import ExternalRef, Step, Task
from taskstatus.projections.task_detail import step_view
from taskstatus.projections.task_summary import Json, instant, task_summary
from taskstatus.queries.access import permissions_on, task_not_found, visible_tasks
from taskstatus.queries.aggregates import with_steps
from taskstatus.queries.clock import READINGS, read_clock
from taskstatus.queries.snapshots import TaskSnapshot, detail_snapshot, projection_context

SCHEMA_VERSION = 1


def visible_task(user: User, task_id: str) -> Task:
    """The task, read with READINGS; raises TASK_NOT_FOUND where it is absent or unseen."""
    task = visible_tasks(user).filter(pk=task_id).annotate(**READINGS).first()
    if task is None:
        raise task_not_found()
    return task


def user_task_snapshot(user: User, task_id: str, language: str) -> TaskSnapshot:
    """The detail of a task and its version; raises TASK_NOT_FOUND."""
    whole = with_steps([visible_task(user, task_id)])
    if not whole:
        raise task_not_found()
    return detail_snapshot(whole[0], language, permissions_on(whole[0].task, user))


def task_attempts(user: User, task_id: str, language: str) -> Json:
    """Every attempt of every step, by attempt of the task: `{items: [{taskAttempt, steps}], epoch}`."""
    task = visible_task(user, task_id)
    context = projection_context(task, language)
    steps = Step.objects.filter(task=task).select_related("lease")
    attempts: dict[int, list[Json]] = {number: [] for number in range(1, task.attempt + 1)}
    for step in steps.order_by("task_attempt", "position", "attempt"):
        attempts.setdefault(step.task_attempt, []).append(step_view(step, context))
    items = [{"taskAttempt": number, "steps": views} for number, views in sorted(attempts.items())]
    return {"items": items, "epoch": str(context.epoch)}


def batch_get(user: User, query: BatchGet, language: str) -> Json:
    """Summaries of the named tasks that are newer than what the caller has; unseen and absent ones are `removed`."""
    now, epoch = read_clock()
    tasks = list(visible_tasks(user).filter(pk__in=query.task_ids).annotate(**READINGS))
    seen = {task.id for task in tasks}
    items = _newer(tasks, query, epoch, language)
    return {
        "kind": "task.summary.batch",
        "schemaVersion": SCHEMA_VERSION,
        "items": items,
        "removed": sorted(set(query.task_ids) - seen),
        "epoch": str(epoch),
        "asOf": instant(now),
    }


def look_up(user: User, query: LookUpTask) -> Json:
    """The task that an outside number names, if the user may see it; raises TASK_NOT_FOUND."""
    ref = (
        ExternalRef.objects.filter(
            tenant_id=user.tenant,
            authority_scope=query.authority_scope,
            ref_type=query.ref_type,
            ref_value=query.ref_value,
        )
        .values_list("task_id", flat=True)
        .first()
    )
    if ref is None:
        raise task_not_found()
    task = visible_task(user, ref)
    return {"taskId": task.id, "workflowId": task.workflow_id, "epoch": str(projection_context(task, "en").epoch)}


def _newer(tasks: Sequence[Task], query: BatchGet, epoch: int, language: str) -> list[Json]:
    same_epoch = query.epoch is None or parse_decimal(query.epoch) == epoch
    known = (query.known_versions or {}) if same_epoch else {}
    wanted = [task for task in tasks if task.id not in known or task.version > parse_decimal(known[task.id])]
    return [
        {
            "workflowId": whole.task.workflow_id,
            "taskId": whole.task.id,
            "taskVersion": str(whole.task.version),
            "task": task_summary(whole.task, whole.steps, projection_context(whole.task, language)),
        }
        for whole in with_steps(wanted)
    ]
