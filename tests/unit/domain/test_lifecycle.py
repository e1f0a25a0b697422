"""The words of the state model: which of them end something, which are about a task, which a worker may say."""

import pytest

from taskstatus.domain.lifecycle import LIVE, TASK_EVENTS, TERMINAL, WORKER_EVENTS, EventType, Lifecycle, RecordType


@pytest.mark.parametrize(
    ("lifecycle", "ends"),
    [("PENDING", False), ("RUNNING", False), ("SUCCEEDED", True), ("FAILED", True), ("CANCELLED", True)],
)
def test_three_of_the_five_lifecycles_are_ends(lifecycle, ends):
    assert Lifecycle(lifecycle).is_terminal is ends


def test_every_lifecycle_is_either_live_or_an_end():
    assert set(Lifecycle) == TERMINAL | LIVE
    assert not TERMINAL & LIVE


def test_a_task_event_is_one_that_says_so_in_its_name():
    assert {event for event in EventType if event.is_task_event} == {e for e in EventType if e.startswith("TASK_")}


def test_an_operation_can_allow_every_step_event_but_beats_and_health():
    own_rules = {EventType.STEP_HEARTBEAT, EventType.STEP_HEALTH_CHANGED}
    assert set(EventType) - TASK_EVENTS - own_rules == WORKER_EVENTS


def test_nobody_can_report_what_only_the_service_writes():
    assert {event.value for event in EventType}.isdisjoint(record.value for record in RecordType)
