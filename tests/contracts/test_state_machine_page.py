"""docs/state_machine.md says what the code does: its tables, and its diagrams."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType, FailurePolicy, Lifecycle
from taskstatus.domain.state_machine import STEP_TRANSITIONS, TASK_TRANSITIONS, status_change_target

Row = tuple[str, str, str]

PAGE = (Path(__file__).parents[2] / "docs" / "state_machine.md").read_text(encoding="utf-8")
TABLE_ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|$", re.MULTILINE)
ARROW = re.compile(r"^    (\w+) --> (\w+): (.+)$", re.MULTILINE)


def section(title: str) -> str:
    """The text under this heading, up to the next one of its level."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def table(text: str) -> list[Row]:
    return TABLE_ROW.findall(text)


def diagram(text: str) -> Iterator[Row]:
    for before, after, events in ARROW.findall(text):
        for event in events.split(", "):
            yield event, before, after


def code_of_steps() -> set[Row]:
    return {(event.value, before.value, after.value) for (event, before), after in STEP_TRANSITIONS.items()}


def code_of_tasks() -> set[Row]:
    ends = {(event.value, before.value, after.value) for (event, before), after in TASK_TRANSITIONS.items()}
    return ends | set(status_changes())


def status_changes() -> Iterator[Row]:
    for before, target in product((Lifecycle.PENDING, Lifecycle.RUNNING), Lifecycle):
        try:
            after = status_change_target(before, target)
        except DomainError:
            continue
        yield EventType.TASK_STATUS_CHANGED.value, before.value, after.value


@pytest.mark.parametrize(("title", "code"), [("Steps", code_of_steps()), ("Tasks", code_of_tasks())])
def test_table_and_diagram_are_the_codes(title, code):
    text = section(title)
    for shown in (table(text), list(diagram(text))):
        assert sorted(shown) == sorted(code)


def test_the_page_knows_every_lifecycle_and_policy():
    for word in (*Lifecycle, *FailurePolicy):
        assert f"`{word}`" in PAGE
