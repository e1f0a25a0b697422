"""What kind of task it is may be said later, by those who saw its version, until it is in use (C28)."""

from typing import Any

import pytest

from taskstatus.models import TaskEvent
from tests.support.api import Answer, service_api
from tests.support.cast import Coordinator, coordinator, step_body
from tests.support.definitions import define, operation, status, status_set
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C28")]

CODES = (
    status("NEW", "PENDING", "TASK", initial=True),
    status("READING", allowedFrom=["NEW", "@none"]),
    status("DONE", "SUCCEEDED", allowedFrom=["READING"]),
)
NEW_TYPE = {"taskType": "PAPER"}
EVERYTHING = {
    "productId": "contracts",
    "batchId": "b-1",
    "taskType": "PAPER",
    "statusDefinitionVersion": 1,
    "operationDefinitionVersion": 3,
}


@pytest.fixture
def carol() -> Coordinator:
    define(
        sets=[status_set(*CODES), status_set(*CODES, version=2), status_set(*CODES, task_type="LETTER")],
        operations=[operation(version=3)],
    )
    return coordinator()


def classify(carol: Coordinator, task_id: str, body: dict[str, Any], tag: str | None = None) -> Answer:
    """Classify the task, as somebody who has just read it unless a tag is named."""
    tag = tag or carol.api.get(f"/tasks/{task_id}").headers["ETag"]
    return carol.api.call("PATCH", f"/tasks/{task_id}/classification", body, headers={"If-Match": tag})


def last_event(task_id: str) -> Any:
    return TaskEvent.objects.filter(task_id=task_id).latest("task_version")


def test_a_task_learns_what_it_is(carol):
    task = carol.task(step_body())["taskId"]
    assert classify(carol, task, EVERYTHING).ok() == {"taskVersion": "2", "epoch": "1"}
    detail = carol.detail(task)
    assert {name: detail[name] for name in EVERYTHING} == EVERYTHING
    assert (detail["businessStatus"], detail["version"]) == ("NEW", "2")
    assert detail["steps"][0]["businessStatus"] is None


def test_each_change_is_an_event_with_a_version(carol):
    task = carol.task()["taskId"]
    for version, (body, event_type) in enumerate(
        [
            (NEW_TYPE, "TASK_CLASSIFIED"),
            ({"productId": "p"}, "TASK_METADATA_UPDATED"),
            ({"batchId": "b", "taskType": "LETTER"}, "TASK_CLASSIFIED"),
        ],
        start=2,
    ):
        assert classify(carol, task, body).ok()["taskVersion"] == str(version)
        assert (last_event(task).event_type, last_event(task).task_version) == (event_type, version)
    assert last_event(task).payload == {
        "before": {"batchId": None, "taskType": "PAPER", "statusDefinitionVersion": 2},
        "after": {"batchId": "b", "taskType": "LETTER", "statusDefinitionVersion": 1},
    }


@pytest.mark.parametrize("body", [{}, {"taskType": None}, NEW_TYPE, {"statusDefinitionVersion": 2}, {"productId": "p"}])
def test_what_is_so_already_is_no_version(carol, body):
    task = carol.task(productId="p", **NEW_TYPE)["taskId"]
    with unchanged():
        assert classify(carol, task, body).ok() == {"taskVersion": "1", "epoch": "1"}


def test_it_needs_if_match(carol):
    task = carol.task()["taskId"]
    with unchanged():
        carol.api.call("PATCH", f"/tasks/{task}/classification", NEW_TYPE).refused(428, "IF_MATCH_REQUIRED")


@pytest.mark.parametrize(
    "tag",
    [
        '"task-version-2"',
        '"task-version-1.2"',
        '"task-version-2.1"',
        'W/"task-version-1"',
        "task-version-1",
        '"task-version-01"',
        "*",
    ],
)
def test_another_version_is_refused_with_the_present_one(carol, tag):
    task = carol.task()["taskId"]
    with unchanged():
        problem = classify(carol, task, NEW_TYPE, tag).refused(412, "VERSION_MISMATCH")
    assert problem["current"] == {"taskVersion": "1"}


@pytest.mark.parametrize("tag", ['"task-version-1"', '"task-version-1.1"', '"task-version-9", "task-version-1.1"'])
def test_any_spelling_of_the_present_version_is_taken(carol, tag):
    assert classify(carol, carol.task()["taskId"], NEW_TYPE, tag).ok()["taskVersion"] == "2"


def test_of_two_who_saw_one_version_the_second_is_refused(carol):
    task = carol.task()["taskId"]
    tag = carol.api.get(f"/tasks/{task}").headers["ETag"]
    classify(carol, task, NEW_TYPE, tag).ok()
    classify(carol, task, {"taskType": "LETTER"}, tag).refused(412, "VERSION_MISMATCH")
    assert carol.detail(task)["taskType"] == "PAPER"


@pytest.mark.parametrize(
    "body",
    [{"taskType": "LETTER"}, {"statusDefinitionVersion": 1}, {"operationDefinitionVersion": 3}, {"taskType": "X"}],
)
def test_a_reported_status_freezes_the_type_and_its_versions(carol, body):
    task = carol.task(**NEW_TYPE)["taskId"]
    carol.report("TASK_STATUS_CHANGED", task, businessStatus="READING").accepted()
    assert_frozen(carol, task, body)


def test_an_activated_step_freezes_them_too(carol):
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


def test_the_initial_code_freezes_nothing(carol):
    task = carol.task(**NEW_TYPE)["taskId"]
    assert carol.detail(task)["businessStatus"] == "NEW"
    classify(carol, task, {"taskType": "LETTER"}).ok()


def test_a_running_task_without_a_type_is_never_frozen(carol):
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


def test_a_reserved_code_stays(carol):
    define(operations=[operation(version=4, failurePolicy="WAIT_FOR_USER")])
    worker = carol.running()
    worker.failed()
    task = worker.context["taskId"]
    classify(carol, task, NEW_TYPE).ok()
    assert carol.detail(task)["businessStatus"] == "WAITING_USER_ACTION"


def test_an_ended_task_takes_product_and_batch_only(carol):
    task = carol.task()["taskId"]
    carol.end(task)
    with unchanged():
        classify(carol, task, NEW_TYPE).refused(409, "TERMINAL_STATE")
        classify(carol, task, {"operationDefinitionVersion": 3}).refused(409, "TERMINAL_STATE")
    classify(carol, task, {"productId": "p", "batchId": "b"}).ok()


@pytest.mark.parametrize(
    ("body", "status_code", "code"),
    [
        ({"taskType": "PAPER", "statusDefinitionVersion": 9}, 404, "DEFINITION_NOT_FOUND"),
        ({"operationDefinitionVersion": 9}, 404, "DEFINITION_NOT_FOUND"),
        ({"statusDefinitionVersion": 1}, 400, "INVALID_FIELD"),
        ({"taskType": "paper"}, 400, "INVALID_FIELD"),
        ({"title": "Other"}, 400, "UNKNOWN_FIELD"),
        ({"tenantId": "other", "productId": "p"}, 403, "SCOPE_MISMATCH"),
    ],
)
def test_refused(carol, body, status_code, code):
    task = carol.task()["taskId"]
    with unchanged():
        classify(carol, task, body).refused(status_code, code)


def test_a_type_that_nobody_defined_is_kept_with_the_generic_statuses(carol):
    task = carol.task(step_body())["taskId"]
    classify(carol, task, {"taskType": "UNHEARD.OF"}).ok()
    detail = carol.detail(task)
    assert (detail["taskType"], detail["statusDefinitionVersion"], detail["businessStatus"]) == (
        "UNHEARD.OF", None, "PENDING",
    )  # fmt: skip
    assert detail["steps"][0]["businessStatus"] == "PENDING"


def test_strangers_see_no_task_and_workers_may_not(carol):
    task = carol.task()["taskId"]
    path, options = f"/tasks/{task}/classification", {"headers": {"If-Match": '"task-version-1"'}}
    for stranger in (coordinator("other"), coordinator(scope="other")):
        stranger.api.call("PATCH", path, NEW_TYPE, **options).refused(404, "TASK_NOT_FOUND")
    service_api("w", "worker").call("PATCH", path, NEW_TYPE, **options).refused(403, "ROLE_REQUIRED")
