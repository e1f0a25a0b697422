"""Every refusal the service can give: its code, its kind, and what goes with it.

Adapters own the numbers: HTTP and gRPC each map a kind to a status of theirs (protocol 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final


class ErrorKind(StrEnum):
    """The families of refusals; one row each in protocol 3's table."""

    INVALID = "INVALID"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    NOT_FOUND = "NOT_FOUND"
    CONFLICT = "CONFLICT"
    GONE = "GONE"
    PRECONDITION = "PRECONDITION"
    TOO_LARGE = "TOO_LARGE"
    UNPROCESSABLE = "UNPROCESSABLE"
    PRECONDITION_REQUIRED = "PRECONDITION_REQUIRED"
    LIMITED = "LIMITED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"


_CODES: Final[dict[ErrorKind, str]] = {
    ErrorKind.INVALID: "MALFORMED_BODY INVALID_FIELD UNKNOWN_FIELD IDEMPOTENCY_KEY_MISMATCH",
    ErrorKind.METHOD_NOT_ALLOWED: "METHOD_NOT_ALLOWED",
    ErrorKind.NOT_ACCEPTABLE: "NOT_ACCEPTABLE",
    ErrorKind.UNSUPPORTED_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
    ErrorKind.UNAUTHENTICATED: "TOKEN_MISSING TOKEN_INVALID TOKEN_EXPIRED HANDLE_EXPIRED",
    ErrorKind.FORBIDDEN: (
        "ROLE_REQUIRED PERMISSION_REQUIRED SCOPE_MISMATCH PRODUCER_MISMATCH OPERATION_MISMATCH ATTEMPT_MISMATCH "
        "EVENT_TYPE_NOT_ALLOWED TASK_TYPE_MISMATCH CHILD_OPERATION_NOT_ALLOWED PARENT_NOT_ALLOWED"
    ),
    ErrorKind.NOT_FOUND: (
        "WORKFLOW_NOT_FOUND TASK_NOT_FOUND STEP_NOT_REGISTERED EXECUTION_NOT_FOUND EVENT_NOT_FOUND "
        "DEFINITION_NOT_FOUND PATH_NOT_FOUND"
    ),
    ErrorKind.CONFLICT: (
        "EVENT_ID_REUSED CLIENT_KEY_REUSED EXTERNAL_REF_TAKEN TERMINAL_STATE ILLEGAL_TRANSITION "
        "ATTEMPT_STILL_RUNNING ATTEMPT_LIMIT WORKFLOW_SEALED CLASSIFICATION_FROZEN SEQUENCE_GAP"
    ),
    ErrorKind.GONE: "TIMELINE_PURGED EVENT_WINDOW_CLOSED TASK_ARCHIVED",
    ErrorKind.PRECONDITION: "VERSION_MISMATCH",
    ErrorKind.TOO_LARGE: "BODY_TOO_LARGE DATA_TOO_LARGE BATCH_TOO_LARGE",
    ErrorKind.UNPROCESSABLE: (
        "SCHEMA_NOT_ALLOWED DATA_REJECTED UNKNOWN_BUSINESS_STATUS STATUS_NOT_REACHABLE UNKNOWN_OPERATION"
    ),
    ErrorKind.PRECONDITION_REQUIRED: "IF_MATCH_REQUIRED",
    ErrorKind.LIMITED: (
        "RATE_LIMITED DYNAMIC_STEP_LIMIT DEPTH_LIMIT PARALLEL_LIMIT REGISTRATION_RATE_LIMIT "
        "DETAIL_SUBSCRIPTION_LIMIT WATCH_SET_LIMIT STREAM_LIMIT"
    ),
    ErrorKind.UNAVAILABLE: "DATABASE_BUSY DATABASE_UNAVAILABLE ROUTE_UNKNOWN",
    ErrorKind.INTERNAL: "INTERNAL_ERROR",
}

KIND_OF: Final[Mapping[str, ErrorKind]] = {code: kind for kind, codes in _CODES.items() for code in codes.split()}

RETRYABLE: Final = frozenset(
    {"RATE_LIMITED", "PARALLEL_LIMIT", "REGISTRATION_RATE_LIMIT"} | set(_CODES[ErrorKind.UNAVAILABLE].split())
)


@dataclass(frozen=True, slots=True)
class FieldError:
    """One bad member: an RFC 6901 pointer into the body (or a parameter's name), a code, and what is wrong."""

    pointer: str
    code: str
    detail: str


class DomainError(Exception):
    """A refusal with a stable code; raising it changes nothing in the database.

    `detail` is English and safe to show. `current` holds authoritative values the caller may need
    (protocol 3), `retry_after_seconds` accompanies retryable codes.
    """

    DEFAULT_RETRY_SECONDS: ClassVar[int] = 1

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        current: Mapping[str, str] | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.current = dict(current or {})
        self.retryable = code in RETRYABLE
        self.retry_after_seconds = (retry_after_seconds or self.DEFAULT_RETRY_SECONDS) if self.retryable else None

    @property
    def kind(self) -> ErrorKind:
        """The family of this code; an unknown code is a programming error and raises KeyError."""
        return KIND_OF[self.code]


def invalid_field(pointer: str, detail: str) -> DomainError:
    """The refusal of one bad member, found by a rule that a schema can't express."""
    return DomainError("INVALID_FIELD", detail, errors=[FieldError(pointer, "INVALID_FIELD", detail)])
