"""What a pass of the reconciler costs beside many live leases of which few are due or none.

Beside it the predicate of the source design (5.2), which adds up each lease's deadline while it looks: the same
rows found, and every lease read for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from bench.many_leases import make_due, make_live_leases
from bench.session_status import Work, counted
from taskstatus.models import ServicePulse
from taskstatus.queries.due_health import overdue_leases, tasks_of_due_steps
from taskstatus.services.reconcile_health import READ_AT_ONCE, reconcile_health

DUE = (0, 100, 500)
WARM_UP = 50
COMPUTED = (
    "SELECT execution_id, task_id FROM task_execution_lease WHERE deadline_at IS NOT NULL "
    "AND TIMESTAMPADD(SECOND, timeout_seconds, last_heartbeat_at) <= UTC_TIMESTAMP(6) "
    "ORDER BY last_heartbeat_at LIMIT %s FOR UPDATE SKIP LOCKED"
)


@dataclass(frozen=True)
class Figures:
    """What it took while so many leases were due: to find them in two ways, and to judge them."""

    due: int
    stored: Work
    computed: Work
    judging: Work


def measure(leases: int, progress: Callable[[str], None]) -> list[Figures]:
    """Make the leases and measure with each number of due ones."""
    make_live_leases(leases, progress)
    make_due(WARM_UP)
    _judge(WARM_UP)
    figures = []
    for due in DUE:
        progress(f"{due} due")
        figures.append(_with_due(due))
    return figures


def table(figures: Sequence[Figures], leases: int) -> str:
    """The figures as text."""
    lines = [
        f"{f'of {leases} live leases':<26}" + "".join(f"{f'{one.due} due':>12}" for one in figures),
        _line("due_stored: rows read", [one.stored.rows for one in figures]),
        _line("  ms", [one.stored.seconds * 1_000 for one in figures]),
        _line("due_computed: rows read", [one.computed.rows for one in figures]),
        _line("  ms", [one.computed.seconds * 1_000 for one in figures]),
        _line("pass: rows read", [one.judging.rows for one in figures]),
        _line("  statements", [one.judging.statements for one in figures]),
        _line("  ms", [one.judging.seconds * 1_000 for one in figures]),
        _line("  executions/s", [one.due / one.judging.seconds if one.due else "-" for one in figures]),
    ]
    return "\n".join(lines)


def _line(name: str, values: Sequence[float | str]) -> str:
    told = [f"{value:.1f}" if isinstance(value, float) else value for value in values]
    return f"{name:<26}" + "".join(f"{value:>12}" for value in told)


def _with_due(due: int) -> Figures:
    make_due(due)
    _find_computed()  # so that neither is the first to touch the pages
    with counted() as computed:
        found = _find_computed()
    with counted() as stored:
        leases, steps = overdue_leases(READ_AT_ONCE), tasks_of_due_steps(READ_AT_ONCE)
    assert (len(leases), len(steps), found) == (due, 0, due)
    return Figures(due, stored, computed, _judge(due))


def _find_computed() -> int:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(COMPUTED, [READ_AT_ONCE])
        return len(cursor.fetchall())


def _judge(due: int) -> Work:
    """Let the reconciler pass until all that were due are STALE; that is once, unless the machine stands still."""
    ServicePulse.objects.all().delete()  # what was done here meanwhile is no outage
    changed = 0
    with counted() as work:
        while True:
            changed += reconcile_health().changed
            if changed >= due:
                break
    assert changed == due
    return work
