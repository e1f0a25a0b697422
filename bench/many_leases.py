"""Thousands of running executions with their tasks and leases: copies of one that the service made."""

# ruff: noqa: SLF001, S608 - Django documents Model._meta; names are the models'

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from django.db import connection, models

from bench.raw_rows import running_executions
from taskstatus.domain.identifiers import bucket_of, new_id
from taskstatus.models import ExecutionLease, Step, Task, TaskGrant

AT_ONCE = 5_000
# Longer than any run: no lease comes due by itself.
TIMEOUT_SECONDS = 7_200
# Last beats are spread over so much time.
_SPREAD_SECONDS = 600

_BEAT = "UTC_TIMESTAMP(6) - INTERVAL j.age SECOND"
# Each table with the column that leads to the task, and what differs from copy to copy.
_TABLES: Sequence[tuple[type[models.Model], str, Mapping[str, str]]] = (
    (Task, "id", {"id": "j.task", "client_task_key": "j.task"}),
    (Step, "task_id", {"task_id": "j.task", "execution_id": "IF(t.execution_id IS NULL, NULL, j.execution)"}),
    (TaskGrant, "task_id", {"task_id": "j.task"}),
    (
        ExecutionLease,
        "task_id",
        {
            "task_id": "j.task",
            "execution_id": "j.execution",
            "timeout_seconds": str(TIMEOUT_SECONDS),
            "last_heartbeat_at": _BEAT,
            "deadline_at": f"{_BEAT} + INTERVAL {TIMEOUT_SECONDS} SECOND",
        },
    ),
)
_MAKE_DUE = (
    "UPDATE task_execution_lease SET deadline_at = UTC_TIMESTAMP(6) - INTERVAL 1 SECOND, "
    "last_heartbeat_at = UTC_TIMESTAMP(6) - INTERVAL 1 + timeout_seconds SECOND "
    "WHERE deadline_at > UTC_TIMESTAMP(6) ORDER BY execution_id LIMIT %s"
)


def make_live_leases(count: int, progress: Callable[[str], None]) -> None:
    """Let so many executions have a lease, each of a task of its own, and no others; none is due."""
    ExecutionLease.objects.all().delete()
    template = running_executions(1)[0]
    ExecutionLease.objects.filter(task_id=template.task_id).update(timeout_seconds=TIMEOUT_SECONDS)
    with connection.cursor() as cursor:
        for done, rows in _batches(count, bucket_of(template.task_id)):
            for model, key, changes in _TABLES:
                cursor.execute(_copying(model, key, changes), [rows, template.task_id])
            progress(f"{done} of {count} live leases")
        cursor.execute(f"DELETE FROM {ExecutionLease._meta.db_table} WHERE task_id = %s", [template.task_id])
        cursor.execute("ANALYZE TABLE " + ", ".join(model._meta.db_table for model, _, _ in _TABLES))
        cursor.fetchall()


def make_due(count: int) -> None:
    """Let the deadlines of so many executions pass."""
    with connection.cursor() as cursor:
        cursor.execute(_MAKE_DUE, [count])
        assert cursor.rowcount == count, f"{cursor.rowcount} leases were left to come due, not {count}"


def _batches(count: int, bucket: int) -> Iterator[tuple[int, str]]:
    """How many copies there are after each batch, and its ids and ages as JSON."""
    for start in range(0, count, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, count))
        rows = [[new_id("tsk", bucket), new_id("exe", bucket), number % _SPREAD_SECONDS] for number in numbers]
        yield numbers.stop, json.dumps(rows)


def _copying(model: type[models.Model], key: str, changes: Mapping[str, str]) -> str:
    columns = [str(field.column) for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    chosen = ", ".join(changes.get(column, f"t.`{column}`") for column in columns)
    names = ", ".join(f"`{column}`" for column in columns)
    ids = "task VARCHAR(40) PATH '$[0]', execution VARCHAR(40) PATH '$[1]', age INT PATH '$[2]'"
    table = model._meta.db_table
    return (
        f"INSERT INTO {table} ({names}) SELECT {chosen} "
        f"FROM JSON_TABLE(%s, '$[*]' COLUMNS ({ids})) j JOIN {table} t ON t.{key} = %s"
    )
