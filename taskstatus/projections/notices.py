"""What a user is told beyond the new state: the notice that rides on a summary (protocol 6)."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import override

from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import Health
from taskstatus.models import Step, Task, TaskEvent
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.notice_kinds import kind_of
from taskstatus.projections.notice_words import NoticeSubject, message
from taskstatus.projections.task_summary import Json

_OF_A_STEP: Final = frozenset({NoticeType.STEP_FAILED, NoticeType.STEP_RETRYING, NoticeType.ACTION_REQUIRED})


def notice(
    notice_type: NoticeType,
    task: Task,
    steps: Sequence[Step],
    step: Step | None,
    event: TaskEvent,
    context: ProjectionContext,
) -> Json:
    """The notice of this type that an event caused, `step` being what the event is about; one id for every reader."""
    about = _about(notice_type, task, steps, step)
    kind = kind_of(notice_type, about)
    # The reader's language, and not that of the request that happened to cause the notice.
    with override(context.language):
        title, words = str(kind.title), message(NoticeSubject(notice_type, task, steps, about, context))
    return {
        "id": f"{task.id}:{task.version}",
        "type": notice_type,
        "level": kind.level,
        "title": title,
        "message": words,
        "operationCode": about.operation_code if about else None,
        "errorCode": _error_code(notice_type, task, about),
        "retryable": about.error_retryable if about and notice_type in _OF_A_STEP else _retryable(event),
        "requiresAction": task.requires_action,
        "actions": task.actions,
    }


def _about(notice_type: NoticeType, task: Task, steps: Sequence[Step], step: Step | None) -> Step | None:
    """The step that the reader is told of: the failed, the blamed, or the silent one; None where it is the task."""
    if notice_type in _OF_A_STEP:
        return step if step is not None and step.error_code is not None else None
    if notice_type is NoticeType.TASK_FAILED:
        return next((one for one in steps if one.step_id == task.failed_step_id), None)
    if notice_type is NoticeType.TASK_STALE:
        silent = [one for one in (step, *steps) if one is not None and one.health == Health.STALE]
        return next(iter(silent), None)
    return step if notice_type is NoticeType.TASK_RECOVERED else None


def _error_code(notice_type: NoticeType, task: Task, about: Step | None) -> str | None:
    failed = task.failure_code if notice_type is NoticeType.TASK_FAILED else None
    code: str | None = about.error_code if about and notice_type in _OF_A_STEP else failed
    return code


def _retryable(event: TaskEvent) -> bool | None:
    """What the event's own error says, if it has one."""
    error = (event.payload or {}).get("error")
    return error["retryable"] if error else None
