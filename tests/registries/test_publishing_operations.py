"""The rules that an operation must keep to be published, each with what breaks it."""

from typing import Any

import pytest

from registries.items import OperationItem
from registries.publishing.rules import draft_problems, publishing_problems
from taskstatus.domain.lifecycle import TASK_EVENTS
from tests.registries.support import file, load, operation, refusals

pytestmark = pytest.mark.accepts("G03")

KNOWN = frozenset({"document.parsed.v1"})


def problems(**changes: Any) -> list[str]:
    item = OperationItem.model_validate(operation(**changes))
    return [str(problem) for problem in publishing_problems(item, KNOWN)]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"taskTypePattern": "DOCUMENT_*", "producerPattern": "parser-*"},
        {"taskTypePattern": "DOCUMENT_PROCESS", "producerPattern": "*"},
        {"allowedDataSchemas": {"STEP_COMPLETED": ["document.parsed.v1"]}},
        {"heartbeatIntervalSeconds": 20, "heartbeatTimeoutSeconds": 60},
        {"allowedEventTypes": []},
    ],
)
def test_taken(changes):
    assert problems(**changes) == []


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        *(({"allowedEventTypes": [event]}, f"names {event}") for event in sorted(TASK_EVENTS)),
        ({"allowedEventTypes": ["STEP_HEARTBEAT"]}, "allowedEventTypes: names STEP_HEARTBEAT"),
        ({"allowedEventTypes": ["STEP_HEALTH_CHANGED"]}, "allowedEventTypes: names STEP_HEALTH_CHANGED"),
        ({"allowedDataSchemas": {"TASK_COMPLETED": []}}, "allowedDataSchemas: names TASK_COMPLETED"),
        (
            {"allowedDataSchemas": {"STEP_PROGRESS": ["other.v1", "document.parsed.v1"]}},
            "allowedDataSchemas.STEP_PROGRESS: names other.v1, which is neither in the file nor published",
        ),
        (
            {"heartbeatIntervalSeconds": 20, "heartbeatTimeoutSeconds": 59},
            "heartbeatTimeoutSeconds: is 59, under three intervals; make it 60 at least",
        ),
        ({"heartbeatIntervalSeconds": 21}, "heartbeatTimeoutSeconds: is 60, under three intervals; make it 63"),
        ({"taskTypePattern": "DOC*MENT"}, "taskTypePattern: is DOC*MENT: a * stands at the end only"),
        ({"taskTypePattern": "*_PROCESS"}, "taskTypePattern: is *_PROCESS"),
        ({"taskTypePattern": "DOCUMENT_**"}, "taskTypePattern: is DOCUMENT_**"),
        ({"producerPattern": "*-parser"}, "producerPattern: is *-parser"),
        ({"errors": [{"code": "E"}, {"code": "F"}, {"code": "E"}]}, "errors: define E 2 times; keep one"),
    ],
)
def test_refused(changes, complaint):
    (found,) = problems(**changes)
    assert complaint in found


def test_a_draft_may_be_unfinished():
    item = OperationItem.model_validate(operation(state="draft", taskTypePattern="*X", heartbeatTimeoutSeconds=1))
    assert list(draft_problems(item)) == []


@pytest.mark.parametrize("way", ["in one file", "one after the other"])
def test_two_profiles_of_one_pattern_are_one_too_many(db, way):
    """Patterns that overlap are told apart by how much they say; two that say the same are not."""
    first, second = operation("ANY", generic=True), operation("OTHER", generic=True, version=2)
    if way == "in one file":
        found = refusals(file(operations=[first, second]))
        assert len(found) == 2
    else:
        load(operations=[first])
        found = refusals(file(operations=[second]))
    words = "generic (OTHER v2): is the profile of *, and so is ANY v1; retire one, or choose another pattern"
    assert found[-1].endswith(words)


def test_a_profile_may_have_versions_and_rivals_that_say_more_or_are_retired(db):
    load(operations=[operation("ANY", generic=True), operation("OTHER", generic=True, state="retired")])
    load(operations=[operation("ANY", generic=True, version=2), operation("MORE", generic=True, taskTypePattern="A*")])
    load(operations=[operation("ANY", generic=True, version=n, state="retired") for n in (1, 2)])
    load(operations=[operation("OTHER", generic=True, version=2)])
