"""Tasks that need an operator's look: silent, degraded, waiting for a user, or running for long (acceptance O06)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.db.models import Exists, OuterRef, Q

from taskstatus.domain.lifecycle import LIVE, Health, HealthReason, Lifecycle
from taskstatus.models import Step
from taskstatus.queries.clock import read_clock
from taskstatus.queries.task_windows import Found, Window, read_window

LONG: Final = timedelta(hours=1)


class Trouble(StrEnum):
    """What is wrong with them."""

    UNWELL = "UNWELL"
    SILENT = "SILENT"
    DEGRADED = "DEGRADED"
    WAITING = "WAITING"
    LONG = "LONG"


_HEALTHS: Final = {
    Trouble.UNWELL: (Health.DEGRADED, Health.STALE),
    Trouble.SILENT: (Health.STALE,),
    Trouble.DEGRADED: (Health.DEGRADED,),
}


@dataclass(frozen=True, slots=True)
class WantedWork:
    """Which tasks of a tenant; `min_age` is how long they are so at least, where nothing is said an hour for LONG."""

    tenant: str
    trouble: Trouble = Trouble.UNWELL
    reason: HealthReason | None = None
    task_type: str | None = None
    authority_scope: str | None = None
    operation: str | None = None
    producer: str | None = None
    min_age: timedelta | None = None
    cursor: str | None = None

    @property
    def healths(self) -> Sequence[Health]:
        """The healths that tasks in this trouble have."""
        return _HEALTHS.get(self.trouble, tuple(Health))


def work_list(wanted: WantedWork) -> Found:
    """A page of the tasks, the oldest first; raises INVALID_FIELD for a cursor that is none.

    Those in a health are found by the index. Whatever else is asked for is looked for in a bounded part of them.
    """
    now, _epoch = read_clock()
    return read_window(
        Window(
            now,
            wanted.tenant,
            [Lifecycle.RUNNING] if wanted.trouble is Trouble.LONG else sorted(LIVE),
            wanted.healths,
            shown=_shown(wanted, now),
            cursor=wanted.cursor,
            oldest_first=True,
        )
    )


def _shown(wanted: WantedWork, now: datetime) -> Q | None:
    """What is asked for beyond lifecycle and health; None if nothing is."""
    named = {
        "health_reason": wanted.reason,
        "task_type": wanted.task_type,
        "authority_scope": wanted.authority_scope,
    }
    shown = Q(**{name: value for name, value in named.items() if value is not None})
    steps = _steps(wanted, now)
    if steps:
        shown &= Q(Exists(Step.objects.filter(steps, task_id=OuterRef("pk"), is_current=True)))
    if wanted.trouble is Trouble.WAITING:
        shown &= Q(requires_action=True)
        shown &= Q(updated_at__lte=now - wanted.min_age) if wanted.min_age is not None else Q()
    elif wanted.trouble is Trouble.LONG:
        shown &= Q(started_at__lte=now - (wanted.min_age or LONG))
    return shown or None


def _steps(wanted: WantedWork, now: datetime) -> Q:
    """What one of its current steps has to be."""
    named = {"operation_code": wanted.operation, "producer_id": wanted.producer}
    steps = Q(**{name: value for name, value in named.items() if value is not None})
    if wanted.min_age is not None and wanted.trouble in _HEALTHS:
        steps &= Q(health__in=wanted.healths, health_since__lte=now - wanted.min_age)
    return steps
