"""Events are tried on the real write path: accepted, or the exact refusal, and nothing is written."""

import json

import pytest

from registries.models import DataSchemaDefinition, OperationDefinition
from taskstatus.models import Task, Workflow
from tests.admin.support import address, draft, operator, published, text_of
from tests.registries.support import status, statuses
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db(transaction=True)


def tried(client, row, event=None, **changes):
    page = client.get(address(row, "try"))
    form = page.context["form"]
    data = {field.name: field.value() or "" for field in form} | changes
    if event is not None:
        data["event"] = event if isinstance(event, str) else json.dumps(event)
    return client.post(address(row, "try"), data)


def change_to(code):
    return {"eventId": "e1", "eventType": "TASK_STATUS_CHANGED", "businessStatus": code}


def test_the_example_that_a_set_begins_with_is_accepted_and_nothing_is_written(olga):
    page = tried(olga, draft())
    assert page.context["verdict"].accepted
    assert "Accepted" in text_of(page)
    assert not Task.objects.exists()
    assert not Workflow.objects.exists()


def test_the_exact_refusal_is_shown(olga):
    codes = [*statuses(), status("HELD", allowedFrom=["PARSING"]), status("END", "FAILED", allowedFrom=["HELD"])]
    page = tried(olga, draft(statuses=codes), change_to("HELD"), current_status="QUEUED")
    assert page.context["verdict"].code == "STATUS_NOT_REACHABLE"
    assert "STATUS_NOT_REACHABLE" in text_of(page)


def test_a_draft_that_can_not_be_published_says_why(olga):
    page = tried(olga, draft(statuses=[]), change_to("PARSING"))
    assert page.context["verdict"].problems
    assert "exactly one initial TASK code" in text_of(page)


@pytest.mark.parametrize("event", ["", "[]", "{", '{"eventId": "e"}'], ids=["empty", "list", "cut", "bare"])
def test_what_is_no_event_is_refused_as_a_report_would_be(olga, event):
    page = tried(olga, draft(), event)
    verdict = page.context["verdict"]
    assert verdict is None if event == "" else verdict.code
    assert page.status_code == 200


def test_an_operation_is_tried_with_a_step_of_its_own(olga):
    page = tried(olga, draft(OperationDefinition))
    assert page.context["verdict"].accepted
    page = tried(olga, draft(OperationDefinition, code="X.Y"), producer_id="somebody-else")
    assert page.context["verdict"].code == "PRODUCER_MISMATCH"


def test_a_schema_is_tried_by_an_operation_that_carries_it(olga):
    shape = {"type": "object", "required": ["pageCount"], "properties": {"pageCount": {"type": "integer"}}}
    row = draft(DataSchemaDefinition, schema=shape)
    published_schema = published(DataSchemaDefinition, name="document.parsed.v2", schema=shape)
    published(OperationDefinition, allowedDataSchemas={"STEP_COMPLETED": [published_schema.name]})
    page = tried(olga, published_schema)
    assert page.context["verdict"].code == "DATA_REJECTED"
    assert "pageCount" in text_of(page)
    assert tried(olga, row).status_code == 200


@pytest.mark.accepts("S13")
def test_trying_takes_a_right_of_its_own_and_the_tenants_own_definition(mallory):
    row = draft()
    viewer = operator("vera", "view")
    assert viewer.get(address(row, "try")).status_code == 403
    assert viewer.post(address(row, "try"), {"event": "{}"}).status_code == 403
    assert "Try an event" not in text_of(viewer.get(address(row)))
    assert mallory.post(address(row, "try"), {"event": "{}"}).status_code == 404


@pytest.mark.accepts("S13")
def test_a_stored_task_of_another_tenant_is_absent(olga, mallory):
    row = draft(tenant="globex")
    ours = published()
    task = coordinator().task(taskType="DOCUMENT_PROCESS")
    event = {**change_to("PARSING"), "taskId": task["taskId"], "taskAttempt": 1}
    page = tried(mallory, row, event, task_id=task["taskId"])
    assert page.context["verdict"].code == "TASK_NOT_FOUND"
    assert "The stored task, or what the event names in it, can't be found" in text_of(page)
    page = tried(olga, ours, event, task_id=task["taskId"])
    assert page.context["verdict"].accepted
    assert Task.objects.get().business_status == "QUEUED"


def test_a_kind_that_does_not_exist_is_absent(olga):
    assert olga.get("/admin/registries/definitionscope/1/try/").status_code == 404
