"""When an operation may be published: workers can keep it, and all that it names exists."""

from collections import Counter
from collections.abc import Iterable, Iterator

from registries.items import OperationItem
from registries.models.operation import FEWEST_INTERVALS_IN_A_TIMEOUT
from registries.problems import Problem
from registries.publishing.references import unknown_schemas
from taskstatus.domain.lifecycle import WORKER_EVENTS, EventType


def operation_problems(item: OperationItem, known_schemas: frozenset[str]) -> Iterator[Problem]:
    """Everything that keeps the operation from being published; `known_schemas` are in file or rows."""
    yield from _pattern_problems("taskTypePattern", item.task_type_pattern)
    yield from _pattern_problems("producerPattern", item.producer_pattern)
    yield from _event_problems("allowedEventTypes", item.allowed_event_types)
    yield from _event_problems("allowedDataSchemas", item.allowed_data_schemas)
    for event, names in item.allowed_data_schemas.items():
        yield from unknown_schemas(f"allowedDataSchemas.{event}", names, known_schemas)
    yield from _heartbeat_problems(item)
    yield from _twin_errors(item)


def _pattern_problems(member: str, pattern: str) -> Iterator[Problem]:
    if "*" in pattern[:-1]:
        yield Problem(member, f"is {pattern}: a * stands at the end only; write a longer or shorter prefix")


def _event_problems(member: str, events: Iterable[EventType]) -> Iterator[Problem]:
    for event in events:
        if event not in WORKER_EVENTS:
            choice = ", ".join(sorted(WORKER_EVENTS))
            yield Problem(member, f"names {event}, which no operation decides about; choose of {choice}")


def _heartbeat_problems(item: OperationItem) -> Iterator[Problem]:
    least = FEWEST_INTERVALS_IN_A_TIMEOUT * item.heartbeat_interval_seconds
    if item.heartbeat_timeout_seconds < least:
        yield Problem(
            "heartbeatTimeoutSeconds",
            f"is {item.heartbeat_timeout_seconds}, under three intervals; make it {least} at least",
        )


def _twin_errors(item: OperationItem) -> Iterator[Problem]:
    for code, count in Counter(error.code for error in item.errors).items():
        if count > 1:
            yield Problem("errors", f"define {code} {count} times; keep one")
