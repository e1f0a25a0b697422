"""Signs of life: all executions of one producer in a process beat together, and each hears what it is told.

Beating is never what stops the work: a beat that does not get through is sent again, and the next one comes anyway.
"""

import logging
import random
import threading
import time
from typing import Any, Final

import requests

from examples.document_pipeline.status_client import RefusedError, StatusClient

# Whose turn comes within this time beats along with those whose turn it is.
TOGETHER_SECONDS: Final = 1.0
# Beats come up to a fifth early, so that those who began at the same moment don't stay together for ever.
EARLIEST: Final = 0.8

log = logging.getLogger(__name__)


class Sign:
    """One execution's: when to beat next, and whether a user wants it to be cancelled."""

    def __init__(self, context: dict[str, Any]) -> None:
        self.execution_id: str = context["executionId"]
        self.cancelled = threading.Event()
        self.due_at = 0.0
        self._handle = context["executionHandle"]
        self._interval_seconds: float = context["heartbeatIntervalSeconds"]
        self._seq = 0

    def beat(self) -> dict[str, Any]:
        """The next beat; its number is never used again."""
        self._seq += 1
        return {"executionId": self.execution_id, "heartbeatSeq": self._seq, "executionHandle": self._handle}

    def hear(self, result: dict[str, Any]) -> None:
        """Take what the service says; a refusal says why, and is no order to stop."""
        if result["reason"] is not None:
            log.debug("a beat of %s renewed nothing: %s", self.execution_id, result["reason"])
        if result["cancelRequested"]:
            self.cancelled.set()
        self.rest(result["nextIntervalSeconds"])

    def rest(self, seconds: float | None = None) -> None:
        """Be due again after these seconds, or as long as before."""
        self._interval_seconds = seconds or self._interval_seconds
        self.due_at = time.monotonic() + self._interval_seconds * random.uniform(EARLIEST, 1)  # noqa: S311


class Pulse:
    """Beats for one producer, from a thread of its own."""

    def __init__(self, client: StatusClient) -> None:
        self._client = client
        self._signs: dict[str, Sign] = {}
        self._turn = threading.Condition()

    def start(self) -> None:
        """Beat in the background until the process ends."""
        threading.Thread(target=self._run, daemon=True).start()

    def begin(self, sign: Sign) -> None:
        """Beat for this execution from now on; the first time at once."""
        with self._turn:
            self._signs[sign.execution_id] = sign
            self._turn.notify()

    def end(self, sign: Sign) -> None:
        """Beat for it no more."""
        with self._turn:
            self._signs.pop(sign.execution_id, None)

    def _run(self) -> None:
        while True:
            self.send(self._wait())

    def _wait(self) -> list[Sign]:
        """Wait until some execution is due; those that are so soon are among them."""
        with self._turn:
            while True:
                now = time.monotonic()
                next_at = min((sign.due_at for sign in self._signs.values()), default=None)
                if next_at is not None and next_at <= now:
                    return [sign for sign in self._signs.values() if sign.due_at <= now + TOGETHER_SECONDS]
                self._turn.wait(None if next_at is None else next_at - now)

    def send(self, signs: list[Sign]) -> None:
        """Beat once for each of them, in one request."""
        beats = [sign.beat() for sign in signs]
        try:
            results = self._client.post("/task-heartbeats:batch", {"heartbeats": beats})["results"]
        except (requests.RequestException, RefusedError) as error:
            log.warning("%d beats did not get through: %s", len(beats), error)
            for sign in signs:
                sign.rest()
            return
        for sign, result in zip(signs, results, strict=True):
            sign.hear(result)
