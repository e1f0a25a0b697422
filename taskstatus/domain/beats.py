"""What becomes of one heartbeat (protocol 4.4): pure, from what is known of its execution."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from taskstatus.domain.leases import believed_until
from taskstatus.domain.lifecycle import TERMINAL, Health


class BeatReason(StrEnum):
    """Why a beat renews nothing. None of them by itself tells a worker to stop."""

    STALE_ATTEMPT = "STALE_ATTEMPT"
    STALE_EXECUTION = "STALE_EXECUTION"
    NOT_RUNNING = "NOT_RUNNING"
    TERMINAL_STATE = "TERMINAL_STATE"
    STALE_SEQUENCE = "STALE_SEQUENCE"
    TOKEN_INVALID = "TOKEN_INVALID"  # noqa: S105 - a word, no secret
    TOKEN_EXPIRED = "TOKEN_EXPIRED"  # noqa: S105 - a word, no secret
    HANDLE_EXPIRED = "HANDLE_EXPIRED"
    PRODUCER_MISMATCH = "PRODUCER_MISMATCH"
    EXECUTION_NOT_FOUND = "EXECUTION_NOT_FOUND"


class LiveExecution(NamedTuple):
    """What is known of an execution; it has no lease unless it runs, and the lease of a STALE one has no end.

    A tuple, since there is one for every beat: a frozen dataclass of so many members takes ten times as long to make.
    """

    execution_id: str
    tenant_id: str
    authority_scope: str
    task_id: str
    current_task_attempt: int
    task_lifecycle: str
    cancel_requested_at: datetime | None
    step_id: str
    task_attempt: int
    step_attempt: int
    is_current: bool
    step_lifecycle: str
    health: str
    credential_generation: int
    interval_seconds: int
    timeout_seconds: int
    last_heartbeat_seq: int
    lease_seq: int | None
    last_beat_at: datetime | None
    deadline_at: datetime | None

    @property
    def lease_until(self) -> datetime | None:
        """Until when it is believed; None for one that is STALE or does not run."""
        if self.last_beat_at is None or self.deadline_at is None:
            return None
        return believed_until(self.last_beat_at, self.deadline_at, self.timeout_seconds)

    @property
    def heartbeat_seq(self) -> int:
        """The number of its last beat; an ended execution's is the one that its lease left."""
        return self.last_heartbeat_seq if self.lease_seq is None else self.lease_seq

    @property
    def is_stale(self) -> bool:
        """Whether its next beat is news, and so has to become a version (acceptance H04)."""
        return self.health == Health.STALE

    @property
    def attempt_reason(self) -> BeatReason | None:
        """Why the execution is not the current one, if it is not: its task's attempt went by, or another took over."""
        if self.task_attempt != self.current_task_attempt:
            return BeatReason.STALE_ATTEMPT
        return None if self.is_current else BeatReason.STALE_EXECUTION

    @property
    def has_ended(self) -> bool:
        """Whether its step or its task has ended."""
        return self.task_lifecycle in TERMINAL or self.step_lifecycle in TERMINAL


def beat_refusal(execution: LiveExecution, heartbeat_seq: int, last_seq: int) -> BeatReason | None:
    """Why a beat with this number, after that one, renews nothing; None if it may (protocol 4.3, rows 6 to 8)."""
    if execution.attempt_reason is not None:
        return execution.attempt_reason
    if heartbeat_seq < last_seq:
        return BeatReason.STALE_SEQUENCE
    if execution.has_ended:
        return BeatReason.TERMINAL_STATE
    return BeatReason.NOT_RUNNING if execution.lease_seq is None else None
