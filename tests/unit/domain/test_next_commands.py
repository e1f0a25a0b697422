"""What may come next, by whom, is what the state machine allows."""

from taskstatus.domain.lifecycle import Lifecycle
from taskstatus.domain.next_commands import Actor, next_commands
from tests.support.explained import ExplainedPlainTask, activated, ended, pending, running, under_way


def told(task, *steps):
    commands = next_commands(task, [one.step for one in steps])
    return {actor: [one.command for one in commands if one.actor is actor] for actor in Actor}


ENDS = ["TASK_STATUS_CHANGED", "TASK_COMPLETED", "TASK_FAILED", "TASK_CANCELLED"]


def test_an_ended_task_has_a_new_attempt_before_it_and_nothing_else():
    ended_task = ExplainedPlainTask(lifecycle_status=Lifecycle.FAILED)
    assert told(ended_task, running()) == {Actor.COORDINATOR: [":retry"], Actor.WORKER: []}


def test_a_step_that_waits_is_activated():
    assert told(ExplainedPlainTask(), pending()) == {Actor.COORDINATOR: [":activate", *ENDS], Actor.WORKER: []}


def test_an_activated_step_starts_or_ends():
    assert told(under_way(), activated()) == {
        Actor.COORDINATOR: [":activate supersede=true", *ENDS],
        Actor.WORKER: ["STEP_STARTED", "STEP_FAILED", "STEP_CANCELLED"],
    }


def test_a_running_step_reports_on():
    assert told(under_way(), running(attempt=3))[Actor.COORDINATOR] == ENDS
    assert told(under_way(), running())[Actor.WORKER] == [
        *("STEP_PROGRESS", "STEP_COMPLETED", "STEP_FAILED", "STEP_CANCELLED", "STEP_HEARTBEAT"),
    ]


def test_an_ended_step_has_another_attempt_while_the_operation_allows_one():
    assert told(under_way(), ended(lifecycle=Lifecycle.FAILED))[Actor.COORDINATOR] == [":activate", *ENDS]
    assert told(under_way(), ended(attempt=3)) == {Actor.COORDINATOR: ENDS, Actor.WORKER: []}
