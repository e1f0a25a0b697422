"""Says whether the process is there, and whether it can serve (protocol 5)."""

import logging
from collections.abc import Iterable

from django.db import DatabaseError, InterfaceError, connection
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from taskstatus.api.base import METHODS
from taskstatus.api.openapi import probes as described

log = logging.getLogger(__name__)


class OnlyJson(BaseContentNegotiation):
    """JSON, whatever `Accept` asks for: a probe must not fail for a header."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> None:
        """Read no body."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - the signature is inherited
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 - likewise
    ) -> tuple[BaseRenderer, str]:
        """Choose the only one."""
        only = next(iter(renderers))
        return only, only.media_type


class ProbeView(APIView):
    """A path for whatever watches over the process."""

    http_method_names = METHODS
    content_negotiation_class = OnlyJson


class HealthzView(ProbeView):
    """Whether the process is there."""

    @described.healthz
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the signature is DRF's
        """The process answers; says nothing of what it needs."""
        return Response({"status": "ok"})


class ReadyzView(ProbeView):
    """Whether the process can serve."""

    @described.readyz
    def get(self, request: Request) -> Response:  # noqa: ARG002 - likewise
        """The process can serve: its database answers and knows our tables."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM data_epoch")
        except (DatabaseError, InterfaceError):
            log.warning("not ready: the database doesn't answer", exc_info=True)
            connection.close()
            return Response({"status": "unavailable", "database": "unavailable"}, status=503)
        return Response({"status": "ok", "database": "ok"})
