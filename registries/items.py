"""The content of definitions as values: what a file says and a row holds, in good form, with its defaults.

Field names are the rows' column names; the file spells them in camelCase. The rules of publishing come on top
(`registries.publishing`): a draft may break those, but not the forms here.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from registries.forms import (
    CODES_AND_STARS,
    MAX_INT,
    NAMES_AND_STARS,
    AllowedFrom,
    Code64,
    Code128,
    LanguageTag,
    MemberName,
    Name64,
    SchemaName,
    SchemaNames,
    Seconds,
    Text255,
    Text512,
    Version,
    as_a_set,
)
from registries.item import Item, Key, named_by_code
from registries.states import State
from taskstatus.domain.lifecycle import (
    TERMINAL,
    AppliesTo,
    Audience,
    EventType,
    FailurePolicy,
    Lifecycle,
    Mask,
    SequencePolicy,
    Severity,
)


class DataSchemaItem(Item):
    """One data schema; the file has no state for it, it is published by being loaded."""

    kind: ClassVar[str] = "data schema"
    state: ClassVar[State] = State.PUBLISHED

    name: SchemaName
    max_bytes: StrictInt = 4096
    json_schema: Annotated[dict[str, Any], Field(alias="schema")]
    views: dict[Audience, list[MemberName]] = {}
    masks: dict[MemberName, Mask] = {}

    @property
    def key(self) -> Key:
        """What tells it from the scope's other definitions."""
        return self.kind, self.name

    @property
    def label(self) -> str:
        """What people call it."""
        return self.name


class StatusItem(Item):
    """One code of a set, for tasks, steps or both."""

    code: Code64
    applies_to: Annotated[list[AppliesTo], Field(min_length=1), AfterValidator(as_a_set)]
    display_name: dict[LanguageTag, Text255]
    lifecycle: Lifecycle
    terminal: StrictBool
    severity: Severity = Severity.INFO
    order: Annotated[StrictInt, Field(ge=-MAX_INT, le=MAX_INT)] = 0
    initial: StrictBool = False
    allowed_from: Annotated[list[AllowedFrom], AfterValidator(as_a_set)] = []
    presentation: dict[str, str] = {}

    @classmethod
    def _defaults(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        ends = {"terminal": given.get("lifecycle") in list(TERMINAL)}
        return named_by_code(given) | ends

    @property
    def is_task_code(self) -> bool:
        """Whether a task can have it."""
        return AppliesTo.TASK in self.applies_to


class StatusSetItem(Item):
    """One version of a task type's business statuses."""

    kind: ClassVar[str] = "status set"

    task_type: Code128
    version: Version
    state: State
    task_data_schemas: SchemaNames = []
    statuses: list[StatusItem] = []

    @property
    def key(self) -> Key:
        """What tells it from the scope's other definitions."""
        return self.kind, self.task_type, self.version

    @property
    def label(self) -> str:
        """What people call it."""
        return f"{self.task_type} v{self.version}"

    def content(self) -> str:
        """Return what is frozen by publishing; in which order the file lists the codes means nothing."""
        in_order = sorted(self.statuses, key=lambda status: (status.code, status.applies_to))
        return super(StatusSetItem, self.model_copy(update={"statuses": in_order})).content()


class ErrorItem(Item):
    """What users read for an error code, and what they are offered to do."""

    code: Code128
    user_message: dict[LanguageTag, Text512] = {}
    actions: list[Code64] = []


def _by_code(errors: list[ErrorItem]) -> list[ErrorItem]:
    return sorted(errors, key=attrgetter("code"))


class OperationItem(Item):
    """One version of an operation for the task types of a pattern."""

    kind: ClassVar[str] = "operation"

    code: Code128
    task_type_pattern: Annotated[str, Field(strict=True, max_length=128, pattern=CODES_AND_STARS)] = "*"
    version: Version
    state: State
    display_name: dict[LanguageTag, Text255]
    producer_pattern: Annotated[str, Field(strict=True, max_length=128, pattern=NAMES_AND_STARS)]
    allowed_event_types: Annotated[list[EventType], AfterValidator(as_a_set)]
    allowed_data_schemas: dict[EventType, SchemaNames] = {}
    failure_policy: FailurePolicy
    max_attempts: Version = 3
    heartbeat_interval_seconds: Annotated[Seconds, Field(le=3600)] = 15
    heartbeat_timeout_seconds: Seconds = 60
    no_progress_seconds: Seconds | None = None
    start_deadline_seconds: Seconds | None = None
    sequence_policy: SequencePolicy = SequencePolicy.GAPS_ALLOWED
    policy_executor: Name64 | None = None
    progress_min_interval_seconds: Annotated[float, Field(strict=True, ge=0.1, le=60)] = 1.0
    stale_escalation_seconds: Seconds | None = None
    errors: Annotated[list[ErrorItem], AfterValidator(_by_code)] = []
    generic: StrictBool = False

    @property
    def key(self) -> Key:
        """What tells it from the scope's other definitions."""
        return self.kind, self.code, self.task_type_pattern, self.version

    @property
    def label(self) -> str:
        """What people call it."""
        pattern = "" if self.task_type_pattern == "*" else f" for {self.task_type_pattern}"
        return f"{self.code} v{self.version}{pattern}"

    @classmethod
    def _defaults(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        return named_by_code(given)


DefinitionItem = DataSchemaItem | StatusSetItem | OperationItem
