"""What one execution says about itself. Each execution has a reporter of its own; nothing is shared between them."""

import time
from typing import Any

from examples.document_pipeline.heartbeats import Pulse, Sign
from examples.document_pipeline.status_client import StatusClient


class StepError(Exception):
    """A failure that users are told of: a stable code, safe words, and whether another attempt may succeed."""

    def __init__(self, category: str, code: str, user_message: str, *, retryable: bool) -> None:
        super().__init__(code)
        self.body = {"category": category, "code": code, "userMessage": user_message, "retryable": retryable}


class WorkCancelledError(Exception):
    """A user wants the work to be cancelled; `outcome` is what its coordinator has to know of it."""

    def __init__(self, **outcome: Any) -> None:
        super().__init__("cancelled")
        self.outcome = {"cancelled": True, **outcome}


class Reporter:
    """Reports by handle beside the service's own token.

    The ids of events follow from the execution, so that a resend is the same event.
    """

    def __init__(self, client: StatusClient, context: dict[str, Any], pulse: Pulse) -> None:
        self._client = client
        self._pulse = pulse
        self._sign = Sign(context)
        self._handle = context["executionHandle"]
        self._execution = context["executionId"]
        self._seq = context["sourceSeqStart"] - 1
        self._progress_seq = 0
        self._began = time.monotonic()

    def started(self, status: str | None = None) -> None:
        """The work begins, and beats from now on."""
        self._report("STEP_STARTED", businessStatus=status)
        self._pulse.begin(self._sign)

    def take_time(self, seconds: float) -> None:
        """Let the work take its time; raises WorkCancelledError as soon as somebody wants it to be cancelled."""
        if self._sign.cancelled.wait(seconds):
            raise WorkCancelledError

    def progress(self, current: int, total: int, unit: str, **members: Any) -> None:
        """How far the work has come."""
        self._progress_seq += 1
        amount = {"current": current, "total": total, "unit": unit}
        self._report("STEP_PROGRESS", progressSeq=self._progress_seq, progress=amount, **members)

    def completed(self, schema: str, value: dict[str, Any], status: str | None = None) -> None:
        """The work is done."""
        data = {"schema": schema, "value": value}
        self._report("STEP_COMPLETED", data=data, durationMs=self._elapsed_ms(), businessStatus=status)

    def failed(self, error: StepError, status: str | None = None) -> None:
        """The work has failed."""
        self._report("STEP_FAILED", error=error.body, durationMs=self._elapsed_ms(), businessStatus=status)

    def cancelled(self) -> None:
        """The work was given up, as was asked for."""
        self._report("STEP_CANCELLED", durationMs=self._elapsed_ms(), businessStatus="CANCELLED")

    def close(self) -> None:
        """Beat no more."""
        self._pulse.end(self._sign)

    def _elapsed_ms(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def _report(self, event_type: str, **members: Any) -> None:
        self._seq += 1
        event = {
            "eventId": f"{self._execution}:{self._seq}",
            "eventType": event_type,
            "sourceSeq": self._seq,
            "executionHandle": self._handle,
        }
        self._client.post("/task-events", {**event, **members})
