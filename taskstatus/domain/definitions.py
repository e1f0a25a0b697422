"""What the registries define, as plain values: status sets, operations, and the profiles that always exist.

Built by `registries.resolver` from rows; judged by `state_machine` and `business_status` without a database.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from taskstatus.domain.lifecycle import (
    WORKER_EVENTS,
    AppliesTo,
    EventType,
    FailurePolicy,
    Lifecycle,
    SequencePolicy,
    Severity,
)

ANY_STATUS: Final = "*"
NO_STATUS: Final = "@none"
RETRY_WAIT: Final = "RETRY_WAIT"
WAITING_USER_ACTION: Final = "WAITING_USER_ACTION"
RESERVED: Final = frozenset({RETRY_WAIT, WAITING_USER_ACTION})

GENERIC_PROGRESS_SCHEMA: Final = "generic.progress.v1"
GENERIC_RESULT_SCHEMA: Final = "generic.result.v1"
BUILTIN_VERSION: Final = 0


@dataclass(frozen=True, slots=True)
class StatusCode:
    """One business status of a set. `display_name` maps a language tag to text."""

    code: str
    applies_to: frozenset[AppliesTo]
    lifecycle: Lifecycle
    display_name: Mapping[str, str] = field(default_factory=dict)
    severity: Severity = Severity.INFO
    order: int = 0
    initial: bool = False
    allowed_from: frozenset[str] = frozenset()
    presentation: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StatusSet:
    """The business statuses of one task type and version; version None is the generic set (ruling 9).

    A code may be defined once for tasks and once for steps, with a lifecycle each (PARSE_COMPLETED ends a
    step while its task runs on, ruling 8): `statuses` then holds the task's meaning, `step_statuses` the step's.
    """

    task_type: str | None
    version: int | None
    statuses: Mapping[str, StatusCode]
    task_data_schemas: frozenset[str] = frozenset()
    step_statuses: Mapping[str, StatusCode] = field(default_factory=dict)

    @property
    def is_generic(self) -> bool:
        """True for the set that unclassified tasks have."""
        return self.version is None

    def get(self, code: str, scope: AppliesTo) -> StatusCode | None:
        """The code, if it exists in that scope."""
        status = self.step_statuses.get(code) if scope is AppliesTo.STEP else None
        status = status or self.statuses.get(code)
        return status if status is not None and scope in status.applies_to else None

    @property
    def initial_code(self) -> str:
        """The TASK code that a task begins with."""
        return next(s.code for s in self.statuses.values() if s.initial)


@dataclass(frozen=True, slots=True)
class Operation:
    """One published operation: who may report what, and what its failure means (source design 4.7).

    `definition_id` is the registry's row, by which an execution finds its operation again; None is the built-in one.
    """

    code: str
    task_type_pattern: str
    version: int
    display_name: Mapping[str, str]
    producer_pattern: str
    allowed_event_types: frozenset[EventType]
    allowed_data_schemas: Mapping[EventType, frozenset[str]]
    failure_policy: FailurePolicy
    max_attempts: int = 3
    heartbeat_interval_seconds: int = 15
    heartbeat_timeout_seconds: int = 60
    no_progress_seconds: int | None = None
    start_deadline_seconds: int | None = None
    sequence_policy: SequencePolicy = SequencePolicy.GAPS_ALLOWED
    policy_executor: str | None = None
    progress_min_interval_seconds: float = 1.0
    stale_escalation_seconds: int | None = None
    errors: Mapping[str, "ErrorText"] = field(default_factory=dict)
    generic: bool = False
    definition_id: int | None = None

    @property
    def exact_producer(self) -> str | None:
        """The only producer, where the pattern names one; None for a pattern that ends in `*`."""
        return None if self.producer_pattern.endswith("*") else self.producer_pattern

    def allows_producer(self, producer_id: str) -> bool:
        """Whether this service may execute the operation."""
        return matches_pattern(self.producer_pattern, producer_id)


@dataclass(frozen=True, slots=True)
class ErrorText:
    """What users read for an error code, by language, and the actions they are offered."""

    user_message: Mapping[str, str]
    actions: tuple[str, ...] = ()


def matches_pattern(pattern: str, value: str) -> bool:
    """True if value equals the pattern, or the pattern's part before a trailing `*` begins it."""
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    return value == pattern


def _generic_statuses() -> dict[str, StatusCode]:
    both = frozenset(AppliesTo)
    live = frozenset({Lifecycle.PENDING, Lifecycle.RUNNING, RETRY_WAIT, WAITING_USER_ACTION, NO_STATUS})
    severity = {Lifecycle.SUCCEEDED: Severity.SUCCESS, Lifecycle.FAILED: Severity.ERROR}
    tokens = {
        Lifecycle.PENDING: ("neutral", "clock"),
        Lifecycle.RUNNING: ("info", "play"),
        Lifecycle.SUCCEEDED: ("success", "check"),
        Lifecycle.FAILED: ("danger", "cross"),
        Lifecycle.CANCELLED: ("neutral", "slash"),
    }
    return {
        lifecycle: StatusCode(
            code=lifecycle,
            applies_to=both,
            lifecycle=lifecycle,
            display_name={"en": lifecycle.capitalize()},
            severity=severity.get(lifecycle, Severity.INFO),
            order=10 * (position + 1),
            initial=lifecycle is Lifecycle.PENDING,
            allowed_from=live,
            presentation={"colorToken": tokens[lifecycle][0], "iconKey": tokens[lifecycle][1]},
        )
        for position, lifecycle in enumerate(Lifecycle)
    }


RESERVED_STATUSES: Final[Mapping[str, StatusCode]] = {
    code: StatusCode(
        code=code,
        applies_to=frozenset({AppliesTo.TASK}),
        lifecycle=Lifecycle.RUNNING,
        display_name={"en": name},
        severity=Severity.WARNING,
        allowed_from=frozenset({ANY_STATUS}),
        presentation={"colorToken": "warning", "iconKey": icon},
    )
    for code, name, icon in (
        (RETRY_WAIT, "Waiting for a retry", "retry"),
        (WAITING_USER_ACTION, "Waiting for you", "hand"),
    )
}

GENERIC_SET: Final = StatusSet(
    task_type=None,
    version=None,
    statuses=_generic_statuses() | dict(RESERVED_STATUSES),
    task_data_schemas=frozenset({GENERIC_RESULT_SCHEMA}),
)


def builtin_operation(code: str) -> Operation:
    """The profile of an operation that no definition names (ruling 34)."""
    return Operation(
        code=code,
        task_type_pattern="*",
        version=BUILTIN_VERSION,
        display_name={},
        producer_pattern="*",
        allowed_event_types=WORKER_EVENTS,
        allowed_data_schemas={
            EventType.STEP_PROGRESS: frozenset({GENERIC_PROGRESS_SCHEMA}),
            EventType.STEP_COMPLETED: frozenset({GENERIC_RESULT_SCHEMA}),
        },
        failure_policy=FailurePolicy.FAIL_TASK,
        generic=True,
    )
