"""What a user is told beyond the new state: the notice that rides on a summary (protocol 6)."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy, override

from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import FailurePolicy
from taskstatus.models import Step, Task, TaskEvent
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.task_summary import Json, error_text, failure_text, step_name

_TITLES: Final = {
    NoticeType.STEP_FAILED: gettext_lazy("A step failed"),
    NoticeType.STEP_RETRYING: gettext_lazy("A step failed and will be tried again"),
    NoticeType.ACTION_REQUIRED: gettext_lazy("Your help is needed"),
    NoticeType.TASK_FAILED: gettext_lazy("The task failed"),
    NoticeType.TASK_SUCCEEDED: gettext_lazy("The task is done"),
    NoticeType.TASK_CANCELLED: gettext_lazy("The task was cancelled"),
}
_LEVELS: Final = {
    NoticeType.STEP_FAILED: "ERROR",
    NoticeType.STEP_RETRYING: "WARNING",
    NoticeType.ACTION_REQUIRED: "WARNING",
    NoticeType.TASK_FAILED: "ERROR",
    NoticeType.TASK_SUCCEEDED: "INFO",
    NoticeType.TASK_CANCELLED: "INFO",
}
_STEP_NOTICES: Final = frozenset({NoticeType.STEP_FAILED, NoticeType.STEP_RETRYING, NoticeType.ACTION_REQUIRED})


def notice(
    kind: NoticeType,
    task: Task,
    steps: Sequence[Step],
    step: Step | None,
    event: TaskEvent,
    context: ProjectionContext,
) -> Json:
    """The notice of this kind that an event caused, `step` being what it is about; one id for every reader."""
    about_step = kind in _STEP_NOTICES
    failed = step if about_step and step is not None and step.error_code is not None else None
    blamed = _blamed(task, steps) if kind is NoticeType.TASK_FAILED else failed
    return {
        "id": f"{task.id}:{task.version}",
        "type": kind,
        "level": _level(kind, failed),
        "title": _title(kind, context),
        "message": _message(kind, task, steps, failed, context),
        "operationCode": blamed.operation_code if blamed else None,
        "errorCode": task.failure_code if kind is not NoticeType.TASK_SUCCEEDED else None,
        "retryable": failed.error_retryable if failed else _retryable(event),
        "requiresAction": task.requires_action,
        "actions": task.actions,
    }


def _blamed(task: Task, steps: Sequence[Step]) -> Step | None:
    """The step that the end of a failed task names."""
    return next((step for step in steps if step.step_id == task.failed_step_id), None)


def _retryable(event: TaskEvent) -> bool | None:
    """What the event's own error says, if it has one."""
    error = (event.payload or {}).get("error")
    return error["retryable"] if error else None


def _title(kind: NoticeType, context: ProjectionContext) -> str:
    # The reader's language, and not that of the request that happened to cause the notice.
    with override(context.language):
        return str(_TITLES[kind])


def _level(kind: NoticeType, failed: Step | None) -> str:
    if failed is not None and failed.failure_policy == FailurePolicy.CONTINUE_WITH_WARNING:
        return "WARNING"
    return _LEVELS[kind]


def _message(
    kind: NoticeType, task: Task, steps: Sequence[Step], failed: Step | None, context: ProjectionContext
) -> str:
    if failed is not None:
        name = step_name(failed, context) or failed.operation_code
        return f"{task.title}: {name}: {error_text(failed, context)}"
    words = failure_text(task, steps, context) if kind is NoticeType.TASK_FAILED else None
    return f"{task.title}: {words}" if words else task.title
