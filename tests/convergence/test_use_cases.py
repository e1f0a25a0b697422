"""After each use case, whatever becomes of its messages, a screen shows what a fresh one shows (conventions 18)."""

import pytest

from registries.resolver import forget
from taskstatus.services.raise_epoch import raise_epoch
from tests.faults.scenarios import SCENARIOS
from tests.support.api import user_api
from tests.support.cast import ALICE, Coordinator, coordinator, step_body
from tests.support.convergence import drained, observe, prove, prove_with_a_reading
from tests.support.stories import a_story

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
