"""Refusals as HTTP says them: RFC 9457 problem details, whatever `Accept` asks for (protocol 3)."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response

from taskstatus.domain.errors import DomainError, ErrorKind
from taskstatus.services.database_errors import refusal_of, trouble_of

PROBLEM_TYPE: Final = "application/problem+json"

STATUS: Final[Mapping[ErrorKind, HTTPStatus]] = {
    ErrorKind.INVALID: HTTPStatus.BAD_REQUEST,
    ErrorKind.METHOD_NOT_ALLOWED: HTTPStatus.METHOD_NOT_ALLOWED,
    ErrorKind.NOT_ACCEPTABLE: HTTPStatus.NOT_ACCEPTABLE,
    ErrorKind.UNSUPPORTED_MEDIA_TYPE: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ErrorKind.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    ErrorKind.FORBIDDEN: HTTPStatus.FORBIDDEN,
    ErrorKind.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorKind.CONFLICT: HTTPStatus.CONFLICT,
    ErrorKind.GONE: HTTPStatus.GONE,
    ErrorKind.PRECONDITION: HTTPStatus.PRECONDITION_FAILED,
    ErrorKind.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ErrorKind.UNPROCESSABLE: HTTPStatus.UNPROCESSABLE_ENTITY,
    ErrorKind.PRECONDITION_REQUIRED: HTTPStatus.PRECONDITION_REQUIRED,
    ErrorKind.LIMITED: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorKind.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorKind.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}

log = logging.getLogger(__name__)


def problem(error: DomainError) -> dict[str, Any]:
    """The problem document of a refusal."""
    document: dict[str, Any] = {
        "type": f"urn:task-status:{error.code}",
        "title": error.code.replace("_", " ").capitalize(),
        "status": STATUS[error.kind].value,
        "detail": error.detail,
        "code": error.code,
        "retryable": error.retryable,
    }
    if error.errors:
        document["errors"] = [{"pointer": e.pointer, "code": e.code, "detail": e.detail} for e in error.errors]
    if error.current:
        document["current"] = error.current
    return document


def problem_response(error: DomainError) -> HttpResponse:
    """The HTTP answer of a refusal, with the headers that belong to it."""
    document = problem(error)
    response = JsonResponse(document, status=document["status"], content_type=PROBLEM_TYPE)
    if error.retry_after_seconds is not None:
        response["Retry-After"] = str(error.retry_after_seconds)
    if error.kind is ErrorKind.UNAUTHENTICATED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def problem_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | Response | None:
    """DRF's exception handler: refusals become problems, anything unforeseen a bare 500."""
    if isinstance(error, DomainError):
        return problem_response(error)
    if isinstance(error, exceptions.MethodNotAllowed):
        response = problem_response(DomainError("METHOD_NOT_ALLOWED", "This path doesn't take that method."))
        response["Allow"] = ", ".join(context["view"].allowed_methods)
        return response
    if isinstance(error, exceptions.NotAcceptable):
        return problem_response(DomainError("NOT_ACCEPTABLE", "Answers are application/json."))
    if isinstance(error, DatabaseError | InterfaceError) and (trouble := trouble_of(error)):
        log.warning("database error outside a use case", exc_info=error)
        return problem_response(refusal_of(trouble))
    log.error("unforeseen error", exc_info=error)
    return problem_response(DomainError("INTERNAL_ERROR", "Something went wrong here. Nothing was changed."))


@csrf_exempt
def path_not_found(_request: HttpRequest, *_args: object, **_kwargs: object) -> HttpResponse:
    """The answer of a path below the API's roots that doesn't exist."""
    return problem_response(DomainError("PATH_NOT_FOUND", "There is no such path."))
