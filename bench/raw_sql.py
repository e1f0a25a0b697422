"""The reference: the transaction of a report as one would write it by hand, on the same tables.

It decides nothing, builds no message and checks no input; its statements carry ready values of real sizes. So its rate
is what the database and its driver allow, and no rate that a service could have.
"""

import itertools
import json
import secrets
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import MySQLdb

from bench.environment import TENANT
from bench.fleet import Execution
from bench.raw_rows import Written, collation, running_executions, sample

SELECT_TASKS = (
    "SELECT id, version, attempt, lifecycle_status, business_status, health, UTC_TIMESTAMP(6) "
    "FROM task WHERE id IN ({}) ORDER BY id FOR UPDATE"
)
SELECT_STEPS = (
    "SELECT task_id, id, version, attempt, lifecycle_status, source_seq, progress_seq, phase_code "
    "FROM task_step WHERE execution_id IN ({}) ORDER BY id FOR UPDATE"
)
SELECT_DEDUP = "SELECT event_id, payload_hash, result FROM task_event_dedup WHERE tenant_id = %s AND event_id IN ({})"
UPDATE_TASK = (
    "UPDATE task SET version = version + 1, updated_at = UTC_TIMESTAMP(6), summary_data = %s "
    "WHERE id = %s AND version = %s"
)
UPDATE_STEP = (
    "UPDATE task_step SET version = version + 1, updated_at = UTC_TIMESTAMP(6), source_seq = %s, progress_seq = %s, "
    "phase_code = %s, progress = %s, state_data = %s, progress_updated_at = UTC_TIMESTAMP(6), "
    "progress_versioned_at = UTC_TIMESTAMP(6) WHERE id = %s AND version = %s"
)
UPDATE_TASKS = (
    "UPDATE task t JOIN JSON_TABLE(%s, '$[*]' COLUMNS (id VARCHAR(40) COLLATE {} "
    "PATH '$[0]', version BIGINT PATH '$[1]', data LONGTEXT PATH '$[2]')) j ON t.id = j.id AND t.version = j.version "
    "SET t.version = t.version + 1, t.updated_at = UTC_TIMESTAMP(6), t.summary_data = j.data"
)
UPDATE_STEPS = (
    "UPDATE task_step t JOIN JSON_TABLE(%s, '$[*]' COLUMNS (id BIGINT PATH '$[0]', version BIGINT PATH '$[1]', "
    "seq BIGINT PATH '$[2]', phase VARCHAR(64) PATH '$[3]', progress LONGTEXT PATH '$[4]', data LONGTEXT "
    "PATH '$[5]')) j ON t.id = j.id AND t.version = j.version SET t.version = t.version + 1, "
    "t.updated_at = UTC_TIMESTAMP(6), t.source_seq = j.seq, t.progress_seq = j.seq, t.phase_code = j.phase, "
    "t.progress = j.progress, t.state_data = j.data, t.progress_updated_at = UTC_TIMESTAMP(6), "
    "t.progress_versioned_at = UTC_TIMESTAMP(6)"
)

Row = tuple[Any, ...]


class _Raw:
    """What both references share: a connection, rows to lock, and the rows that a report inserts."""

    def __init__(self, connection: MySQLdb.Connection, width: int) -> None:
        self._executions = itertools.cycle(running_executions(width))
        self._sample = sample()
        self._connection = connection
        self._cursor = connection.cursor()
        self._groups: list[list[Execution]] = []

    def _take(self, size: int, number: int) -> int:
        self._groups = [list(itertools.islice(self._executions, size)) for _ in range(number)]
        return size * number

    def _lock(self, group: Sequence[Execution], event_ids: Sequence[str]) -> tuple[dict[str, Row], dict[str, Row]]:
        tasks = self._rows(SELECT_TASKS, [one.task_id for one in group])
        steps = self._rows(SELECT_STEPS, [one.execution_id for one in group])
        assert not self._rows(SELECT_DEDUP, event_ids, TENANT)
        return tasks, steps

    def _rows(self, statement: str, wanted: Sequence[str], *before: str) -> dict[str, Row]:
        self._cursor.execute(statement.format(", ".join(["%s"] * len(wanted))), [*before, *wanted])
        return {row[0]: row for row in self._cursor.fetchall()}

    def _insert(self, rows: Sequence[Written]) -> None:
        columns = rows[0].values
        places = f"({', '.join(['%s'] * len(columns))})"
        statement = f"INSERT INTO {rows[0].table} ({', '.join(columns)}) VALUES {', '.join([places] * len(rows))}"  # noqa: S608
        self._cursor.execute(statement, [value for row in rows for value in row.values.values()])

    def _insert_facts(self, group: Sequence[Execution], event_ids: Sequence[str], versions: Sequence[int]) -> None:
        """The event, dedup and outbox rows: a statement for each table."""
        told = list(zip(group, event_ids, versions, strict=True))
        event, dedup = self._sample.event, self._sample.dedup
        self._insert([_with(event, task_id=one.task_id, task_version=v, event_id=e) for one, e, v in told])
        self._insert([_with(dedup, aggregate_id=one.task_id, event_id=e) for one, e, _ in told])
        self._insert(
            [
                _with(message, aggregate_id=one.task_id, aggregate_version=v, event_id=e)
                for one, e, v in told
                for message in self._sample.messages
            ]
        )


class RawSingle(_Raw):
    """One report a transaction, statement by statement."""

    name = "raw_single"

    def prepare(self, count: int) -> int:
        """Choose the executions that report."""
        return self._take(1, count)

    def run(self) -> float:
        """Write each report and commit it."""
        begun = perf_counter()
        for (execution,) in self._groups:
            self._report(execution)
        return perf_counter() - begun

    def _report(self, execution: Execution) -> None:
        event_id = f"evt-{secrets.token_hex(10)}"
        tasks, steps = self._lock([execution], [event_id])
        _, version, *_ = tasks[execution.task_id]
        _, pk, step_version, _, _, source_seq, _, phase = steps[execution.task_id]
        seq, new, kept = source_seq + 1, _other(phase), self._sample
        self._update(UPDATE_STEP, [seq, seq, new, kept.progress, kept.state_data, pk, step_version])
        self._update(UPDATE_TASK, [kept.state_data, execution.task_id, version])
        self._insert_facts([execution], [event_id], [version + 1])
        self._connection.commit()

    def _update(self, statement: str, values: Sequence[object]) -> None:
        assert self._cursor.execute(statement, values) == 1


class RawBatch(_Raw):
    """Many reports of distinct tasks a transaction, one statement for all of them."""

    name = "raw_batch"

    def __init__(self, connection: MySQLdb.Connection, size: int) -> None:
        """Make batches of this size."""
        super().__init__(connection, size)
        self._size = size

    def prepare(self, count: int) -> int:
        """Choose the executions that report."""
        return self._take(self._size, -(-count // self._size))

    def run(self) -> float:
        """Write each batch and commit it."""
        begun = perf_counter()
        for group in self._groups:
            self._report(group)
        return perf_counter() - begun

    def _report(self, group: Sequence[Execution]) -> None:
        event_ids = [f"evt-{secrets.token_hex(10)}" for _ in group]
        tasks, steps = self._lock(group, event_ids)
        kept = self._sample
        self._update(
            UPDATE_STEPS,
            [[s[1], s[2], s[5] + 1, _other(s[7]), kept.progress, kept.state_data] for s in steps.values()],
        )
        self._update(UPDATE_TASKS.format(collation()), [[task[0], task[1], kept.state_data] for task in tasks.values()])
        self._insert_facts(group, event_ids, [tasks[one.task_id][1] + 1 for one in group])
        self._connection.commit()

    def _update(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        assert self._cursor.execute(statement, [json.dumps(rows)]) == len(rows)


def _with(row: Written, **values: object) -> Written:
    return Written(row.table, row.values | values)


def _other(phase: str | None) -> str:
    return "READ" if phase == "PARSE" else "PARSE"
