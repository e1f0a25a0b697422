"""An error code's words in the reader's language: the same in snapshot, push, timeline and notice."""

import json

import pytest

from outbox.models import OutboxMessage
from registries.resolver import forget
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator, error_body
from tests.support.definitions import define, operation
from tests.support.projected import messages

pytestmark = pytest.mark.django_db

TEXT = {"en": "Not supported yet.", "zh-Hans": "暂不支持。"}


@pytest.fixture
def carol():
    """A coordinator whose operation has words for one error, and actions alone for another."""
    known = {"code": "FORMAT", "userMessage": TEXT, "actions": ["REUPLOAD_FILE"]}
    define(operations=[operation(errors=[known, {"code": "SPEECHLESS", "actions": ["REVIEW"]}])])
    yield coordinator()
    forget()


def failed(carol, code):
    """A task that was failed for its step's failure; both with this code."""
    worker = carol.running()
    worker.failed(code=code)
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED", failedStepId="s1", error=error_body(code=code))
    return task_id


def read(task_id, language):
    """What Alice reads of the failure, from everywhere she can ask."""
    alice, headers = user_api(ALICE), {"Accept-Language": language}
    detail = alice.get(f"/tasks/{task_id}", headers=headers).ok()
    (listed,) = alice.get("/me/tasks", headers=headers).ok()["items"]
    (attempt,) = alice.get(f"/tasks/{task_id}/attempts", headers=headers).ok()["items"]
    events = alice.get(f"/tasks/{task_id}/events", headers=headers).ok()["items"]
    batch = alice.post("/tasks/status:batchGet", {"taskIds": [task_id]}, headers=headers).ok()["items"]
    return {
        detail["failure"]["message"],
        detail["steps"][0]["error"]["userMessage"],
        listed["failure"]["message"],
        attempt["steps"][0]["error"]["userMessage"],
        batch[0]["task"]["failure"]["message"],
        *[event["error"]["userMessage"] for event in events if event["error"]],
    }


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_answer_has_the_operations_words_in_the_readers_language(carol, language):
    assert read(failed(carol, "FORMAT"), language) == {TEXT[language]}


@pytest.mark.parametrize("code", ["SPEECHLESS", "UNHEARD_OF"])
def test_where_the_operation_has_no_words_the_workers_are_read(carol, code):
    assert read(failed(carol, code), "zh-Hans") == {"It broke."}


def test_pushes_are_in_english_and_agree_with_each_other(carol):
    task_id = failed(carol, "FORMAT")
    words = set()
    for message in messages("task.summary", task_id)[-2:]:
        words |= {message["task"]["failure"]["message"], message["notice"]["message"].rpartition(": ")[2]}
    for message in messages("task.detail", task_id)[-2:]:
        error, event = message["state"]["steps"][0]["error"], message["triggerEvent"]["error"]
        words |= {message["state"]["failure"]["message"], error["userMessage"], event["userMessage"]}
    assert words == {TEXT["en"]}


def test_what_can_be_done_is_the_operations_too(carol):
    task_id = failed(carol, "SPEECHLESS")
    assert carol.detail(task_id)["steps"][0]["error"]["actions"] == ["REVIEW"]
    assert [m["triggerEvent"]["error"]["actions"] for m in messages("task.detail", task_id)[-2:]] == [["REVIEW"]] * 2


def test_what_a_worker_wrote_is_pushed_nowhere_where_the_operation_has_words(carol):
    task_id = failed(carol, "FORMAT")
    rows = OutboxMessage.objects.filter(aggregate_id=task_id)
    assert [row.pk for row in rows if "It broke." in json.dumps(json.loads(row.payload))] == []
