"""Whether the process is there, and whether it can serve (protocol 5)."""

import logging

from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

log = logging.getLogger(__name__)


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """The process answers; says nothing of what it needs."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """The process can serve: its database answers and knows our tables."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM data_epoch")
    except (DatabaseError, InterfaceError):
        log.warning("not ready: the database doesn't answer", exc_info=True)
        connection.close()
        return JsonResponse({"status": "unavailable", "database": "unavailable"}, status=503)
    return JsonResponse({"status": "ok", "database": "ok"})
