"""Every event on every lifecycle, of a step and of a task (C19): where it leads, or how it is refused."""

import pytest

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import EventType, Lifecycle
from taskstatus.domain.state_machine import (
    require_live,
    status_change_target,
    step_lifecycle_after,
    task_lifecycle_after,
)

TERMINAL = ("SUCCEEDED", "FAILED", "CANCELLED")

# For each event: where it leads from PENDING, and from RUNNING. From an end nothing leads anywhere.
STEP = {
    "STEP_STARTED": ("RUNNING", None),
    "STEP_PROGRESS": (None, "RUNNING"),
    "STEP_COMPLETED": (None, "SUCCEEDED"),
    "STEP_FAILED": ("FAILED", "FAILED"),
    "STEP_CANCELLED": ("CANCELLED", "CANCELLED"),
    "STEP_HEARTBEAT": (None, "RUNNING"),
    "STEP_HEALTH_CHANGED": (None, "RUNNING"),
    "TASK_STATUS_CHANGED": (None, None),
    "TASK_COMPLETED": (None, None),
    "TASK_FAILED": (None, None),
    "TASK_CANCELLED": (None, None),
}
TASK = dict.fromkeys(STEP, (None, None)) | {
    "TASK_COMPLETED": ("SUCCEEDED", "SUCCEEDED"),
    "TASK_FAILED": ("FAILED", "FAILED"),
    "TASK_CANCELLED": ("CANCELLED", "CANCELLED"),
}
# TASK_STATUS_CHANGED leads where the named code leads: for each lifecycle of a code, from PENDING and from RUNNING.
NAMED = {"PENDING": (True, False), "RUNNING": (True, True)} | dict.fromkeys(TERMINAL, (False, False))


def pairs(table):
    for event, after in table.items():
        for before, expected in zip(("PENDING", "RUNNING"), after, strict=True):
            yield event, before, expected or "ILLEGAL_TRANSITION"
        for before in TERMINAL:
            yield event, before, "TERMINAL_STATE"


def outcome(rule, *arguments):
    try:
        return rule(*arguments).value
    except DomainError as refusal:
        return refusal.code


def test_the_tables_above_name_every_event():
    assert set(STEP) == set(TASK) == set(EventType)


@pytest.mark.parametrize(("event", "before", "expected"), list(pairs(STEP)))
def test_a_step_goes_where_its_table_says(event, before, expected):
    assert outcome(step_lifecycle_after, EventType(event), Lifecycle(before)) == expected


@pytest.mark.parametrize(("event", "before", "expected"), list(pairs(TASK)))
def test_a_task_goes_where_its_table_says(event, before, expected):
    assert outcome(task_lifecycle_after, EventType(event), Lifecycle(before)) == expected


@pytest.mark.parametrize("target", NAMED)
@pytest.mark.parametrize("before", ["PENDING", "RUNNING"])
def test_a_status_change_never_ends_a_task_and_never_leads_back(before, target):
    allowed = NAMED[target][before == "RUNNING"]
    expected = target if allowed else "ILLEGAL_TRANSITION"
    assert outcome(status_change_target, Lifecycle(before), Lifecycle(target)) == expected


@pytest.mark.parametrize("what", ["task", "step"])
def test_a_refusal_says_what_has_ended_and_how(what):
    with pytest.raises(DomainError) as caught:
        require_live(what, Lifecycle.FAILED)
    assert what in caught.value.detail
    assert caught.value.current == {"lifecycleStatus": "FAILED"}
