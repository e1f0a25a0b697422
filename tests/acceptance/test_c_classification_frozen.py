"""What kind of task it is freezes once that is in use (C28)."""

from typing import Any

import pytest

from tests.support.cast import Coordinator, step_body
from tests.support.classification import NEW_TYPE, classifier, classify
from tests.support.definitions import define, operation
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol() -> Coordinator:
    return classifier()


@pytest.mark.accepts("C28")
@pytest.mark.parametrize(
    "body",
    [{"taskType": "LETTER"}, {"statusDefinitionVersion": 1}, {"operationDefinitionVersion": 3}, {"taskType": "X"}],
)
def test_a_reported_status_freezes_the_type_and_its_versions(carol, body):
    """Once a code of the set was reported, none of them changes, before any definition is looked up."""
    task = carol.task(**NEW_TYPE)["taskId"]
    carol.report("TASK_STATUS_CHANGED", task, businessStatus="READING").accepted()
    assert_frozen(carol, task, body)


@pytest.mark.accepts("C28")
def test_an_activated_step_freezes_them_too(carol):
    """So does an execution that began under the type."""
    task = carol.task(step_body(), **NEW_TYPE)["taskId"]
    carol.activate(task)
    assert_frozen(carol, task, {"taskType": "LETTER"})
    assert_frozen(carol, task, {"statusDefinitionVersion": 99})


def assert_frozen(carol: Coordinator, task: str, body: dict[str, Any]) -> None:
    with unchanged():
        classify(carol, task, body).refused(409, "CLASSIFICATION_FROZEN")
        classify(carol, task, {**body, "productId": "q"}).refused(409, "CLASSIFICATION_FROZEN")
    assert classify(carol, task, NEW_TYPE | {"productId": "p"}).ok()
    assert carol.detail(task)["productId"] == "p"


@pytest.mark.accepts("C28")
def test_the_initial_code_freezes_nothing(carol):
    """The code that the task was given by itself is no report."""
    task = carol.task(**NEW_TYPE)["taskId"]
    assert carol.detail(task)["businessStatus"] == "NEW"
    classify(carol, task, {"taskType": "LETTER"}).ok()


@pytest.mark.accepts("C28")
def test_a_running_task_without_a_type_is_never_frozen(carol):
    """It is classified while it runs: its codes become null, and the next reported one freezes it."""
    worker = carol.running()
    task = worker.context["taskId"]
    carol.report("TASK_STATUS_CHANGED", task, businessStatus="RUNNING").accepted()
    classify(carol, task, NEW_TYPE).ok()
    detail = carol.detail(task)
    assert (detail["lifecycleStatus"], detail["businessStatus"]) == ("RUNNING", None)
    assert detail["steps"][0]["businessStatus"] is None
    worker.progress(businessStatus="READING")
    assert carol.detail(task)["businessStatus"] == "READING"
    assert_frozen(carol, task, {"taskType": "LETTER"})


@pytest.mark.accepts("C28")
def test_a_reserved_code_stays(carol):
    """A task that waits for its user goes on to show so."""
    define(operations=[operation(version=4, failurePolicy="WAIT_FOR_USER")])
    worker = carol.running()
    worker.failed()
    task = worker.context["taskId"]
    classify(carol, task, NEW_TYPE).ok()
    assert carol.detail(task)["businessStatus"] == "WAITING_USER_ACTION"


@pytest.mark.accepts("C28")
def test_an_ended_task_takes_product_and_batch_only(carol):
    """What it was stays; where it belongs may still be said."""
    task = carol.task()["taskId"]
    carol.end(task)
    with unchanged():
        classify(carol, task, NEW_TYPE).refused(409, "TERMINAL_STATE")
        classify(carol, task, {"operationDefinitionVersion": 3}).refused(409, "TERMINAL_STATE")
    classify(carol, task, {"productId": "p", "batchId": "b"}).ok()
