"""The table of source design 6.8 as data: how urgently users are told of what, and under which title.

Every notice rides on the owner's `task.summary`, so nobody needs the detail open, and is never coalesced (ruling 20);
the detail channel carries the same version without it. docs/subsystems/notices.md shows this table with the facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from taskstatus.domain.decisions import NoticeType
from taskstatus.domain.lifecycle import FailurePolicy
from taskstatus.models import Step


class Level(StrEnum):
    """How urgent a notice is; pages read an ERROR out at once, the others when there is a pause."""

    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class Offline(StrEnum):
    """Whether somebody who is not looking should hear of it too, as by mail; a hint for whoever sends such."""

    NO = "NO"
    IF_ASKED = "IF_ASKED"
    BY_PREFERENCE = "BY_PREFERENCE"


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """A row of the table."""

    level: Level
    title: Promise
    offline: Offline


KINDS: Final[Mapping[NoticeType, NoticeKind]] = {
    NoticeType.STEP_RETRYING: NoticeKind(
        Level.WARNING, gettext_lazy("A step failed and will be tried again"), Offline.NO
    ),
    NoticeType.STEP_FAILED: NoticeKind(Level.ERROR, gettext_lazy("A step failed"), Offline.NO),
    NoticeType.ACTION_REQUIRED: NoticeKind(Level.WARNING, gettext_lazy("Your help is needed"), Offline.BY_PREFERENCE),
    NoticeType.TASK_FAILED: NoticeKind(Level.ERROR, gettext_lazy("The task failed"), Offline.BY_PREFERENCE),
    NoticeType.TASK_SUCCEEDED: NoticeKind(Level.INFO, gettext_lazy("The task is done"), Offline.BY_PREFERENCE),
    NoticeType.TASK_CANCELLED: NoticeKind(Level.INFO, gettext_lazy("The task was cancelled"), Offline.BY_PREFERENCE),
    NoticeType.TASK_STALE: NoticeKind(
        Level.WARNING, gettext_lazy("The task's state can't be confirmed right now"), Offline.NO
    ),
    NoticeType.TASK_RECOVERED: NoticeKind(Level.INFO, gettext_lazy("The task is heard of again"), Offline.NO),
    NoticeType.TASK_CORRECTED: NoticeKind(
        Level.INFO, gettext_lazy("The task's state was corrected"), Offline.BY_PREFERENCE
    ),
}

OPTIONAL_STEP_FAILED: Final = NoticeKind(
    Level.WARNING, gettext_lazy("A part that is not essential failed"), Offline.IF_ASKED
)
STALE_FOR_LONG: Final = NoticeKind(
    Level.ERROR, gettext_lazy("The task has not been heard of for a long time"), Offline.BY_PREFERENCE
)


def kind_of(notice_type: NoticeType, about: Step | None) -> NoticeKind:
    """How a notice of this type tells of the step that it is about.

    A failure that the task can do without is less, a silence that was escalated more (protocol 4.4).
    """
    if notice_type is NoticeType.STEP_FAILED and about is not None:
        return OPTIONAL_STEP_FAILED if is_optional(about) else KINDS[notice_type]
    return STALE_FOR_LONG if notice_type is NoticeType.TASK_STALE and is_escalated(about) else KINDS[notice_type]


def is_optional(step: Step) -> bool:
    """Whether the step's task goes on without it."""
    return FailurePolicy(step.failure_policy) is FailurePolicy.CONTINUE_WITH_WARNING


def is_escalated(step: Step | None) -> bool:
    """Whether the step has been silent for longer than its operation puts up with."""
    return step is not None and step.stale_escalated_at is not None
