"""Refusals in the document: RFC 9457 problems, every status with the codes that may come with it (protocol 3)."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from pydantic import Field

from taskstatus.api.errors import PROBLEM_TYPE, STATUS, problem
from taskstatus.api.openapi.answers import Answer
from taskstatus.api.openapi.pydantic_schema import REF_TEMPLATE
from taskstatus.api.openapi.refusals import MEANINGS
from taskstatus.domain.errors import KIND_OF, RETRYABLE, DomainError, FieldError

Json = dict[str, Any]
Responses = dict[tuple[int, str], OpenApiResponse]


class BadMember(Answer):
    """One bad member of a body, or one bad parameter."""

    pointer: Annotated[str, Field(description="An RFC 6901 pointer into the body, or / and a parameter's name.")]
    code: Annotated[str, Field(description="INVALID_FIELD, UNKNOWN_FIELD or DATA_REJECTED.")]
    detail: Annotated[str, Field(description="What is wrong with it, in English.")]


class Problem(Answer):
    """Why a call was refused (RFC 9457). Nothing was changed."""

    type: Annotated[str, Field(pattern="^urn:task-status:[A-Z_]+$", description="A name for this kind of problem.")]
    title: Annotated[str, Field(description="The code in words.")]
    status: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    detail: Annotated[str, Field(description="What is wrong this time, in English.")]
    code: Annotated[str, Field(pattern="^[A-Z_]+$", description="What machines act on.")]
    retryable: Annotated[bool, Field(description="Whether the same call may succeed later; see Retry-After then.")]
    errors: Annotated[list[BadMember], Field(default_factory=list, description="Every bad member, the first 50.")]
    current: Annotated[
        dict[str, str], Field(default_factory=dict, description="The values that hold, where they help.")
    ]


_BAD_MEMBER_CODES: Final = frozenset({"INVALID_FIELD", "UNKNOWN_FIELD", "DATA_REJECTED"})
_CURRENT: Final = {
    "ATTEMPT_STILL_RUNNING": {"attempt": "1"},
    "ATTEMPT_MISMATCH": {"taskAttempt": "1"},
    "TERMINAL_STATE": {"lifecycleStatus": "SUCCEEDED"},
    "ILLEGAL_TRANSITION": {"lifecycleStatus": "PENDING"},
    "SEQUENCE_GAP": {"sourceSeq": "4"},
    "STATUS_NOT_REACHABLE": {"businessStatus": "QUEUED"},
    "TIMELINE_PURGED": {"oldestTaskVersion": "7"},
}


def responses(codes: Iterable[str], member: str) -> Responses:
    """One response for each HTTP status that these codes lead to; examples point at `member`."""
    ordered = sorted(dict.fromkeys(codes), key=_status)
    return {
        (status, PROBLEM_TYPE): _response(status, list(group), member) for status, group in groupby(ordered, _status)
    }


def headers(codes: Iterable[str]) -> list[OpenApiParameter]:
    """The headers that go with refusals: how to prove oneself, and when to come back."""
    waiting = sorted({_status(code) for code in codes if code in RETRYABLE})
    told = [
        OpenApiParameter(
            "WWW-Authenticate",
            {"type": "string", "const": "Bearer"},
            OpenApiParameter.HEADER,
            required=True,
            description="How to prove oneself.",
            response=[401],
        ),
        OpenApiParameter(
            "Retry-After",
            {"type": "integer", "minimum": 1},
            OpenApiParameter.HEADER,
            description="Seconds to wait; there whenever retryable is true.",
            response=waiting,
        ),
    ]
    return told if waiting else told[:1]


def example(code: str, member: str) -> Json:
    """The problem document that a refusal with this code looks like."""
    errors = [FieldError(member, code, MEANINGS[code].partition(";")[0])] if code in _BAD_MEMBER_CODES else []
    return problem(DomainError(code, MEANINGS[code], errors=errors, current=_CURRENT.get(code)))


def _status(code: str) -> int:
    return STATUS[KIND_OF[code]].value


def _response(status: int, codes: list[str], member: str) -> OpenApiResponse:
    told = "\n".join(f"- `{code}`: {MEANINGS[code]}" for code in codes)
    return OpenApiResponse(
        response=_schema(status, codes),
        description=f"{STATUS[KIND_OF[codes[0]]].phrase}\n\n{told}",
        examples=[OpenApiExample(code, value=example(code, member)) for code in codes],
    )


def _schema(status: int, codes: list[str]) -> Json:
    these = {"status": {"const": status}, "code": {"enum": codes}}
    return {"allOf": [{"$ref": REF_TEMPLATE.format(model=Problem.__name__)}, {"properties": these}]}
