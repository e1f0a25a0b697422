"""Renew the leases of executions that beat: no version, no event, no message (protocol 4.4, ruling 25).

What is known of the executions is read by one statement, and what they are told comes from it; their leases are
renewed by one other. If one of them ended or was overtaken in between, all is undone and decided again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from taskstatus.commands.heartbeats import Heartbeat
from taskstatus.domain.beats import BeatReason, LiveExecution, beat_refusal
from taskstatus.domain.leases import deadline, newest_deadline_to_move
from taskstatus.identity.principals import Service
from taskstatus.queries.live_executions import live_executions
from taskstatus.services.beat_proofs import Credential, prove_beats
from taskstatus.services.lease_renewals import Renewal, renew
from taskstatus.services.unit_of_work import ConcurrentChangeError, use_case


@dataclass(frozen=True, slots=True)
class BeatOutcome:
    """What became of one beat; `execution` is None where the sender proved no right to hear of it."""

    execution_id: str
    reason: BeatReason | None = None
    duplicate: bool = False
    execution: LiveExecution | None = None


@dataclass(frozen=True, slots=True)
class Renewals:
    """The outcome of every beat, in the order given, by one reading of the database's clock."""

    outcomes: list[BeatOutcome]
    received_at: datetime
    epoch: int


def renew_leases(beats: Sequence[Heartbeat], caller: Service) -> Renewals:
    """Judge each beat and renew the leases of those that are accepted. A refusal concerns no other beat."""
    return _renew(list(zip(beats, prove_beats(beats, caller), strict=True)))


@use_case
def _renew(proven: Sequence[tuple[Heartbeat, Credential | BeatReason]]) -> Renewals:
    known = live_executions({beat.execution_id for beat, proof in proven if isinstance(proof, Credential)})
    book = _Book(known.by_id, known.now)
    outcomes = [
        BeatOutcome(beat.execution_id, proof) if isinstance(proof, BeatReason) else book.judge(beat, proof)
        for beat, proof in proven
    ]
    book.write()
    return Renewals(outcomes, known.now, known.epoch)


class _Book:
    """The executions as the beats judged so far leave them: one that beats twice is judged twice, and written once."""

    def __init__(self, known: dict[str, LiveExecution], now: datetime) -> None:
        self._executions = dict(known)
        self._now = now
        self._renewals: dict[str, Renewal] = {}

    def judge(self, beat: Heartbeat, credential: Credential) -> BeatOutcome:
        """Accept the beat and note what it changes, or say why it renews nothing."""
        execution = self._executions.get(beat.execution_id)
        reason = _mismatch(beat, credential, execution)
        if reason is not None or execution is None:
            return BeatOutcome(beat.execution_id, reason)
        reason = beat_refusal(execution, beat.heartbeat_seq)
        duplicate = reason is None and beat.heartbeat_seq == execution.heartbeat_seq
        if reason is None and not duplicate:
            execution = self._accept(execution, beat.heartbeat_seq)
        return BeatOutcome(beat.execution_id, reason, duplicate, execution)

    def _accept(self, execution: LiveExecution, heartbeat_seq: int) -> LiveExecution:
        timing = execution.interval_seconds, execution.timeout_seconds
        new, move_from = deadline(self._now, timing[1]), newest_deadline_to_move(self._now, *timing)
        self._renewals[execution.execution_id] = Renewal(
            execution.execution_id, heartbeat_seq, self._now, new, move_from
        )
        stored = execution.lease_until
        lease_until = new if stored is None or stored <= move_from else stored
        accepted = replace(execution, heartbeat_seq=heartbeat_seq, lease_until=lease_until)
        self._executions[execution.execution_id] = accepted
        return accepted

    def write(self) -> None:
        """Renew the leases by one statement; raises ConcurrentChangeError if one of them changed under us."""
        expected = len(self._renewals)
        renewed = renew(list(self._renewals.values()))
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
