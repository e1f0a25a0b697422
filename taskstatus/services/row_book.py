"""Rows under lock as they were read, so that only what changed is written."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from taskstatus.models import ExecutionLease, Step, Task
from taskstatus.services.writes import Writes

Row = TypeVar("Row", Task, Step, ExecutionLease)


class RowBook(Generic[Row]):
    """Rows of one table by their keys, and what their columns held when they were read.

    Columns are set anew and never changed in place, so a shallow copy of the values remembers them.
    """

    def __init__(self, columns: tuple[str, ...], guard: str) -> None:
        """Write these columns where they change, and only while `guard` is in the database what it was."""
        self._columns = columns
        self._guard = guard
        self._read: dict[Any, tuple[Row, dict[str, Any]]] = {}

    def add(self, row: Row) -> None:
        """Remember the row as it is now; what was remembered before stands."""
        if row.pk not in self._read:
            self._read[row.pk] = (row, dict(row.__dict__))

    def __contains__(self, key: object) -> bool:
        return key in self._read

    def discard(self, key: object) -> None:
        """Don't write the row, whatever happened to it."""
        self._read.pop(key, None)

    def write(self, writes: Writes) -> None:
        """Write the rows that changed, by one statement in the order of their keys, unless another has changed them."""
        changed: list[Row] = []
        guards: list[Any] = []
        columns: set[str] = set()
        # Leases have no lock above them: beats take them in this order too.
        for key in sorted(self._read):
            row, before = self._read[key]
            differing = _differing(row.__dict__, before, self._columns)
            if differing:
                changed.append(row)
                guards.append(before[self._guard])
                columns.update(differing)
        in_order = tuple(name for name in self._columns if name in columns)
        writes.update(changed, in_order, self._guard, guards)


def _differing(now: dict[str, Any], before: dict[str, Any], columns: Iterable[str]) -> list[str]:
    # Most values are the very same object, which is all that is asked of them here.
    return [name for name in columns if now[name] is not before[name] and _differs(now[name], before[name])]


def _differs(now: object, before: object) -> bool:
    # To Python {"ok": 1} equals {"ok": True}; in JSON they are two.
    return now != before or isinstance(now, dict | list)
