"""The words of the state model: what a task, step or workflow can be, and what can happen to it.

Source design 3.5, 4.1, 4.3, 4.4; protocol 4.3.
"""

from enum import StrEnum
from typing import Final


class Lifecycle(StrEnum):
    """The stable state that machines act on; business statuses map onto it."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"

    @property
    def is_terminal(self) -> bool:
        """True when no ordinary event may leave this state (source design 4.2)."""
        return self in TERMINAL


TERMINAL: Final = frozenset({Lifecycle.SUCCEEDED, Lifecycle.FAILED, Lifecycle.CANCELLED})
LIVE: Final = frozenset({Lifecycle.PENDING, Lifecycle.RUNNING})


class Health(StrEnum):
    """How sure we are of the executor; never changes the lifecycle (source design 4.3)."""

    HEALTHY = "HEALTHY"
    DEGRADED = "DEGRADED"
    STALE = "STALE"


class HealthReason(StrEnum):
    """Why a step or task is not HEALTHY (ruling 15)."""

    NO_HEARTBEAT = "NO_HEARTBEAT"
    NO_PROGRESS = "NO_PROGRESS"
    NOT_STARTED = "NOT_STARTED"
    OVER_TIME = "OVER_TIME"
    OPTIONAL_STEP_FAILED = "OPTIONAL_STEP_FAILED"


class EventType(StrEnum):
    """What callers may report (protocol 4.3)."""

    STEP_STARTED = "STEP_STARTED"
    STEP_PROGRESS = "STEP_PROGRESS"
    STEP_COMPLETED = "STEP_COMPLETED"
    STEP_FAILED = "STEP_FAILED"
    STEP_CANCELLED = "STEP_CANCELLED"
    STEP_HEARTBEAT = "STEP_HEARTBEAT"
    STEP_HEALTH_CHANGED = "STEP_HEALTH_CHANGED"
    TASK_STATUS_CHANGED = "TASK_STATUS_CHANGED"
    TASK_COMPLETED = "TASK_COMPLETED"
    TASK_FAILED = "TASK_FAILED"
    TASK_CANCELLED = "TASK_CANCELLED"

    @property
    def is_task_event(self) -> bool:
        """True for events about the whole task, which only its coordinator may send."""
        return self in TASK_EVENTS


TASK_EVENTS: Final = frozenset(
    {
        EventType.TASK_STATUS_CHANGED,
        EventType.TASK_COMPLETED,
        EventType.TASK_FAILED,
        EventType.TASK_CANCELLED,
    }
)

# The step events that an operation definition can allow; heartbeats and health changes have rules of their own.
WORKER_EVENTS: Final = frozenset(
    {
        EventType.STEP_STARTED,
        EventType.STEP_PROGRESS,
        EventType.STEP_COMPLETED,
        EventType.STEP_FAILED,
        EventType.STEP_CANCELLED,
    }
)


class RecordType(StrEnum):
    """Event types that only the service itself writes into the log (protocol 4.3)."""

    TASK_CREATED = "TASK_CREATED"
    STEP_REGISTERED = "STEP_REGISTERED"
    STEP_ACTIVATED = "STEP_ACTIVATED"
    STEP_SUPERSEDED = "STEP_SUPERSEDED"
    TASK_CLASSIFIED = "TASK_CLASSIFIED"
    TASK_METADATA_UPDATED = "TASK_METADATA_UPDATED"
    TASK_RETRIED = "TASK_RETRIED"
    TASK_CANCEL_REQUESTED = "TASK_CANCEL_REQUESTED"
    TASK_CORRECTED = "TASK_CORRECTED"
    TASK_ACCESS_CHANGED = "TASK_ACCESS_CHANGED"


class WorkflowEventType(StrEnum):
    """What a coordinator may say about a workflow (protocol 4.1)."""

    WORKFLOW_SEALED = "WORKFLOW_SEALED"
    WORKFLOW_RETITLED = "WORKFLOW_RETITLED"
    WORKFLOW_COMPLETED = "WORKFLOW_COMPLETED"
    WORKFLOW_FAILED = "WORKFLOW_FAILED"
    WORKFLOW_CANCELLED = "WORKFLOW_CANCELLED"


class Aggregation(StrEnum):
    """How a workflow comes to its end (ruling 11)."""

    EXPLICIT = "EXPLICIT"
    ALL_SETTLED = "ALL_SETTLED"


class FailurePolicy(StrEnum):
    """What a failed step means for its task (source design 4.4)."""

    FAIL_TASK = "FAIL_TASK"
    RETRY_THEN_FAIL_TASK = "RETRY_THEN_FAIL_TASK"
    CONTINUE_WITH_WARNING = "CONTINUE_WITH_WARNING"
    WAIT_FOR_USER = "WAIT_FOR_USER"


class SequencePolicy(StrEnum):
    """Whether sourceSeq may jump (ruling 6)."""

    GAPS_ALLOWED = "GAPS_ALLOWED"
    CONTIGUOUS = "CONTIGUOUS"


class DurationSource(StrEnum):
    """How a reported duration was measured (source design 3.7)."""

    MONOTONIC = "MONOTONIC"
    WALL_CLOCK_ESTIMATE = "WALL_CLOCK_ESTIMATE"


class Severity(StrEnum):
    """How a business status is shown; decided by the registry, never by a caller."""

    INFO = "INFO"
    SUCCESS = "SUCCESS"
    WARNING = "WARNING"
    ERROR = "ERROR"


class AppliesTo(StrEnum):
    """Whose status a code can be (ruling 8)."""

    TASK = "TASK"
    STEP = "STEP"


class Role(StrEnum):
    """What a service token may be used for (protocol 2)."""

    BUSINESS = "business"
    COORDINATOR = "coordinator"
    WORKER = "worker"
    HEALTH = "health"
    OPERATOR = "operator"
    PLATFORM = "platform"


class PrincipalType(StrEnum):
    """To whom a grant is given."""

    USER = "USER"
    PROJECT = "PROJECT"
    ROLE = "ROLE"


class Permission(StrEnum):
    """What a grant allows."""

    VIEW = "VIEW"
    OPERATE = "OPERATE"
    ADMIN = "ADMIN"


class Audience(StrEnum):
    """The views of a data schema: which readers a projection is made for (source design 3.3.1)."""

    USER_SUMMARY = "USER_SUMMARY"
    TASK_DETAIL = "TASK_DETAIL"
    PROJECT_BROADCAST = "PROJECT_BROADCAST"


class Mask(StrEnum):
    """What a data schema can do to a member before it leaves the service."""

    LAST4 = "LAST4"
    HASH = "HASH"
    REDACT = "REDACT"
