"""The kinds of members that commands are made of: characters and lengths of protocol 1."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, PlainValidator, StringConstraints
from pydantic_core import CoreSchema, PydanticUseDefault, core_schema

from taskstatus.domain import characters
from taskstatus.domain.identifiers import EXECUTION_ID, TASK_ID
from taskstatus.domain.timestamps import parse_rfc3339

MAX_INT = 2**63 - 1
# As many characters as a header of the usual servers takes.
MAX_TOKEN = 8_190
MAX_SECONDS = 604_800
MAX_TASK_SECONDS = 315_360_000
# A trailing `*` stands for any rest.
CODE_PATTERN = r"^([A-Z][A-Z0-9_.]*\*?|\*)$"


def _text(pattern: str, max_length: int) -> StringConstraints:
    return StringConstraints(strict=True, min_length=1, max_length=max_length, pattern=pattern)


def _instant(value: object) -> object:
    return parse_rfc3339(value) if isinstance(value, str) else value


def _amount(value: object) -> int | float:
    """A union would do, but for its errors, which name the tried types as if they were members."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_INT:
        raise ValueError("has to be a number from 0 to 2^63-1")
    return value


class _NullIsAbsent:
    """Lets null stand for the member's default (protocol, Values)."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        inner = handler(source)
        nullable = core_schema.nullable_schema(inner)
        return core_schema.no_info_before_validator_function(_unless_null, inner, json_schema_input_schema=nullable)


def _unless_null(value: object) -> object:
    if value is None:
        raise PydanticUseDefault
    return value


T = TypeVar("T")
Defaulted = Annotated[T, _NullIsAbsent()]

EventId = Annotated[str, _text(characters.CALLER_KEY, 64)]
ClientKey = Annotated[str, _text(characters.CALLER_KEY, 124)]
StepId = Annotated[str, _text(characters.CALLER_KEY, 128)]
CommandId = StepId
Code = Annotated[str, _text(characters.CODE, 64)]
LongCode = Annotated[str, _text(characters.CODE, 128)]
OperationPattern = Annotated[str, _text(CODE_PATTERN, 128)]
Name = Annotated[str, _text(characters.NAME, 64)]
Label = Annotated[str, _text(characters.PRINTABLE, 64)]
LongLabel = Annotated[str, _text(characters.PRINTABLE, 128)]
Reference = Annotated[str, _text(characters.PRINTABLE, 255)]
Title = Annotated[str, _text(characters.TITLE_TEXT, 255)]
UserMessage = Annotated[str, _text(characters.FREE_TEXT, 512)]
FreeText = Annotated[str, _text(characters.FREE_TEXT, 2000)]
TaskId = Annotated[str, StringConstraints(strict=True, max_length=40, pattern=TASK_ID)]
ExecutionId = Annotated[str, StringConstraints(strict=True, max_length=40, pattern=EXECUTION_ID)]
Handle = Label
Token = Annotated[str, _text(characters.PRINTABLE, MAX_TOKEN)]
Sequence63 = Annotated[int, Field(strict=True, ge=1, le=MAX_INT)]
DurationMs = Annotated[int, Field(strict=True, ge=0, le=MAX_INT)]
Version = Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)]
Attempt = Version
_AmountNumber = Annotated[float, Field(ge=0, le=MAX_INT)]
Amount = Annotated[int | float, PlainValidator(_amount, json_schema_input_type=_AmountNumber)]
Interval = Annotated[int, Field(strict=True, ge=1, le=3600)]
Seconds = Annotated[int, Field(strict=True, ge=1, le=MAX_SECONDS)]
TaskSeconds = Annotated[int, Field(strict=True, ge=1, le=MAX_TASK_SECONDS)]
Limit = Annotated[int, Field(strict=True, ge=0, le=100_000)]
Flag = Annotated[bool, Field(strict=True)]
_InstantText = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Instant = Annotated[datetime, BeforeValidator(_instant, json_schema_input_type=_InstantText)]
JsonObject = Annotated[dict[str, Any], Field(strict=True)]
FailurePolicyWord = Literal["FAIL_TASK", "RETRY_THEN_FAIL_TASK", "CONTINUE_WITH_WARNING", "WAIT_FOR_USER"]
