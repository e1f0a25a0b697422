"""The one statement that renews the leases of many executions.

A lease is found by its key and matched only while its number is lower and its execution is not STALE: what has ended
since, was overtaken or was given up for silent is left alone and shows in the count. Nothing else is read or locked:
beats wait for no report, and no report for beats of other executions.
"""

# ruff: noqa: SLF001 - Django documents Model._meta

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache

from django.db import connection

from taskstatus.models import ExecutionLease
from taskstatus.queries.packets import Statement, send
from taskstatus.services.bulk_update import by_key
from taskstatus.services.column_values import as_json, utc_text

# The beats of a batch share their moments.
_text = lru_cache(maxsize=64)(utc_text)

_COLUMNS = ("execution", "heartbeat_seq", "last_heartbeat_at", "deadline_at")


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a beat makes of a lease: the deadline is moved only if the stored one is no later than `move_from`."""

    execution_id: str
    heartbeat_seq: int
    beat_at: datetime
    deadline_at: datetime
    move_from: datetime


def renew(renewals: Sequence[Renewal]) -> int:
    """Renew these leases, taken in the order of their keys; returns how many still could be renewed."""
    if not renewals:
        return 0
    rows = [
        [r.execution_id, r.heartbeat_seq, _text(r.beat_at), _text(r.deadline_at), _text(r.move_from)]
        for r in sorted(renewals, key=lambda renewal: renewal.execution_id)
    ]
    (answer,) = send([Statement(_sql(connection.vendor), [as_json(rows)])])
    return answer.count


@cache
def _sql(vendor: str) -> str:
    return _sqlite_sql() if vendor == "sqlite" else _mysql_sql()


def _mysql_sql() -> str:
    meta = ExecutionLease._meta
    fields = tuple(meta.get_field(name) for name in (*_COLUMNS, "deadline_at"))
    rows = by_key(meta.db_table, fields[0], fields)
    return (
        f"UPDATE {rows} AND t.heartbeat_seq < j.c1 AND t.deadline_at IS NOT NULL SET t.heartbeat_seq = j.c1, "  # noqa: S608 - names are the model's
        "t.last_heartbeat_at = GREATEST(t.last_heartbeat_at, j.c2), "
        "t.deadline_at = IF(t.deadline_at <= j.c4, j.c3, t.deadline_at)"
    )


def _sqlite_sql() -> str:
    table = ExecutionLease._meta.db_table
    extracted = ", ".join(f"json_extract(value, '$[{position}]') AS c{position}" for position in range(5))
    return (
        f'UPDATE "{table}" AS t SET heartbeat_seq = j.c1, '  # noqa: S608 - the name is the model's
        "last_heartbeat_at = MAX(t.last_heartbeat_at, j.c2), "
        "deadline_at = CASE WHEN t.deadline_at <= j.c4 THEN j.c3 ELSE t.deadline_at END "
        f"FROM (SELECT {extracted} FROM json_each(%s)) AS j "
        "WHERE t.execution_id = j.c0 AND t.heartbeat_seq < j.c1 AND t.deadline_at IS NOT NULL"
    )
