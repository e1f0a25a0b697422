"""An event is tried on the real write path, and nothing of it stays."""

import json
from typing import Any

import pytest

from registries.actors import Actor
from registries.editing.make_draft import make_draft
from registries.models import DefinitionChange, DefinitionScope, OperationDefinition, StatusDefinitionSet
from registries.resolver import registry
from taskstatus.domain.lifecycle import Role
from taskstatus.models import AuditEntry, RefusedReport
from taskstatus.services.trial_scene import Scene
from taskstatus.services.try_event import Stage, Verdict, try_event
from tests.support.api import fresh
from tests.support.cast import Coordinator, coordinator, error_body, step_body
from tests.support.definitions import define, draft_of, operation, status, status_set
from tests.support.unchanged import stored

TENANT, SCOPE = "acme", "content-platform"
SCHEMA = {"name": "pages.v1", "schema": {"type": "object", "properties": {"pages": {"type": "integer"}}}}
CODES = (
    status("NEW", "PENDING", "TASK", initial=True),
    status("READING", allowedFrom=["NEW"]),
    status("CHECKING", "RUNNING", "TASK", allowedFrom=["READING"]),
    status("DONE", "SUCCEEDED", allowedFrom=["CHECKING"]),
)
READ = operation("PAPER.READ", producerPattern="reader-*", allowedDataSchemas={"STEP_COMPLETED": ["pages.v1"]})
PROGRESS = {"progressSeq": 1, "progress": {"current": 1}}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def definitions() -> None:
    define(schemas=[SCHEMA], sets=[status_set(*CODES)], operations=[READ])


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def tried(event: dict[str, Any] | bytes, drafts: tuple[Any, ...] = (), **scene: Any) -> Verdict:
    """The verdict; no table may have changed."""
    body = event if isinstance(event, bytes) else json.dumps(event).encode()
    before = traces()
    verdict = try_event(body, Scene(TENANT, SCOPE, **scene), drafts)
    assert traces() == before
    return verdict


def traces() -> dict[str, Any]:
    own = (RefusedReport, AuditEntry, DefinitionChange, DefinitionScope, OperationDefinition, StatusDefinitionSet)
    return stored() | {model._meta.db_table: list(model.objects.order_by("pk").values()) for model in own}


def event(event_type: str, **members: Any) -> dict[str, Any]:
    return {"eventId": fresh(), "eventType": event_type, "sourceSeq": 17, "operationCode": "PAPER.READ", **members}


def task_event(event_type: str, **members: Any) -> dict[str, Any]:
    return {"eventId": fresh(), "eventType": event_type, **members}


@pytest.mark.parametrize(
    ("body", "scene"),
    [
        (event("STEP_STARTED"), {}),
        (event("STEP_STARTED", producerId="reader-7", stepId="parse", taskType="PAPER", businessStatus="READING"), {}),
        (event("STEP_PROGRESS", **PROGRESS), {}),
        (event("STEP_COMPLETED", data={"schema": "pages.v1", "value": {"pages": 3}}), {}),
        (event("STEP_FAILED", error=error_body(), stepId="dyn_a", executionId="exe_000_X", taskAttempt=4), {}),
        (event("STEP_STARTED", operationCode="ANY.OTHER"), {}),
        (task_event("TASK_STATUS_CHANGED", businessStatus="READING"), {"task_type": "PAPER"}),
        (
            task_event("TASK_STATUS_CHANGED", businessStatus="CHECKING"),
            {"task_type": "PAPER", "current_status": "READING"},
        ),
        (task_event("TASK_COMPLETED", taskId="tsk_000_X", taskAttempt=9), {}),
        (
            event("STEP_COMPLETED", businessStatus="DONE"),
            {"task_type": "PAPER", "status_definition_version": 1, "operation_definition_version": 1},
        ),
        ({"eventId": "e", "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1, "operationCode": "PAPER.READ"}, {}),
        (event("STEP_HEALTH_CHANGED", health="STALE", healthReason="NO_HEARTBEAT"), {}),
    ],
    ids=lambda value: value.get("eventType") if isinstance(value, dict) else None,
)
def test_it_is_accepted(body, scene):
    verdict = tried(body, **scene)
    assert (verdict.accepted, verdict.stage, verdict.code) == (True, Stage.EVENT, None), verdict


@pytest.mark.parametrize(
    ("body", "scene", "stage", "code"),
    [
        (b"{", {}, Stage.BODY, "MALFORMED_BODY"),
        (event("STEP_PROGRESS"), {}, Stage.BODY, "INVALID_FIELD"),
        (event("STEP_STARTED", severity="ERROR"), {}, Stage.BODY, "UNKNOWN_FIELD"),
        (event("STEP_STARTED") | {"operationCode": None}, {}, Stage.TASK, "INVALID_FIELD"),
        (event("STEP_STARTED", producerId="writer"), {}, Stage.TASK, "PRODUCER_MISMATCH"),
        (event("STEP_STARTED"), {"operation_definition_version": 9}, Stage.TASK, "DEFINITION_NOT_FOUND"),
        (
            event("STEP_STARTED"),
            {"task_type": "PAPER", "status_definition_version": 9},
            Stage.TASK,
            "DEFINITION_NOT_FOUND",
        ),
        (event("STEP_STARTED"), {"current_status": "NO"}, Stage.TASK, "UNKNOWN_BUSINESS_STATUS"),
        (event("STEP_STARTED", businessStatus="NO"), {}, Stage.EVENT, "UNKNOWN_BUSINESS_STATUS"),
        (
            event("STEP_PROGRESS", **PROGRESS, data={"schema": "x.v1", "value": {}}),
            {},
            Stage.EVENT,
            "SCHEMA_NOT_ALLOWED",
        ),
        (
            event("STEP_STARTED", taskId="tsk_000_X", workflowId="w"),
            {"task_type": "PAPER", "current_status": "DONE"},
            Stage.EVENT,
            "TERMINAL_STATE",
        ),
        (
            task_event("TASK_COMPLETED", businessStatus="DONE"),
            {"task_type": "PAPER"},
            Stage.EVENT,
            "STATUS_NOT_REACHABLE",
        ),
        (task_event("TASK_COMPLETED"), {"role": Role.WORKER}, Stage.EVENT, "EVENT_TYPE_NOT_ALLOWED"),
    ],
)
def test_it_is_refused(body, scene, stage, code):
    verdict = tried(body, **scene)
    assert (verdict.stage, verdict.code, verdict.accepted) == (stage, code, False), verdict
    assert verdict.detail


def test_a_refusal_points_into_the_event():
    verdict = tried(event("STEP_COMPLETED", data={"schema": "pages.v1", "value": {"pages": "three"}}))
    assert [(error.pointer, error.code) for error in verdict.errors] == [("/data/value/pages", "DATA_REJECTED")]


def test_a_stored_task_is_met_as_it_stands(carol):
    worker = carol.running()
    task = worker.context["taskId"]
    assert tried(event("STEP_PROGRESS", stepId="s1", operationCode="OPS.RUN", **PROGRESS), task_id=task).accepted
    stale = tried(worker.event("STEP_STARTED") | {"sourceSeq": 1, "stepId": "s1"}, task_id=task)
    assert stale.receipt is not None
    assert (stale.accepted, stale.receipt["reason"]) == (False, "STALE_SEQUENCE")
    by_execution = worker.event("STEP_STARTED", executionId=worker.context["executionId"])
    assert tried(by_execution, task_id=task).code == "ILLEGAL_TRANSITION"
    assert tried(by_execution, task_id=task, producer_id="worker-b").code == "PRODUCER_MISMATCH"
    ended = task_event("TASK_COMPLETED", taskId=task, taskAttempt=1)
    assert tried(ended, task_id=task).accepted
    assert worker.progress()["accepted"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (event("STEP_STARTED", stepId="s9"), "STEP_NOT_REGISTERED"),
        (event("STEP_STARTED", stepId="s1"), "EXECUTION_NOT_FOUND"),
        (event("STEP_STARTED", executionId="exe_000_X"), "STEP_NOT_REGISTERED"),
        (event("STEP_STARTED"), "INVALID_FIELD"),
    ],
)
def test_an_execution_that_is_not_there(carol, body, code):
    task = carol.task(step_body())["taskId"]
    assert tried(body, task_id=task).code == code


def test_another_tenants_task_is_not_there(carol):
    task = coordinator("other").task(step_body())["taskId"]
    assert tried(task_event("TASK_COMPLETED", taskId=task, taskAttempt=1), task_id=task).code == "TASK_NOT_FOUND"


def drafted(kind: Any, content: dict[str, Any]) -> Any:
    return make_draft(kind, draft_of(content), TENANT, SCOPE, Actor("alice"))


def test_drafts_are_tried_as_if_they_were_published():
    statuses = drafted(StatusDefinitionSet, status_set(*CODES, status("AGAIN", "RUNNING", "STEP"), version=2))
    read = drafted(OperationDefinition, READ | {"version": 2, "allowedEventTypes": ["STEP_STARTED"]})
    body = event("STEP_STARTED", taskType="PAPER", businessStatus="AGAIN")
    assert tried(body).code == "UNKNOWN_BUSINESS_STATUS"
    assert tried(body, (statuses, read)).accepted
    assert tried(event("STEP_PROGRESS", **PROGRESS), (read,)).code == "EVENT_TYPE_NOT_ALLOWED"
    assert registry(TENANT, SCOPE).named_status_set("PAPER", 2) is None


def test_a_draft_that_can_not_be_published_says_why():
    bad = drafted(StatusDefinitionSet, status_set(*CODES[1:], version=2))
    verdict = tried(event("STEP_STARTED"), (bad,))
    assert verdict.stage is Stage.DEFINITIONS
    assert "need exactly one initial TASK code" in str(verdict.problems[0])


def test_nothing_waits_for_a_commit(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        assert tried(event("STEP_STARTED")).accepted
    assert callbacks == []
