"""What every view of the services' API shares: read the body, know the caller, answer JSON."""

import logging
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from django.http import HttpRequest
from django.utils.translation import get_language
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from taskstatus.api.bodies import read_object
from taskstatus.api.parameters import members_of
from taskstatus.api.rendering import CompactJsonRenderer, QuickNegotiation
from taskstatus.commands.base import Command, Part
from taskstatus.domain.errors import DomainError, ErrorKind
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.bearer import read_service, read_service_or_execution
from taskstatus.identity.certificates import presented_thumbprint
from taskstatus.identity.principals import ExecutionClaims, Service, User
from taskstatus.projections.context import DEFAULT_LANGUAGE
from taskstatus.services.audit import audit_violations

P = TypeVar("P", bound=Part)

# OPTIONS isn't taken: there is nothing to tell that the OpenAPI document doesn't.
METHODS: Final[Sequence[str]] = ("get", "post", "put", "patch", "delete", "head")

log = logging.getLogger(__name__)


class ProblemView(APIView):
    """A path of the API. A view parses, calls one use case or query, and returns; refusals answer as problems."""

    http_method_names = METHODS
    renderer_classes: Sequence[type[BaseRenderer]] = (CompactJsonRenderer,)
    content_negotiation_class = QuickNegotiation
    principal: Service | ExecutionClaims | User | None = None

    def perform_authentication(self, request: Request) -> None:
        """Leave it to each view: DRF's own would put nobody in the place of Django's session user."""

    def body(self, request: Request, *, gzip: bool = False) -> dict[str, Any]:
        """The body's JSON object."""
        return read_object(plain(request), gzip=gzip)

    def command(self, request: Request, kind: type[P]) -> P:
        """The body as a command."""
        return kind.read(self.body(request))

    def query(self, request: Request, kind: type[P]) -> P:
        """The query parameters as a command; raises INVALID_FIELD or UNKNOWN_FIELD."""
        return kind.read(members_of(request.query_params, request.META["QUERY_STRING"], kind))

    @property
    def language(self) -> str:
        """The reader's language."""
        return get_language() or DEFAULT_LANGUAGE

    def handle_exception(self, exc: Exception) -> Response:
        """Answer a refusal; who could not prove who they are is logged, and a violation of somebody known audited."""
        if isinstance(exc, DomainError):
            if exc.kind is ErrorKind.UNAUTHENTICATED:
                log.warning("unauthenticated: %s", exc.code, extra={"action": route_of(self.request)})
            self.audit([exc])
        return super().handle_exception(exc)

    def audit(self, refusals: list[DomainError]) -> None:
        """Audit those of the refusals that are violations."""
        if self.principal is not None:
            audit_violations(self.principal, route_of(self.request), refusals)


class InternalView(ProblemView):
    """A path under /internal/v1, for services."""

    def service(self, request: Request, *roles: Role, command: Command | None = None) -> Service:
        """The calling service, which has one of these roles; what the command repeats of it has to agree."""
        caller = read_service(request.headers.get("Authorization"), presented_thumbprint(request.headers))
        self.principal = caller
        caller.require(*roles)
        require_own_scope(command, caller)
        return caller

    def service_or_execution(self, request: Request) -> Service | ExecutionClaims:
        """The calling service, or the execution whose token was sent."""
        caller = read_service_or_execution(request.headers.get("Authorization"), presented_thumbprint(request.headers))
        self.principal = caller
        return caller


def route_of(request: Request) -> str:
    """The method and the route that a request matched, without the ids in it."""
    match = plain(request).resolver_match
    return f"{request.method} /{match.route if match else ''}"


def plain(request: Request) -> HttpRequest:
    """Django's own request behind DRF's."""
    return request._request  # noqa: SLF001 - the only way to the unparsed stream


def require_own_scope(command: Command | None, caller: Service | ExecutionClaims) -> None:
    """Raise SCOPE_MISMATCH if a body names another tenant or scope than the credential's (protocol 2)."""
    if command is None:
        return
    if command.tenant_id not in (None, caller.tenant) or command.authority_scope not in (None, caller.scope):
        raise DomainError("SCOPE_MISMATCH", "tenantId and authorityScope have to be the caller's own.")


def producer_key(caller: Service | ExecutionClaims) -> str:
    """The key under which a producer's calls are counted."""
    return f"{caller.tenant}/{caller.producer_id}"


def created_or_ok(body: dict[str, Any], *, created: bool) -> Response:
    """201 for what was made now, 200 for what was there."""
    return Response(body, status=201 if created else 200)
