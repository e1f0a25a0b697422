"""When an operation may be published: workers can keep it, and all that it names exists."""

from collections import Counter
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from registries.items import OperationItem
from registries.models.operation import FEWEST_INTERVALS_IN_A_TIMEOUT
from registries.problems import Problem
from registries.publishing.references import unknown_schemas
from registries.states import State
from taskstatus.domain.lifecycle import WORKER_EVENTS, EventType


def operation_problems(
    item: OperationItem, known_schemas: frozenset[str], profiles: Iterable[OperationItem]
) -> Iterator[Problem]:
    """Everything that keeps the operation from being published beside these schemas and generic profiles."""
    yield from _pattern_problems("taskTypePattern", item.task_type_pattern)
    yield from _pattern_problems("producerPattern", item.producer_pattern)
    yield from _event_problems("allowedEventTypes", item.allowed_event_types)
    yield from _event_problems("allowedDataSchemas", item.allowed_data_schemas)
    for event, names in item.allowed_data_schemas.items():
        yield from unknown_schemas(f"allowedDataSchemas.{event}", names, known_schemas)
    yield from _heartbeat_problems(item)
    yield from _twin_errors(item)
    yield from _rival_profiles(item, profiles)


def _pattern_problems(member: str, pattern: str) -> Iterator[Problem]:
    if "*" in pattern[:-1]:
        message = gettext("is %(pattern)s: a * stands at the end only; write a longer or shorter prefix")
        yield Problem(member, message % {"pattern": pattern})


def _event_problems(member: str, events: Iterable[EventType]) -> Iterator[Problem]:
    for event in events:
        if event not in WORKER_EVENTS:
            message = gettext("names %(event)s, which no operation decides about; choose of %(choice)s")
            yield Problem(member, message % {"event": event.value, "choice": ", ".join(sorted(WORKER_EVENTS))})


def _heartbeat_problems(item: OperationItem) -> Iterator[Problem]:
    least = FEWEST_INTERVALS_IN_A_TIMEOUT * item.heartbeat_interval_seconds
    if item.heartbeat_timeout_seconds < least:
        message = gettext("is %(seconds)d, under three intervals; make it %(least)d at least")
        yield Problem("heartbeatTimeoutSeconds", message % {"seconds": item.heartbeat_timeout_seconds, "least": least})


def _twin_errors(item: OperationItem) -> Iterator[Problem]:
    for code, count in Counter(error.code for error in item.errors).items():
        if count > 1:
            message = gettext("define %(code)s %(count)d times; keep one")
            yield Problem("errors", message % {"code": code, "count": count})


def _rival_profiles(item: OperationItem, profiles: Iterable[OperationItem]) -> Iterator[Problem]:
    """Of patterns that overlap the most specific wins; between two profiles of one pattern nothing decides."""
    if not item.generic or item.state is State.RETIRED:
        return
    rivals = [one for one in profiles if one.task_type_pattern == item.task_type_pattern and one.code != item.code]
    for rival in rivals[:1]:
        message = gettext("is the profile of %(pattern)s, and so is %(other)s; retire one, or choose another pattern")
        yield Problem("generic", message % {"pattern": item.task_type_pattern, "other": rival.label})
