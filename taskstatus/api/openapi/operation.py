"""One decorator for every view method: what it takes, answers and refuses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiRequest, OpenApiResponse, extend_schema
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from taskstatus.api.openapi import problems

JSON_TYPE: Final = "application/json"
SERVICE_TOKEN: Final = "serviceToken"  # noqa: S105 - the name of a scheme
EXECUTION_TOKEN: Final = "executionToken"  # noqa: S105 - likewise
USER_TOKEN: Final = "userToken"  # noqa: S105 - likewise
SESSION_COOKIE: Final = "sessionCookie"

Json = Mapping[str, Any]
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Takes:
    """A request body and an example of it."""

    model: type[BaseModel]
    example: Json


@dataclass(frozen=True, slots=True)
class Answers:
    """A success: when it is given, and an example; without a model it has no body, or one that is no JSON."""

    when: str
    model: type[BaseModel] | None = None
    example: Json | str = field(default_factory=dict)
    media_type: str = JSON_TYPE


def operation(  # noqa: PLR0913 - each is named where it is given
    operation_id: str,
    tag: str,
    summary: str,
    description: str,
    *,
    answers: Mapping[int, Answers],
    refuses: Iterable[str],
    takes: Takes | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    proved_by: Sequence[str] = (SERVICE_TOKEN,),
) -> Callable[[View], View]:
    """Describe a view method; `refuses` lists every code that it may answer with."""
    codes = list(refuses)
    member = _a_member(takes, parameters)
    decorate: Callable[[View], View] = extend_schema(
        operation_id=operation_id,
        tags=[tag],
        summary=summary,
        description=description,
        request=_request(takes),
        parameters=[*parameters, *(problems.headers(codes) if codes else ())],
        responses={**_successes(answers), **problems.responses(codes, member)},
        auth=[{scheme: []} for scheme in proved_by] or [{}],
    )
    return decorate


def in_path(name: str, description: str, **schema: Any) -> OpenApiParameter:
    """A parameter that stands in the path; its form is said, and judged where a body's member would be."""
    return OpenApiParameter(name, {"type": "string", **schema}, OpenApiParameter.PATH, description=description)


def in_query(name: str, description: str, *, required: bool = True, **schema: Any) -> OpenApiParameter:
    """A query parameter."""
    return OpenApiParameter(
        name, {"type": "string", **schema}, OpenApiParameter.QUERY, required=required, description=description
    )


def any_of(name: str, description: str, **schema: Any) -> OpenApiParameter:
    """A filter that may be sent several times and then means any of its values."""
    return in_query(name, description, required=False, type="array", items={"type": "string", **schema})


def in_header(name: str, description: str, **schema: Any) -> OpenApiParameter:
    """A request header that may be sent."""
    return OpenApiParameter(name, {"type": "string", **schema}, OpenApiParameter.HEADER, description=description)


def out_header(name: str, description: str, statuses: Sequence[int], **schema: Any) -> OpenApiParameter:
    """A header that comes with these statuses."""
    return OpenApiParameter(
        name,
        {"type": "string", **schema},
        OpenApiParameter.HEADER,
        required=True,
        description=description,
        response=list(statuses),
    )


def _request(takes: Takes | None) -> Mapping[str, OpenApiRequest] | None:
    if takes is None:
        return None
    return {JSON_TYPE: OpenApiRequest(takes.model, examples=[OpenApiExample("Request", value=takes.example)])}


def _successes(answers: Mapping[int, Answers]) -> dict[tuple[int, str], OpenApiResponse]:
    return {
        (status, answer.media_type): OpenApiResponse(
            response=answer.model or (None if answer.media_type == JSON_TYPE else str),
            description=answer.when,
            examples=[OpenApiExample("Answer", value=answer.example)] if answer.example else [],
        )
        for status, answer in answers.items()
    }


def _a_member(takes: Takes | None, parameters: Sequence[OpenApiParameter]) -> str:
    """What examples of refusals point at: a member of the body, else a parameter."""
    names = [*(takes.example if takes else ()), *(parameter.name for parameter in parameters if not parameter.response)]
    return f"/{to_camel(names[0])}" if names else "/verbose"
