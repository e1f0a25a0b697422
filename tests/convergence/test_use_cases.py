"""After each use case, whatever becomes of its messages, a screen shows what a fresh one shows (conventions 18)."""

import pytest

from registries.resolver import forget
from taskstatus.services.raise_epoch import raise_epoch
from tests.faults.scenarios import SCENARIOS
from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, Coordinator, coordinator, step_body, task_body
from tests.support.convergence import drained, observe, prove, prove_with_a_reading

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("R04")]


@pytest.fixture
def carol() -> Coordinator:
    forget()
    return coordinator()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_a_screen_that_was_open_before_converges(carol, scenario):
    request = scenario.prepare(carol)
    drained()
    alice = user_api(ALICE)
    case = observe(alice, ALICE, lambda: request().ok())
    assert bool(case.messages) == bool(scenario.versions)
    prove(alice, case)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_a_screen_that_was_open_from_the_beginning_converges(carol, scenario):
    alice = user_api(ALICE)
    case = observe(alice, ALICE, lambda: scenario.prepare(carol)().ok())
    assert case.messages
    prove(alice, case)


def test_a_long_story_of_several_tasks_converges(carol):
    alice = user_api(ALICE)
    case = observe(alice, ALICE, lambda: a_story(carol))
    assert len(case.all_messages) > len(case.messages) > 20
    prove(alice, case)


def a_story(carol):
    """Three tasks of two workflows: one goes well, one fails and is tried anew, one is cancelled while it waits."""
    created = carol.workflow(*[task_body(step_body(), step_body("s2"), title=f"T{n}") for n in range(2)])
    good, bad = (task["taskId"] for task in created["tasks"])
    lone = carol.task(step_body(failurePolicy="WAIT_FOR_USER"))["taskId"]
    workers = [carol.worker(task_id) for task_id in (good, bad, lone)]
    for worker in workers:
        worker.started()
    for page in range(1, 4):
        workers[0].progress(page, 3, phaseCode=f"PAGE_{page}")
    workers[2].failed()
    workers[1].failed()
    carol.end(bad, "TASK_FAILED")
    carol.api.post(f"/tasks/{bad}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    again = carol.worker(bad)
    again.started()
    again.completed()
    workers[0].completed()
    carol.end(good)
    carol.end(lone, "TASK_CANCELLED")
    end = {"eventId": fresh(), "eventType": "WORKFLOW_COMPLETED"}
    carol.api.post(f"/workflows/{created['workflowId']}/events", end).ok()


@pytest.mark.accepts("R19")
def test_after_the_epoch_was_raised_the_lower_versions_win_over_all_that_is_still_under_way(carol):
    alice = user_api(ALICE)
    task_id = carol.task(step_body())["taskId"]

    def act():
        worker = carol.worker(task_id)
        worker.started()
        raise_epoch()
        worker.progress()
        worker.completed()

    case = observe(alice, ALICE, act)
    assert {message["epoch"] for message in case.all_messages} == {"1", "2"}
    prove_with_a_reading(alice, case)
