"""The service core: the use case as an adapter calls it, without HTTP."""

from time import perf_counter

from bench.environment import SCOPE, TENANT, WORKER
from bench.fleet import Body, Execution, Fleet
from taskstatus.commands.events import ReportEvent
from taskstatus.domain.lifecycle import Role
from taskstatus.identity import execution_tokens
from taskstatus.identity.principals import ExecutionClaims, Service
from taskstatus.services.accept_events import Outcome, accept_event, accept_events

_WORKER = Service(TENANT, SCOPE, WORKER, frozenset({Role.WORKER}))


class CoreSingle:
    """Reports one by one, each in its own transaction, by execution token."""

    name = "core_single"

    def __init__(self, width: int) -> None:
        """Keep `width` executions going."""
        self._fleet = Fleet(width)
        self._calls: list[tuple[ReportEvent, ExecutionClaims]] = []

    def prepare(self, count: int) -> int:
        """Read the reports and their tokens."""
        taken = self._fleet.take(count)
        self._calls = [(ReportEvent.read(body), execution_tokens.verify(one.token)) for one, body in taken]
        return len(self._calls)

    def run(self) -> float:
        """Accept them."""
        begun = perf_counter()
        outcomes: list[Outcome] = [accept_event(report, claims) for report, claims in self._calls]
        seconds = perf_counter() - begun
        _require_versions(outcomes)
        return seconds


class CoreBatch:
    """Reports of distinct tasks in batches, by handles."""

    name = "core_batch"

    def __init__(self, size: int) -> None:
        """Make batches of this size."""
        self._size = size
        self._fleet = Fleet(size)
        self._batches: list[list[ReportEvent]] = []

    def prepare(self, count: int) -> int:
        """Read whole batches of reports."""
        number = -(-count // self._size)
        self._batches = [[_by_handle(*item) for item in self._fleet.take(self._size)] for _ in range(number)]
        return number * self._size

    def run(self) -> float:
        """Accept them."""
        begun = perf_counter()
        outcomes = [outcome for batch in self._batches for outcome in accept_events(batch, _WORKER)]
        seconds = perf_counter() - begun
        _require_versions(outcomes)
        return seconds


def _by_handle(execution: Execution, body: Body) -> ReportEvent:
    return ReportEvent.read(body | {"executionHandle": execution.handle})


def _require_versions(outcomes: list[Outcome]) -> None:
    """Whoever refuses or coalesces does less work; the rate would lie."""
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
        assert outcome["committedAt"] is not None, outcome
