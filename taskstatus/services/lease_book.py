"""The leases that a workset opens, renews and ends."""

from datetime import datetime

from taskstatus.domain.leases import deadline
from taskstatus.domain.lifecycle import Health
from taskstatus.models import ExecutionLease, Step
from taskstatus.projections.task_detail import lease_of
from taskstatus.services.row_book import RowBook
from taskstatus.services.writes import Writes

_RENEWED_COLUMNS = ("heartbeat_seq", "last_heartbeat_at", "timeout_seconds", "deadline_at")


class LeaseBook:
    """Signs of life noted in memory, and written in at most three statements."""

    def __init__(self) -> None:
        self._opened: dict[str, ExecutionLease] = {}
        self._renewed: RowBook[ExecutionLease] = RowBook(_RENEWED_COLUMNS, "heartbeat_seq")
        self._ended: set[str] = set()

    def beat(self, step: Step, now: datetime, heartbeat_seq: int | None) -> None:
        """Note a sign of life of the step's running execution; opens its lease if it has none."""
        lease = lease_of(step)
        if lease is None:
            lease = ExecutionLease(execution=step, task_id=step.task_id)
            self._opened[lease.pk] = lease
        elif lease.pk not in self._opened:
            self._renewed.add(lease)
        lease.heartbeat_seq = max(lease.heartbeat_seq, heartbeat_seq or 0)
        lease.last_heartbeat_at = now
        lease.timeout_seconds = step.heartbeat_timeout_seconds
        lease.deadline_at = deadline(now, step.heartbeat_timeout_seconds)

    def settle(self, step: Step, now: datetime) -> None:
        """Let the lease agree with the step's health: a STALE one has no deadline, any other has one."""
        lease = lease_of(step)
        is_stale = step.health == Health.STALE
        if lease is None or is_stale is (lease.deadline_at is None):
            return
        if lease.pk not in self._opened:
            self._renewed.add(lease)
        lease.deadline_at = None if is_stale else deadline(now, step.heartbeat_timeout_seconds)

    def end(self, step: Step) -> ExecutionLease | None:
        """Close the lease of an execution and return what it was; None if it had none."""
        lease = lease_of(step)
        if lease is None:
            return None
        # Django's relation cache: without an entry, asking again for the lease would be a query.
        step._state.fields_cache["lease"] = None  # noqa: SLF001
        self._renewed.discard(lease.pk)
        if self._opened.pop(lease.pk, None) is None:
            self._ended.add(lease.pk)
        return lease

    def write(self, writes: Writes) -> None:
        """Write what was noted. A beat that came in between makes the guard fail, and the use case decides again."""
        writes.insert(list(self._opened.values()))
        self._renewed.write(writes)
        writes.delete(ExecutionLease, sorted(self._ended))
