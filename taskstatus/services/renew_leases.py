"""Renew the leases of executions that beat: no version, no event, no message (protocol 4.4, ruling 25).

What is known of the executions is read by one statement, and what they are told comes from it; their leases are
renewed by one other. If one of them ended, was overtaken or turned STALE in between, all is undone and decided again.
The beat of a STALE execution is news, and goes the way of every fact (services/revive_executions.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from taskstatus.commands.heartbeats import Heartbeat
from taskstatus.domain.beats import BeatReason, LiveExecution, beat_refusal
from taskstatus.domain.leases import deadline, newest_deadline_to_move
from taskstatus.identity.principals import Service
from taskstatus.queries.live_executions import live_executions
from taskstatus.services.beat_proofs import Credential, prove_beats
from taskstatus.services.lease_renewals import Renewal, Terms, renew
from taskstatus.services.revive_executions import Revival, Revived, revive_executions
from taskstatus.services.unit_of_work import ConcurrentChangeError, use_case

# A beat and what its credential proves, or why that is nothing.
Proven = tuple[Heartbeat, Credential | BeatReason]


class BeatOutcome(NamedTuple):
    """What became of one beat; `execution` is None where the sender proved no right to hear of it.

    `lease_until` is the stored deadline after this beat, None where there is none.
    """

    execution_id: str
    reason: BeatReason | None = None
    duplicate: bool = False
    execution: LiveExecution | None = None
    lease_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Renewals:
    """The outcome of every beat, in the order given, by one reading of the database's clock."""

    outcomes: list[BeatOutcome]
    received_at: datetime
    epoch: int


def renew_leases(beats: Sequence[Heartbeat], caller: Service) -> Renewals:
    """Judge each beat and renew the leases of those that are accepted. A refusal concerns no other beat."""
    return _judge(list(zip(beats, prove_beats(beats, caller), strict=True)))


def _judge(proven: Sequence[Proven]) -> Renewals:
    renewals, revivals = _renew(proven)
    if not revivals:
        return renewals
    revived = revive_executions(list(revivals.values()))
    outcomes = [_after(outcome, revived) for outcome in renewals.outcomes]
    overtaken = revivals.keys() - revived.keys()
    places = [place for place, (beat, _) in enumerate(proven) if beat.execution_id in overtaken]
    if places:
        anew = _judge([proven[place] for place in places]).outcomes
        for place, outcome in zip(places, anew, strict=True):
            outcomes[place] = outcome
    return replace(renewals, outcomes=outcomes)


@use_case
def _renew(proven: Sequence[Proven]) -> tuple[Renewals, Mapping[str, Revival]]:
    """Renew what can be renewed; returns with the outcomes the executions that have to be revived."""
    known = live_executions({beat.execution_id for beat, proof in proven if isinstance(proof, Credential)})
    book = _Book(known.by_id, known.now)
    outcomes = [
        BeatOutcome(beat.execution_id, proof) if isinstance(proof, BeatReason) else book.judge(beat, proof)
        for beat, proof in proven
    ]
    book.write()
    return Renewals(outcomes, known.now, known.epoch), book.revivals


def _after(outcome: BeatOutcome, revived: Mapping[str, Revived]) -> BeatOutcome:
    """The outcome of a beat once its execution was revived."""
    now = revived.get(outcome.execution_id)
    if now is None or outcome.execution is None:
        return outcome
    execution = outcome.execution._replace(health=now.health)
    return outcome._replace(execution=execution, lease_until=now.lease_until)


class _Book:
    """What the beats judged so far do to leases: one that beats twice is judged twice, and written once."""

    def __init__(self, known: dict[str, LiveExecution], now: datetime) -> None:
        self._known = known
        self._now = now
        self._terms: dict[tuple[int, int], Terms] = {}
        self._renewals: dict[str, Renewal] = {}
        self.revivals: dict[str, Revival] = {}

    def judge(self, beat: Heartbeat, credential: Credential) -> BeatOutcome:
        """Accept the beat and note what it changes, or say why it renews nothing."""
        execution = self._known.get(beat.execution_id)
        reason = _mismatch(beat, credential, execution)
        if reason is not None or execution is None:
            return BeatOutcome(beat.execution_id, reason)
        last_seq = self._last_seq(execution)
        reason = beat_refusal(execution, beat.heartbeat_seq, last_seq)
        duplicate = reason is None and beat.heartbeat_seq == last_seq
        if reason is None and not duplicate:
            self._accept(execution, beat.heartbeat_seq)
        renewal = self._renewals.get(execution.execution_id)
        until = renewal.terms.deadline_at if renewal else execution.lease_until
        return BeatOutcome(beat.execution_id, reason, duplicate, execution, until)

    def _last_seq(self, execution: LiveExecution) -> int:
        """The highest number so far, those of this batch included."""
        earlier = self._renewals.get(execution.execution_id) or self.revivals.get(execution.execution_id)
        return earlier.heartbeat_seq if earlier else execution.heartbeat_seq

    def _accept(self, execution: LiveExecution, heartbeat_seq: int) -> None:
        if execution.is_stale:
            self.revivals[execution.execution_id] = Revival(execution.task_id, execution.execution_id, heartbeat_seq)
            return
        terms = self._terms_of(execution.interval_seconds, execution.timeout_seconds)
        self._renewals[execution.execution_id] = Renewal(execution.execution_id, heartbeat_seq, terms)

    def _terms_of(self, interval_seconds: int, timeout_seconds: int) -> Terms:
        terms = self._terms.get((interval_seconds, timeout_seconds))
        if terms is None:
            move_from = newest_deadline_to_move(self._now, interval_seconds, timeout_seconds)
            terms = Terms(deadline(self._now, timeout_seconds), move_from)
            self._terms[interval_seconds, timeout_seconds] = terms
        return terms

    def write(self) -> None:
        """Renew the leases by one statement; raises ConcurrentChangeError if one of them changed under us."""
        expected = len(self._renewals)
        renewed = renew(list(self._renewals.values()), self._now)
        if renewed != expected:
            raise ConcurrentChangeError(f"{renewed} of {expected} leases were renewed")


def _mismatch(beat: Heartbeat, credential: Credential, execution: LiveExecution | None) -> BeatReason | None:
    """Why the beat is not about the execution of its credential, if it is not (protocol 4.3, row 3)."""
    if execution is None or (execution.tenant_id, execution.authority_scope) != (credential.tenant, credential.scope):
        return BeatReason.EXECUTION_NOT_FOUND
    if credential.generation != execution.credential_generation:
        return BeatReason.TOKEN_INVALID
    if beat.task_id not in (None, execution.task_id) or beat.step_id not in (None, execution.step_id):
        return BeatReason.EXECUTION_NOT_FOUND
    return None if beat.step_attempt in (None, execution.step_attempt) else BeatReason.STALE_ATTEMPT
