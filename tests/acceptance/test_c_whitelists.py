"""C15: summary, detail and broadcast carry the members that their whitelist names, and nothing beside them."""

import json
from collections import Counter

import pytest

from outbox.models import OutboxMessage
from registries.resolver import registry
from taskstatus.domain.lifecycle import Audience
from tests.faults.scenarios import SCENARIOS
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB, error_body, step_body, task_body
from tests.support.definitions import define, operation
from tests.support.whitelists import ANSWERS, MESSAGES, strangers

pytestmark = pytest.mark.accepts("C15")

SCHEMA = "paper.read.v1"
VIEWS = {
    "USER_SUMMARY": ["pages"],
    "TASK_DETAIL": ["pages", "language", "card", "secret"],
    "PROJECT_BROADCAST": ["shelf"],
}
VALUE = {"pages": 3, "language": "in-detail", "shelf": "in-broadcast", "own": "in-none", "card": "4111111111111111"}
VALUE |= {"secret": "sk-123"}
# What callers and the service say about a task that no reader is to see.
HIDDEN = ["in-none", "in-broadcast", "4111111111111111", "sk-123", "who-pays", "kept-for", "how-secret", "trace-ref"]
HIDDEN += ["wf-key", "task-key", "order-17", "editors"]


@pytest.fixture
def told(carol):
    """A task with all that can be said about it: what was pushed, and what its owner is answered, as JSON texts."""
    properties = {name: {"type": ["string", "integer"]} for name in VALUE}
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    masks = {"card": "LAST4", "secret": "REDACT"}
    define(
        schemas=[{"name": SCHEMA, "schema": schema, "views": VIEWS, "masks": masks}],
        operations=[operation(allowedDataSchemas={"STEP_PROGRESS": [SCHEMA], "STEP_COMPLETED": [SCHEMA]})],
    )
    labels = {"billingAccountId": "who-pays", "retentionPolicyId": "kept-for", "dataClassification": "how-secret"}
    refs = [{"refType": "ORDER", "refValue": "order-17"}]
    shared = [{"principalType": "ROLE", "principalId": "editors", "permission": "VIEW"}]
    whole = task_body(step_body(), step_body("s2"), externalRefs=refs, sharedWith=shared, **labels)
    created = carol.workflow({**whole, "clientTaskKey": "task-key"}, clientWorkflowKey="wf-key", sharedWith=shared)
    workflow_id, task_id = created["workflowId"], created["tasks"][0]["taskId"]
    reader, other = carol.worker(task_id), carol.worker(task_id, "s2")
    reader.started()
    reader.progress(data={"schema": SCHEMA, "value": VALUE})
    reader.completed(data={"schema": SCHEMA, "value": VALUE})
    other.report("STEP_FAILED", error=error_body(diagnosticsRef="trace-ref")).accepted()
    carol.end(task_id, "TASK_FAILED", error=error_body(diagnosticsRef="trace-ref"))
    handles = [reader.context["executionHandle"], reader.context["executionToken"]]
    return {"pushed": pushed(), "answered": answered(workflow_id, task_id), "hidden": [*HIDDEN, *handles]}


def pushed():
    """Every message: its channel and body."""
    rows = OutboxMessage.objects.order_by("pk").values_list("channel", "payload")
    return [(channel, json.loads(payload)) for channel, payload in rows]


def answered(workflow_id, task_id):
    """What Alice is answered, by path."""
    alice = user_api(ALICE)
    answers = {
        path: alice.get(path.format(workflow=workflow_id, task=task_id)).ok() for path in ANSWERS if "batch" not in path
    }
    batch = alice.post("/tasks/status:batchGet", {"taskIds": [task_id]}).ok()
    return {**answers, "/tasks/status:batchGet": batch}


def test_a_message_has_the_members_of_its_kind_and_no_other(told):
    """Summary, detail and workflow, with all that hangs below them."""
    assert Counter(body["kind"] for _, body in told["pushed"]).keys() == MESSAGES.keys()
    for _, body in told["pushed"]:
        assert strangers(body, MESSAGES[body["kind"]]) == []


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_whatever_happens_no_message_has_more(carol, scenario):
    """The same for the messages of each use case."""
    scenario.prepare(carol)().ok()
    for _, body in pushed():
        assert strangers(body, MESSAGES[body["kind"]]) == []


@pytest.mark.parametrize("path", ANSWERS)
def test_an_answer_has_the_members_of_its_path_and_no_other(told, path):
    """What is read has the same members as what is pushed."""
    assert strangers(told["answered"][path], ANSWERS[path]) == []


def test_what_no_whitelist_names_is_nowhere(told):
    """Labels that never leave, keys, outside numbers, grants, credentials, diagnostics, and data that no view names."""
    everything = json.dumps([told["pushed"], told["answered"]])
    assert [word for word in told["hidden"] if word in everything] == []
    # So the words would be found if they were there.
    assert [word for word in ("in-detail", "1111") if word not in everything] == []


def test_of_the_data_each_audience_sees_its_own_view(told):
    """The summary has what USER_SUMMARY names, step and timeline what TASK_DETAIL names, masks applied."""
    bodies = [body for _, body in told["pushed"]]
    summary = next(body["task"] for body in reversed(bodies) if body["kind"] == "task.summary")
    detail = next(body["state"] for body in reversed(bodies) if body["kind"] == "task.detail")
    assert summary["summaryData"] == {"schema": SCHEMA, "value": {"pages": 3}}
    shown = {"pages": 3, "language": "in-detail"}
    data = detail["steps"][0]["data"]["value"]
    assert data.keys() == {"pages", "language", "card", "secret"}
    assert shown.items() <= data.items()
    assert "in-detail" not in json.dumps([body for body in bodies if body["kind"] == "task.summary"])
    assert "in-detail" not in json.dumps(told["answered"]["/me/tasks"])


def test_a_broadcast_is_made_of_its_own_view_alone(told):
    """Of the same data, the view for a whole project names other members than those for owner and detail."""
    schema = registry("acme", "content-platform").data_schema(SCHEMA)
    assert schema.view(Audience.PROJECT_BROADCAST, VALUE) == {"shelf": "in-broadcast"}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_what_many_hear_is_never_a_task(carol, scenario):
    """Channels of whole projects, tenants and of everybody get no task's summary or detail from any use case."""
    scenario.prepare(carol)().ok()
    shared = [body["kind"] for channel, body in pushed() if not channel.startswith(("task_user:", "task_detail:"))]
    assert set(shared) <= {"workflow.summary"}


def test_what_viewers_of_a_workflow_hear_says_nothing_of_a_sensitive_task(carol):
    """The channel that they share counts as if the sensitive task were not there; its owner's counts have it."""
    tasks = [task_body(step_body(), title="Plain"), task_body(step_body(), title="Hush", sensitive=True)]
    shared = [{"principalType": "USER", "principalId": BOB, "permission": "VIEW"}]
    workflow_id = carol.workflow(*tasks, sharedWith=shared)["workflowId"]
    counts = {
        channel.partition(":")[0]: body["workflow"]["taskCount"]
        for channel, body in pushed()
        if body["kind"] == "workflow.summary"
    }
    assert counts == {"task_user": 2, "workflow_summary": 1}
    on_it = [body for channel, body in pushed() if channel == f"workflow_summary:acme/{workflow_id}"]
    assert on_it
    assert "Hush" not in json.dumps(on_it)
