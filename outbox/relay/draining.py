"""Claim, commit, publish, settle: one relay's work, whoever drives it (ruling 21)."""

import functools
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from outbox.publishers import Publisher, configured_publisher
from outbox.relay.breaker import Breaker
from outbox.relay.claims import Claim, claim
from outbox.relay.coalescing import coalesce
from outbox.relay.publishing import publish
from outbox.relay.report import DrainReport
from outbox.relay.settlement import judge, settle


@dataclass(frozen=True, slots=True)
class Terms:
    """How many commands a claim takes, how long it holds them, and how long publishing them may take."""

    batch_size: int
    lease_seconds: float
    publish_deadline_seconds: float


class Relay:
    """One claimant of the outbox: what it remembers between batches is the state of its publisher, nothing else."""

    def __init__(self, publisher: Publisher, name: str, terms: Terms, breaker: Breaker | None = None) -> None:
        self._publisher = publisher
        self._name = name
        self._terms = terms
        self._breaker = breaker or Breaker()
        self._outage: str | None = None

    def drain(self, budget_seconds: float, stopping: Callable[[], bool] = lambda: False) -> DrainReport:
        """Publish what is due, batch after batch, until a batch is not full; raises RuntimeError in a transaction.

        Ends after the batch in which the budget is spent or `stopping` turns true. A database error leaves the batch
        to its lease: it will be taken over.
        """
        end = time.monotonic() + budget_seconds
        report = self._drain_batch()
        while report.batch_full and not stopping() and time.monotonic() < end:
            report = report.then(self._drain_batch())
        return report

    def _drain_batch(self) -> DrainReport:
        size = self._breaker.allowance(self._terms.batch_size)
        if not size:
            return DrainReport(outage=self._outage)
        claimed = claim(self._name, size, self._terms.lease_seconds)
        if claimed is None:
            return DrainReport(outage=self._outage)
        return self._deliver(claimed, batch_full=len(claimed.deliveries) == size)

    def _deliver(self, claimed: Claim, *, batch_full: bool) -> DrainReport:
        plan = coalesce(claimed.deliveries)
        answers = publish(self._publisher, plan.to_publish, self._terms.publish_deadline_seconds)
        self._note(answers.outage)
        fates = judge(plan, answers)
        lost = settle(claimed, fates)
        return DrainReport.of(claimed, fates, lost=lost, batch_full=batch_full, outage=answers.outage)

    def _note(self, outage: str | None) -> None:
        self._outage = outage
        if outage is None:
            self._breaker.answered()
        else:
            self._breaker.failed(outage)


@functools.cache
def configured_relay() -> Relay:
    """Return this process's relay, made from the settings at its first use."""
    terms = Terms(
        settings.OUTBOX_BATCH_SIZE,
        settings.OUTBOX_LEASE_SECONDS,
        settings.OUTBOX_PUBLISH_DEADLINE_SECONDS,
    )
    return Relay(configured_publisher(), f"{socket.gethostname()}:{os.getpid()}"[:128], terms)


def drain(budget_seconds: float, stopping: Callable[[], bool] = lambda: False) -> DrainReport:
    """Drain the outbox with this process's relay; see `Relay.drain`."""
    return configured_relay().drain(budget_seconds, stopping)
