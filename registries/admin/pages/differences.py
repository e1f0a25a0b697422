"""Differences as a table shows them: what was added, removed or changed, in words and marks as well as in colour."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from registries.differences import Difference


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """One row of the table; `sort` is added, removed or changed."""

    path: str
    sort: str
    before: str
    after: str


def shown(differences: Iterable[Difference]) -> list[ShownDifference]:
    """The differences, their values written down."""
    return [ShownDifference(one.path, _sort(one), _written(one.before), _written(one.after)) for one in differences]


def _sort(difference: Difference) -> str:
    if difference.before is None:
        return "added"
    return "removed" if difference.after is None else "changed"


def _written(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
