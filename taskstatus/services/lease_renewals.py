"""The one statement that renews the leases of many executions.

A lease is found by its key and matched only while its number is lower and its execution is not STALE: what has ended
since, was overtaken or was given up for silent is left alone and shows in the count. Nothing else is read or locked:
beats wait for no report, and no report for beats of other executions.
"""

# ruff: noqa: SLF001 - Django documents Model._meta

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.db import connection

from taskstatus.models import ExecutionLease
from taskstatus.queries.packets import Statement, send
from taskstatus.services.bulk_update import by_key
from taskstatus.services.column_values import as_json, utc_text


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Until when a beat is good; it moves a stored deadline only if that is no later than `move_from`.

    The many executions with the same interval and timeout have one such object.
    """

    deadline_at: datetime
    move_from: datetime


class Renewal(NamedTuple):
    """What a beat makes of a lease."""

    execution_id: str
    heartbeat_seq: int
    terms: Terms


def renew(renewals: Sequence[Renewal], beat_at: datetime) -> int:
    """Renew these leases, taken in the order of their keys; returns how many still could be renewed."""
    if not renewals:
        return 0
    numbers = {terms: number for number, terms in enumerate(dict.fromkeys(one.terms for one in renewals), start=1)}
    rows = sorted([execution_id, heartbeat_seq, numbers[terms]] for execution_id, heartbeat_seq, terms in renewals)
    statement = _sqlite_statement if connection.vendor == "sqlite" else _mysql_statement
    (answer,) = send([statement(as_json(rows), utc_text(beat_at), list(numbers))])
    return answer.count


def _mysql_statement(rows: str, beat_at: str, terms: Sequence[Terms]) -> Statement:
    moves, deadlines = ([utc_text(one.move_from) for one in terms], [utc_text(one.deadline_at) for one in terms])
    return Statement(_mysql_sql(len(terms)), [rows, beat_at, *moves, *deadlines])


@lru_cache(64)
def _mysql_sql(terms: int) -> str:
    """The statement for so many terms, from which each row chooses by number: a moment in each row costs as much."""
    meta = ExecutionLease._meta
    key, number = meta.get_field("execution"), meta.get_field("heartbeat_seq")
    rows = by_key(meta.db_table, key, (key, number, number))
    chosen = f"CAST(ELT(j.c2, {', '.join(['%s'] * terms)}) AS DATETIME(6))"
    return (
        f"UPDATE {rows} AND t.heartbeat_seq < j.c1 AND t.deadline_at IS NOT NULL SET t.heartbeat_seq = j.c1, "  # noqa: S608 - names are the model's
        "t.last_heartbeat_at = GREATEST(t.last_heartbeat_at, %s), "
        f"t.deadline_at = IF(t.deadline_at <= {chosen}, {chosen}, t.deadline_at)"
    )


def _sqlite_statement(rows: str, beat_at: str, terms: Sequence[Terms]) -> Statement:
    table = ExecutionLease._meta.db_table
    move_from, deadline_at = "json_extract(%s, j.place || '[0]')", "json_extract(%s, j.place || '[1]')"
    sql = (
        f'UPDATE "{table}" AS t SET heartbeat_seq = j.c1, '  # noqa: S608 - the name is the model's
        "last_heartbeat_at = MAX(t.last_heartbeat_at, %s), "
        f"deadline_at = CASE WHEN t.deadline_at <= {move_from} THEN {deadline_at} ELSE t.deadline_at END "
        "FROM (SELECT json_extract(value, '$[0]') AS c0, json_extract(value, '$[1]') AS c1, "
        "'$[' || (json_extract(value, '$[2]') - 1) || ']' AS place FROM json_each(%s)) AS j "
        "WHERE t.execution_id = j.c0 AND t.heartbeat_seq < j.c1 AND t.deadline_at IS NOT NULL"
    )
    moments = as_json([[utc_text(one.move_from), utc_text(one.deadline_at)] for one in terms])
    return Statement(sql, [beat_at, moments, moments, rows])
