"""When a status set may be published: it has one beginning, and tasks can reach and leave every code."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from registries.items import StatusItem, StatusSetItem
from registries.problems import Problem
from registries.publishing.references import unknown_schemas
from taskstatus.domain.definitions import ANY_STATUS, NO_STATUS, RESERVED
from taskstatus.domain.lifecycle import AppliesTo, Lifecycle

PRESENTATION_MEMBERS: Final = ("colorToken", "iconKey", "labelKey")
_PRESENTATION_VALUE: Final = re.compile(r"[a-z0-9._-]{1,64}")
_NO_CODE_NEEDED: Final = frozenset({ANY_STATUS, NO_STATUS})


def status_set_problems(item: StatusSetItem, known_schemas: frozenset[str]) -> Iterator[Problem]:
    """Everything that keeps the set from being published; `known_schemas` are in the file or published."""
    yield from _initial_problems(item)
    yield from twin_codes(item)
    flow = _Flow.of(item)
    for index, status in enumerate(item.statuses):
        for problem in (*_meaning_problems(status), *_presentation_problems(status), *flow.problems(status)):
            yield problem.under(f"statuses[{index}]", status.code)
    yield from unknown_schemas("taskDataSchemas", item.task_data_schemas, known_schemas)


def twin_codes(item: StatusSetItem) -> Iterator[Problem]:
    """Codes that are defined twice for tasks, or twice for steps; no draft can hold them either."""
    uses = Counter((status.code, scope) for status in item.statuses for scope in status.applies_to)
    for (code, scope), count in uses.items():
        if count > 1:
            message = gettext("define %(code)s %(count)d times for %(scope)s; keep one")
            yield Problem("statuses", message % {"code": code, "count": count, "scope": scope.value}, code)


def _initial_problems(item: StatusSetItem) -> Iterator[Problem]:
    marked = [status for status in item.statuses if status.initial]
    if len(marked) != 1:
        names = ", ".join(status.code for status in marked) or gettext("none")
        message = gettext("need exactly one initial TASK code, and %(names)s is marked; mark one")
        yield Problem("statuses", message % {"names": names})
    elif not marked[0].is_task_code or marked[0].lifecycle is not Lifecycle.PENDING:
        message = gettext("begin with %(code)s; mark a TASK code that is PENDING")
        yield Problem("statuses", message % {"code": marked[0].code})


def _meaning_problems(status: StatusItem) -> Iterator[Problem]:
    if status.terminal != status.lifecycle.is_terminal:
        right = str(status.lifecycle.is_terminal).lower()
        message = gettext("contradicts %(lifecycle)s; leave it out, or say %(right)s")
        yield Problem("terminal", message % {"lifecycle": status.lifecycle.value, "right": right})
    if status.code in RESERVED and status.is_task_code and status.lifecycle is not Lifecycle.RUNNING:
        message = gettext("of this reserved code is RUNNING; only its display is yours to choose")
        yield Problem("lifecycle", message)


def _presentation_problems(status: StatusItem) -> Iterator[Problem]:
    for member, value in status.presentation.items():
        if member not in PRESENTATION_MEMBERS:
            message = gettext("is unknown; use %(choice)s") % {"choice": ", ".join(PRESENTATION_MEMBERS)}
            yield Problem(f"presentation.{member}", message)
        elif not _PRESENTATION_VALUE.fullmatch(value):
            message = gettext("takes a token of 1 to 64 characters of a-z 0-9 . _ -")
            yield Problem(f"presentation.{member}", message)


@dataclass(frozen=True, slots=True)
class _Flow:
    """Which task code follows which. The reserved codes can be reached from everywhere (ruling 37)."""

    sources: Mapping[str, frozenset[str]]
    ending: frozenset[str]
    known: frozenset[str]
    reached: frozenset[str]

    @classmethod
    def of(cls, item: StatusSetItem) -> "_Flow":
        # Where a code means one thing for tasks and another for steps, the task's meaning counts.
        by_code = {status.code: status for status in sorted(item.statuses, key=lambda s: s.is_task_code)}
        tasks = {code: status for code, status in by_code.items() if status.is_task_code}
        sources = {code: frozenset(tasks[code].allowed_from) for code in tasks if code not in RESERVED}
        begin = {code for code, status in tasks.items() if status.initial}
        return cls(
            sources=sources,
            ending=frozenset(code for code, status in by_code.items() if status.lifecycle.is_terminal),
            known=frozenset(by_code) | RESERVED | _NO_CODE_NEEDED,
            reached=_closure(begin | RESERVED | _NO_CODE_NEEDED, sources),
        )

    def problems(self, status: StatusItem) -> Iterator[Problem]:
        """What is wrong with the ways to and from one code."""
        for code in status.allowed_from:
            if code not in self.known:
                message = gettext("names %(code)s, which the set lacks; add or remove it")
                yield Problem("allowedFrom", message % {"code": code})
            elif code in self.ending:
                message = gettext("names %(code)s, which is terminal and is never left; remove it")
                yield Problem("allowedFrom", message % {"code": code})
        if AppliesTo.TASK not in status.applies_to or status.code in RESERVED:
            return
        if status.code not in self.reached:
            message = gettext("lets no task come here; name a code that tasks reach, @none or *")
            yield Problem("allowedFrom", message)
        if not status.lifecycle.is_terminal and not self._is_left(status.code):
            message = gettext("leads nowhere: name it in another TASK code's allowedFrom, or end with it")
            yield Problem("code", message)

    def _is_left(self, code: str) -> bool:
        return any(sources & {code, ANY_STATUS} for other, sources in self.sources.items() if other != code)


def _closure(begin: set[str] | frozenset[str], sources: Mapping[str, frozenset[str]]) -> frozenset[str]:
    reached = set(begin)
    while fresh := {code for code, allowed in sources.items() if code not in reached and allowed & reached}:
        reached |= fresh
    return frozenset(reached)
