"""Of an operation's own data, each audience sees what the schema names for it and nothing else (C15)."""

import json

import pytest

from outbox.models import OutboxMessage
from registries.resolver import forget
from tests.support.cast import coordinator, error_body
from tests.support.definitions import define, operation
from tests.support.projected import messages

pytestmark = pytest.mark.django_db

SCHEMA = "paper.read.v1"
VALUE = {"pages": 3, "language": "en", "card": "4111111111111111", "inner": "for nobody", "key": "sk-123"}
SENT = {"schema": SCHEMA, "value": VALUE}


@pytest.fixture
def reader():
    """A worker whose operation may send data of a schema with views and masks."""
    properties = {name: {"type": ["string", "integer"]} for name in VALUE}
    views = {
        "USER_SUMMARY": ["pages"],
        "TASK_DETAIL": ["pages", "language", "card", "key"],
        "PROJECT_BROADCAST": [],
    }
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    define(
        schemas=[{"name": SCHEMA, "schema": schema, "views": views, "masks": {"card": "LAST4", "key": "REDACT"}}],
        operations=[operation(allowedDataSchemas={"STEP_PROGRESS": [SCHEMA], "STEP_COMPLETED": [SCHEMA]})],
    )
    yield coordinator().running()
    forget()


def test_summary_detail_and_timeline_each_see_their_own_view(reader):
    reader.completed(data=SENT)
    task_id = reader.context["taskId"]
    summary = messages("task.summary", task_id)[-1]["task"]
    detail = messages("task.detail", task_id)[-1]
    assert summary["summaryData"] == {"schema": SCHEMA, "value": {"pages": 3}}
    step_data = detail["state"]["steps"][0]["data"]
    assert step_data["value"].keys() == {"pages", "language", "card", "key"}
    assert detail["triggerEvent"]["data"] == step_data
    assert coordinator().detail(task_id)["steps"][0]["data"] == step_data


def test_a_masked_member_leaves_masked_everywhere(reader):
    reader.completed(data=SENT)
    told = "".join(OutboxMessage.objects.values_list("payload", flat=True))
    told += json.dumps(coordinator().detail(reader.context["taskId"]))
    for secret in ("4111111111111111", "sk-123", "for nobody"):
        assert secret not in told
    assert "1111" in told


def test_the_summary_shows_the_data_last_accepted_until_the_task_begins_anew(reader):
    reader.progress(data={"schema": SCHEMA, "value": {"pages": 1}})
    reader.completed(data={"schema": SCHEMA, "value": {"pages": 2}})
    task_id, carol = reader.context["taskId"], coordinator()
    carol.end(task_id)
    assert carol.detail(task_id)["summaryData"]["value"] == {"pages": 2}
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": "evt-again", "reason": "Read it anew."}).ok()
    assert carol.detail(task_id)["summaryData"] is None


def test_where_diagnostics_lie_is_nobodys_business_outside(reader):
    reader.report("STEP_FAILED", error=error_body(diagnosticsRef="trace://step")).accepted()
    task_id, carol = reader.context["taskId"], coordinator()
    carol.end(task_id, "TASK_FAILED", error=error_body(diagnosticsRef="trace://task"))
    told = "".join(OutboxMessage.objects.values_list("payload", flat=True)) + json.dumps(carol.detail(task_id))
    assert "BROKEN" in told
    assert "diagnostics" not in told
    assert "trace://" not in told


def test_data_of_the_built_in_schemas_is_shown_whole():
    worker = coordinator().running()
    worker.completed(data={"schema": "generic.result.v1", "value": {"pages": 3, "ok": True}})
    shown = messages("task.summary", worker.context["taskId"])[-1]["task"]["summaryData"]
    assert shown == {"schema": "generic.result.v1", "value": {"pages": 3, "ok": True}}


def test_data_that_differs_to_json_alone_is_not_taken_for_the_same():
    worker = coordinator().running()
    worker.progress(data={"schema": "generic.progress.v1", "value": {"ok": True}})
    worker.completed(data={"schema": "generic.result.v1", "value": {"ok": 1}})
    detail = coordinator().detail(worker.context["taskId"])
    for shown in (detail["summaryData"], detail["steps"][0]["data"]):
        assert type(shown["value"]["ok"]) is int
