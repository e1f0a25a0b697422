"""What kind of task it is may be said later, by those who saw its version (C28)."""

from typing import Any

import pytest

from taskstatus.models import TaskEvent
from tests.support.api import service_api
from tests.support.cast import Coordinator, coordinator, step_body
from tests.support.classification import NEW_TYPE, classifier, classify
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db(transaction=True)

EVERYTHING = {
    "productId": "contracts",
    "batchId": "b-1",
    "taskType": "PAPER",
    "statusDefinitionVersion": 1,
    "operationDefinitionVersion": 3,
}


@pytest.fixture
def carol() -> Coordinator:
    return classifier()


def last_event(task_id: str) -> Any:
    return TaskEvent.objects.filter(task_id=task_id).latest("task_version")


@pytest.mark.accepts("C28")
def test_a_task_learns_what_it_is(carol):
    """Product, batch, type and versions are taken, and the task gets the first code of its set."""
    task = carol.task(step_body())["taskId"]
    assert classify(carol, task, EVERYTHING).ok() == {"taskVersion": "2", "epoch": "1"}
    detail = carol.detail(task)
    assert {name: detail[name] for name in EVERYTHING} == EVERYTHING
    assert (detail["businessStatus"], detail["version"]) == ("NEW", "2")
    assert detail["steps"][0]["businessStatus"] is None


@pytest.mark.accepts("C28")
def test_each_change_is_an_event_with_a_version(carol):
    """The log says which kind of change it was, and what the members were and became."""
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


@pytest.mark.accepts("C28")
@pytest.mark.parametrize("body", [{}, {"taskType": None}, NEW_TYPE, {"statusDefinitionVersion": 2}, {"productId": "p"}])
def test_what_is_so_already_is_no_version(carol, body):
    """Saying the same again, or nothing, changes nothing."""
    task = carol.task(productId="p", **NEW_TYPE)["taskId"]
    with unchanged():
        assert classify(carol, task, body).ok() == {"taskVersion": "1", "epoch": "1"}


@pytest.mark.accepts("C28")
def test_it_needs_if_match(carol):
    """Without the version that the caller saw nothing is changed."""
    task = carol.task()["taskId"]
    with unchanged():
        carol.api.call("PATCH", f"/tasks/{task}/classification", NEW_TYPE).refused(428, "IF_MATCH_REQUIRED")


@pytest.mark.accepts("C28")
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
    """A tag of another version, or none of ours, is told which version the task has."""
    task = carol.task()["taskId"]
    with unchanged():
        problem = classify(carol, task, NEW_TYPE, tag).refused(412, "VERSION_MISMATCH")
    assert problem["current"] == {"taskVersion": "1"}


@pytest.mark.accepts("C28")
@pytest.mark.parametrize("tag", ['"task-version-1"', '"task-version-1.1"', '"task-version-9", "task-version-1.1"'])
def test_any_spelling_of_the_present_version_is_taken(carol, tag):
    """With the epoch, without it, or among others."""
    assert classify(carol, carol.task()["taskId"], NEW_TYPE, tag).ok()["taskVersion"] == "2"


@pytest.mark.accepts("C28")
def test_of_two_who_saw_one_version_the_second_is_refused(carol):
    """Nobody overwrites what they have not seen."""
    task = carol.task()["taskId"]
    tag = carol.api.get(f"/tasks/{task}").headers["ETag"]
    classify(carol, task, NEW_TYPE, tag).ok()
    classify(carol, task, {"taskType": "LETTER"}, tag).refused(412, "VERSION_MISMATCH")
    assert carol.detail(task)["taskType"] == "PAPER"


@pytest.mark.accepts("C28")
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
    """Unknown versions, bad members and foreign tenants are each told apart."""
    task = carol.task()["taskId"]
    with unchanged():
        classify(carol, task, body).refused(status_code, code)


@pytest.mark.accepts("C28")
def test_a_type_that_nobody_defined_is_kept_with_the_generic_statuses(carol):
    """As at creation."""
    task = carol.task(step_body())["taskId"]
    classify(carol, task, {"taskType": "UNHEARD.OF"}).ok()
    detail = carol.detail(task)
    assert (detail["taskType"], detail["statusDefinitionVersion"]) == ("UNHEARD.OF", None)
    assert detail["businessStatus"] == "PENDING"
    assert detail["steps"][0]["businessStatus"] == "PENDING"


@pytest.mark.accepts("C28")
def test_strangers_see_no_task_and_workers_may_not(carol):
    """Another tenant or scope finds nothing; a worker lacks the role."""
    task = carol.task()["taskId"]
    path, options = f"/tasks/{task}/classification", {"headers": {"If-Match": '"task-version-1"'}}
    for stranger in (coordinator("other"), coordinator(scope="other")):
        stranger.api.call("PATCH", path, NEW_TYPE, **options).refused(404, "TASK_NOT_FOUND")
    service_api("w", "worker").call("PATCH", path, NEW_TYPE, **options).refused(403, "ROLE_REQUIRED")
