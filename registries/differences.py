"""In what two contents of a definition differ, member by member, as a file spells them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from taskstatus.domain.idempotency import canonical_json
from taskstatus.domain.lifecycle import AppliesTo

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One member that differs: its place, as `statuses[PARSING].order`, and its values; None where it is absent."""

    path: str
    before: object
    after: object


def differences(before: Content | None, after: Content | None) -> tuple[Difference, ...]:
    """All members in which two contents differ; of a content that has no counterpart all that it says.

    Codes of a status set and errors of an operation are compared by their names, wherever in the list they stand.
    """
    return tuple(_members("", before or {}, after or {}))


def _members(path: str, before: Content, after: Content) -> Iterator[Difference]:
    for name in dict.fromkeys([*before, *after]):
        inner = f"{path}{'.' if path else ''}{name}"
        yield from _values(inner, before.get(name), after.get(name))


def _values(path: str, before: object, after: object) -> Iterator[Difference]:
    """What is added or removed as a whole is told of as a whole."""
    if canonical_json(before) == canonical_json(after):
        return
    old, new = _named_rows(before, after), _named_rows(after, before)
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _members(path, before, after)
    elif old and new:
        for name in dict.fromkeys([*old, *new]):
            yield from _values(f"{path}[{name}]", old.get(name), new.get(name))
    else:
        yield Difference(path, before, after)


def _named_rows(rows: object, others: object) -> Mapping[str, object] | None:
    """The rows by their names, if that is what both lists have; a code may stand once for tasks and once for steps."""
    codes, other_codes = _codes(rows), _codes(others)
    if not codes or not other_codes or not isinstance(rows, list):
        return None
    twice = {code for found in (codes, other_codes) for code, count in Counter(found).items() if count > 1}
    named = {f"{row['code']} {_scope(row)}" if row["code"] in twice else row["code"]: row for row in rows}
    return named if len(named) == len(rows) else None


def _codes(rows: object) -> list[str]:
    found = [row.get("code") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return [code for code in found if isinstance(code, str)]


def _scope(row: Content) -> AppliesTo:
    return AppliesTo.TASK if AppliesTo.TASK in row.get("appliesTo", ()) else AppliesTo.STEP
