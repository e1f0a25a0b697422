"""Measures heartbeats: `python -m bench.heartbeats`, on the MariaDB server of DATABASE_URL (README.md).

BENCH_SECONDS is the time for all measured turns (30), BENCH_ROUNDS their number (6), BENCH_LEASES how many live leases
the reconciler passes by (20000). It prints and judges nothing.
"""

import gc
import itertools
import os
from time import perf_counter

import MySQLdb

from bench.contest import Contestant, Plan, Rates, Spread, hold, ratios
from bench.environment import SCOPE, TENANT, WORKER, scratch_database
from bench.fleet import Execution
from bench.raw_rows import connected, running_executions
from bench.reconciling import measure
from bench.reconciling import table as table_of_passes
from bench.write_path import tell
from taskstatus.commands.heartbeats import Heartbeat, HeartbeatBatch
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.principals import Service
from taskstatus.services.renew_leases import renew_leases

SIZE = 100
WIDTH = 200
TARGET = 10
RENEW_ONE = (
    "UPDATE task_execution_lease SET heartbeat_seq = %s, last_heartbeat_at = UTC_TIMESTAMP(6), "
    "deadline_at = UTC_TIMESTAMP(6) + INTERVAL timeout_seconds SECOND WHERE execution_id = %s AND heartbeat_seq < %s"
)
_WORKER = Service(TENANT, SCOPE, WORKER, frozenset({Role.WORKER}))


class RowByRow:
    """An UPDATE for every beat, each its own transaction, and nothing else: no credential, no answer."""

    name = "beat_rows"

    def __init__(self, connection: MySQLdb.Connection, executions: list[Execution]) -> None:
        """Beat for these executions by turns."""
        self._beats = zip(itertools.cycle(executions), _numbers(executions), strict=False)
        self._connection = connection
        self._taken: list[tuple[Execution, int]] = []

    def prepare(self, count: int) -> int:
        """Choose the executions that beat."""
        self._taken = list(itertools.islice(self._beats, count))
        return count

    def run(self) -> float:
        """Renew each lease and commit it."""
        begun = perf_counter()
        cursor = self._connection.cursor()
        for execution, number in self._taken:
            assert cursor.execute(RENEW_ONE, [number, execution.execution_id, number]) == 1
            self._connection.commit()
        return perf_counter() - begun


class Batches:
    """The use case as the view calls it, with 100 beats of distinct executions, proven by their handles."""

    name = "beat_batch100"

    def __init__(self, executions: list[Execution]) -> None:
        """Beat for these executions by turns."""
        self._beats = zip(itertools.cycle(executions), _numbers(executions), strict=False)
        self._batches: list[list[Heartbeat]] = []

    def prepare(self, count: int) -> int:
        """Read whole batches of beats."""
        number = -(-count // SIZE)
        self._batches = [self._batch() for _ in range(number)]
        return number * SIZE

    def _batch(self) -> list[Heartbeat]:
        taken = itertools.islice(self._beats, SIZE)
        return HeartbeatBatch.read({"heartbeats": [_body(*one) for one in taken]}).heartbeats

    def run(self) -> float:
        """Renew the leases of each batch."""
        begun = perf_counter()
        renewals = [renew_leases(batch, _WORKER) for batch in self._batches]
        seconds = perf_counter() - begun
        for renewal in renewals:
            assert all(outcome.reason is None and not outcome.duplicate for outcome in renewal.outcomes)
        return seconds


def _numbers(executions: list[Execution]) -> itertools.chain[int]:
    """A number for each beat: the next one whenever all of the executions have had a turn."""
    return itertools.chain.from_iterable(itertools.repeat(n, len(executions)) for n in itertools.count(1))


def _body(execution: Execution, number: int) -> dict[str, object]:
    return {
        "executionId": execution.execution_id,
        "heartbeatSeq": number,
        "executionHandle": execution.handle,
        "observedAt": "2026-01-01T12:00:00.000Z",
    }


def main() -> None:
    """Measure beats and reconciler in one run and tell the figures."""
    leases = int(os.environ.get("BENCH_LEASES", "20000"))
    with scratch_database(), connected() as raw:
        tell(f"making {2 * WIDTH} executions")
        contestants: list[Contestant] = [RowByRow(raw, running_executions(WIDTH)), Batches(running_executions(WIDTH))]
        # As the web server does before it forks: what is loaded is no part of later collections.
        gc.collect()
        gc.freeze()
        rates = hold(contestants, Plan.asked_for(len(contestants), seconds="30"), tell)
        figures = measure(leases, tell)
    print("\n" + table(rates) + "\n\n" + table_of_passes(figures, leases), flush=True)


def table(rates: Rates) -> str:
    """The figures as text, each with its spread over the rounds."""
    found = {f"{name} (beats/s)": Spread.of(values) for name, values in rates.items()}
    found[f"ratio, to reach {TARGET}"] = ratios(rates, Batches.name, RowByRow.name)
    lines = [f"{'':<26}{'median':>9}{'min':>9}{'max':>9}"]
    lines += [f"{name:<26}{one.median:9.1f}{one.min:9.1f}{one.max:9.1f}" for name, one in found.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
