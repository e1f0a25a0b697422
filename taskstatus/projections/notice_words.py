"""What a notice says in plain words, in the language that is switched on: never one trouble in another's clothes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext

from taskstatus.domain.decisions import NoticeType
from taskstatus.models import Step, Task
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.notice_kinds import is_escalated
from taskstatus.projections.task_detail import last_heartbeat
from taskstatus.projections.task_summary import error_text, failure_text, status_display, step_name

_ENDS_OF_SENTENCES: Final = (".", "!", "?", "…", "。", "！", "？")  # noqa: RUF001 - Chinese ends sentences so


@dataclass(frozen=True, slots=True)
class NoticeSubject:
    """What a notice speaks of: a task, and the step that it is about, if it is about one."""

    notice_type: NoticeType
    task: Task
    steps: Sequence[Step]
    about: Step | None
    context: ProjectionContext


def message(subject: NoticeSubject) -> str:
    """The notice's message: the task's title, and what there is to say."""
    words = _WORDS.get(subject.notice_type, _failure)(subject)
    return f"{subject.task.title}: {words}" if words else subject.task.title


def _failure(subject: NoticeSubject) -> str | None:
    step, context = subject.about, subject.context
    if step is None:
        return None
    words = f"{_name(step, context)}: {error_text(step, context)}"
    if subject.notice_type is not NoticeType.STEP_RETRYING:
        return words
    numbers = {"next": step.attempt + 1, "all": step.max_attempts}
    # In a statement of its own: what stands inside an f-string is not collected for translation.
    follows = gettext("Attempt %(next)s of %(all)s follows.") % numbers
    stop = "" if words.endswith(_ENDS_OF_SENTENCES) else "."
    return f"{words}{stop} {follows}"


def _end_in_failure(subject: NoticeSubject) -> str | None:
    return failure_text(subject.task, subject.steps, subject.context)


def _silence(subject: NoticeSubject) -> str:
    """Nothing failed as far as anybody knows, and nothing here may sound as if it had (source design 4.3)."""
    step = subject.about
    moment: datetime | None = (last_heartbeat(step) or step.stale_since) if step is not None else None
    if step is None or moment is None:
        return gettext("It is still running as far as we know, but what runs it is not heard of.")
    words = (
        gettext("It may still be running, but %(step)s has not been heard of since %(time)s. Somebody should look.")
        if is_escalated(step)
        else gettext("It is still running as far as we know; %(step)s has not been heard of since %(time)s.")
    )
    return words % {"step": _name(step, subject.context), "time": f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"}


def _recovery(_subject: NoticeSubject) -> str:
    return gettext("Its state is confirmed again.")


def _correction(subject: NoticeSubject) -> str:
    status = status_display(subject.task, subject.context)["name"]
    return gettext("An operator corrected its state; it is now: %(status)s.") % {"status": status}


def _nothing_more(_subject: NoticeSubject) -> None:
    """The title says it all."""


def _name(step: Step, context: ProjectionContext) -> str:
    return step_name(step, context) or step.operation_code


_WORDS: Final[Mapping[NoticeType, Callable[[NoticeSubject], str | None]]] = {
    NoticeType.TASK_FAILED: _end_in_failure,
    NoticeType.TASK_STALE: _silence,
    NoticeType.TASK_RECOVERED: _recovery,
    NoticeType.TASK_CORRECTED: _correction,
    NoticeType.TASK_SUCCEEDED: _nothing_more,
    NoticeType.TASK_CANCELLED: _nothing_more,
}
