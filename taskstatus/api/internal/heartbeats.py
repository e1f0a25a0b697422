"""Heartbeats: one request for many executions, and what each of their workers is told (protocol 4.4)."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from taskstatus.api.base import InternalView, producer_key
from taskstatus.api.bodies import require_batch_size
from taskstatus.api.openapi import heartbeats as described
from taskstatus.api.throttles import throttle
from taskstatus.commands.heartbeats import MAX_HEARTBEATS, HeartbeatBatch
from taskstatus.domain.beats import BeatReason, LiveExecution
from taskstatus.domain.errors import DomainError
from taskstatus.domain.leases import next_interval
from taskstatus.domain.lifecycle import Role
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.services.renew_leases import BeatOutcome, renew_leases


class HeartbeatBatchView(InternalView):
    """Signs of life of a worker's executions."""

    @described.renew_leases
    def post(self, request: Request) -> Response:
        """Renew up to 1,000 leases, each by itself."""
        batch = read_batch(self.body(request, gzip=True))
        caller = self.service(request, Role.WORKER, command=batch)
        throttle("heartbeats", producer_key(caller), cost=len(batch.heartbeats))
        renewals = renew_leases(batch.heartbeats, caller)
        self._audit(renewals.outcomes)
        return Response(
            {
                "results": [result(outcome) for outcome in renewals.outcomes],
                "receivedAt": format_utc_millis(renewals.received_at),
                "epoch": str(renewals.epoch),
            }
        )

    def _audit(self, outcomes: list[BeatOutcome]) -> None:
        """Audit once that a producer beats for another's executions: it does so every few seconds."""
        if any(outcome.reason is BeatReason.PRODUCER_MISMATCH for outcome in outcomes):
            self.audit([DomainError("PRODUCER_MISMATCH", "Beats came with credentials of another producer.")])


def read_batch(body: dict[str, Any]) -> HeartbeatBatch:
    """The beats. Raises BATCH_TOO_LARGE, INVALID_FIELD, UNKNOWN_FIELD."""
    require_batch_size(body, "heartbeats", MAX_HEARTBEATS)
    return HeartbeatBatch.read(body)


def result(outcome: BeatOutcome) -> dict[str, Any]:
    """What the sender of a beat is told; null where its credential lets it know nothing."""
    known = outcome.execution
    return {
        "executionId": outcome.execution_id,
        "accepted": outcome.reason is None,
        "duplicate": outcome.duplicate,
        "health": known.health if known else None,
        "reason": outcome.reason,
        "leaseUntil": format_utc_millis(outcome.lease_until) if outcome.lease_until else None,
        "nextIntervalSeconds": _next_interval(known) if known else None,
        "cancelRequested": known.cancel_requested_at is not None if known else None,
        "superseded": known.attempt_reason is not None if known else None,
    }


def _next_interval(execution: LiveExecution) -> int | None:
    """When to beat again; an execution that has ended or was superseded has no next beat."""
    if execution.has_ended or execution.attempt_reason is not None:
        return None
    return next_interval(execution.interval_seconds, execution.timeout_seconds)
