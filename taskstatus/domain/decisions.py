"""What can come of a report, apart from being refused (which raises DomainError)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class StaleReason(StrEnum):
    """Why a report is too old to count; final, not to be sent again (ruling 7)."""

    STALE_ATTEMPT = "STALE_ATTEMPT"
    STALE_EXECUTION = "STALE_EXECUTION"
    STALE_SEQUENCE = "STALE_SEQUENCE"
    STALE_PROGRESS = "STALE_PROGRESS"


class NoticeType(StrEnum):
    """What a user is told about beyond the new state (protocol 6)."""

    STEP_FAILED = "STEP_FAILED"
    STEP_RETRYING = "STEP_RETRYING"
    TASK_FAILED = "TASK_FAILED"
    TASK_SUCCEEDED = "TASK_SUCCEEDED"
    TASK_CANCELLED = "TASK_CANCELLED"
    TASK_STALE = "TASK_STALE"
    TASK_RECOVERED = "TASK_RECOVERED"
    ACTION_REQUIRED = "ACTION_REQUIRED"
    TASK_CORRECTED = "TASK_CORRECTED"


@dataclass(frozen=True, slots=True)
class Apply:
    """The report becomes a version: new values by column name for the step and the task, and a notice."""

    step: Mapping[str, object] = field(default_factory=dict)
    task: Mapping[str, object] = field(default_factory=dict)
    notice: NoticeType | None = None


@dataclass(frozen=True, slots=True)
class Coalesce:
    """The progress is kept with the step and becomes a version later, or is absorbed (ruling 35)."""

    step: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Stale:
    """The report is too old to count."""

    reason: StaleReason
