"""Reported events, one by one and in batches (protocol 4.3)."""

import re
from typing import Any, Final

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, producer_key, require_own_scope
from taskstatus.api.bodies import require_batch_size
from taskstatus.api.errors import problem
from taskstatus.api.openapi import events as described
from taskstatus.api.throttles import throttle
from taskstatus.commands.events import MAX_EVENTS, ReportBatch, ReportEvent
from taskstatus.domain.characters import CALLER_KEY
from taskstatus.domain.errors import DomainError
from taskstatus.services.accept_events import accept_event, accept_events

_EVENT_ID: Final = re.compile(CALLER_KEY)
_MAX_EVENT_ID: Final = 64


class EventsView(InternalView):
    """Single reports."""

    @described.report_event
    def post(self, request: Request) -> Response:
        """Accept one event."""
        report = self.command(request, ReportEvent)
        caller = self.service_or_execution(request)
        throttle("reports", producer_key(caller))
        return Response(accept_event(report, caller, request.headers.get("Idempotency-Key")))


class EventBatchView(InternalView):
    """Many reports in one request."""

    @described.report_events
    def post(self, request: Request) -> Response:
        """Accept up to 500 events, each by itself."""
        batch = read_batch(self.body(request, gzip=True))
        caller = self.service_or_execution(request)
        require_own_scope(batch, caller)
        throttle("reports", producer_key(caller), cost=len(batch.events))
        read = [_read(item) for item in batch.events]
        outcomes = accept_events([item for item in read if isinstance(item, ReportEvent)], caller)
        self.audit([outcome for outcome in outcomes if isinstance(outcome, DomainError)])
        accepted = iter(outcomes)
        results = [
            _result(item, next(accepted) if isinstance(read_item, ReportEvent) else read_item)
            for item, read_item in zip(batch.events, read, strict=True)
        ]
        return Response({"results": results})


def read_batch(body: dict[str, Any]) -> ReportBatch:
    """The envelope; its events are read one by one later. Raises BATCH_TOO_LARGE, INVALID_FIELD, UNKNOWN_FIELD."""
    require_batch_size(body, "events", MAX_EVENTS)
    return ReportBatch.read(body)


def _read(item: dict[str, Any]) -> ReportEvent | DomainError:
    try:
        return ReportEvent.read(item)
    except DomainError as error:
        return error


def _result(item: dict[str, Any], outcome: dict[str, Any] | DomainError) -> dict[str, Any]:
    if not isinstance(outcome, DomainError):
        return outcome
    event_id = item.get("eventId")
    readable = isinstance(event_id, str) and len(event_id) <= _MAX_EVENT_ID and _EVENT_ID.fullmatch(event_id)
    return {"eventId": event_id if readable else None, "accepted": False, "error": problem(outcome)}
