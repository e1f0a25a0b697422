"""What beats have to know of their executions, read together and without a lock."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from taskstatus.domain.beats import LiveExecution
from taskstatus.models import Step
from taskstatus.queries.clock import CLOCK, read_clock
from taskstatus.queries.packets import send
from taskstatus.queries.prepared import Prepared

# In the order of LiveExecution's members.
_COLUMNS = (
    "execution_id",
    "task__tenant_id",
    "task__authority_scope",
    "task_id",
    "task__attempt",
    "task__lifecycle_status",
    "task__cancel_requested_at",
    "step_id",
    "task_attempt",
    "attempt",
    "is_current",
    "lifecycle_status",
    "health",
    "credential_generation",
    "heartbeat_interval_seconds",
    "heartbeat_timeout_seconds",
    "last_heartbeat_seq",
    "lease__heartbeat_seq",
    "lease__last_heartbeat_at",
    "lease__deadline_at",
)


@dataclass(frozen=True, slots=True)
class LiveExecutions:
    """Executions by their ids, at one moment of the database's clock."""

    by_id: dict[str, LiveExecution]
    now: datetime
    epoch: int


def live_executions(execution_ids: Collection[str]) -> LiveExecutions:
    """The executions with these ids, those that there are; asked together with the clock."""
    if not execution_ids:
        return LiveExecutions({}, *read_clock())
    clock, executions = CLOCK.ask(), _EXECUTIONS.ask(sorted(execution_ids))
    told, found = send([clock.statement, executions.statement])
    now, epoch = next(iter(clock.read(told)), None) or read_clock()
    return LiveExecutions({row[0]: LiveExecution(*row) for row in executions.read(found)}, now, epoch)


_EXECUTIONS = Prepared(lambda ids: Step.objects.filter(execution_id__in=ids).values_list(*_COLUMNS))
