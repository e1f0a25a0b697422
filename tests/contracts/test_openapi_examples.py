"""The examples of the OpenAPI document tell a true story: sent in turn, each request is taken."""

from pathlib import Path

import pytest
from django.core.management import call_command

from taskstatus.api.openapi import examples
from tests.support.api import Api, service_api
from tests.support.openapi import operations

pytestmark = pytest.mark.django_db(transaction=True)

DEFINITIONS = Path(__file__).parents[2] / "examples/definitions/worked_example.yaml"


def test_the_story_runs():
    call_command("load_definitions", str(DEFINITIONS), verbosity=0)
    carol = service_api("coordinator", "coordinator", "business")
    created = carol.post("/workflows", sent("createWorkflow")).ok()
    task_id = created["tasks"][0]["taskId"]
    context = carol.post(f"/tasks/{task_id}/steps/parse:activate", sent("activateStep")).ok()
    assert told(context) == told(examples.CONTEXT)

    worker = Api(context["executionToken"])
    started = {"eventId": "parse-4711-1", "eventType": "STEP_STARTED", "sourceSeq": 1, "businessStatus": "PARSING"}
    worker.post("/task-events", started).ok()
    receipt = worker.post("/task-events", sent("reportEvent")).ok()
    assert told(receipt) == told(examples.RECEIPT)
    results = worker.post("/task-events:batch", sent("reportEvents")).ok()["results"]
    assert results[0]["duplicate"]

    beats = sent("renewLeases")
    beats["heartbeats"][0] |= {name: context[name] for name in ("executionId", "executionHandle", "taskId")}
    beaten = service_api("document-parser", "worker").post("/task-heartbeats:batch", beats).ok()["results"]
    assert [told(item) for item in beaten] == [told(item) for item in examples.HEARTBEAT_RESULTS["results"]]

    registered = carol.post(f"/tasks/{task_id}/executions:register", sent("registerExecution")).ok()
    assert told(registered["context"]) == told(examples.REGISTERED["context"])
    detail = carol.get(f"/tasks/{task_id}").ok()
    assert detail["statusDisplay"] == example("getTask")["statusDisplay"]
    assert detail["steps"][0].keys() == example("getTask")["steps"][0].keys()
    workflow = f"/workflows/{created['workflowId']}"
    assert carol.post(f"{workflow}/events", sent("reportWorkflowEvent")).ok().keys() == examples.WORKFLOW_RECEIPT.keys()
    carol.put(f"{workflow}/grants/USER/bob", sent("putWorkflowGrant")).ok()
    carol.put(f"/tasks/{task_id}/grants/USER/bob", sent("putTaskGrant")).ok()
    carol.put(f"/tasks/{task_id}/external-refs/INVOICE/12", sent("putExternalRef")).ok()
    ending = {"eventId": "end", "eventType": "TASK_CANCELLED", "taskId": task_id, "taskAttempt": 1}
    carol.post("/task-events", ending).ok()
    assert carol.post(f"/tasks/{task_id}:retry", sent("retryTask")).ok()["taskAttempt"] == 2


def sent(name):
    """The example request of an operation."""
    (operation,) = [o for o in operations() if o.name == name]
    return operation.described["requestBody"]["content"]["application/json"]["examples"]["Request"]["value"]


def example(name):
    """The example answer of an operation."""
    (operation,) = [o for o in operations() if o.name == name]
    return operation.described["responses"]["200"]["content"]["application/json"]["examples"]["Answer"]["value"]


def told(members):
    """What an example can foresee: all but ids, secrets, moments and versions, of which only the names."""
    made = ("Id", "Token", "Handle", "At", "Until", "Version")
    fixed = ("eventId", "stepId", "producerId", "productId")
    return {name: value if name in fixed or not name.endswith(made) else ... for name, value in members.items()}
