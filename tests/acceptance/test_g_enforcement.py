"""What is published is kept to: by every report, in every process (G03-G05)."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registries import resolver
from registries.actors import Actor
from registries.editing.copy_definition import copy_definition
from registries.editing.make_draft import make_draft
from registries.editing.publish_definition import publish_definition
from registries.models import StatusDefinitionSet
from taskstatus.models import Task
from tests.support.cast import Coordinator, Worker, error_body, step_body, task_body
from tests.support.definitions import define, draft_of, status_set
from tests.support.papers import CODES, PAGES, READ, SCOPE, TENANT
from tests.support.server import WEB, Server
from tests.support.unchanged import unchanged
from tests.support.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

ALICE = Actor("alice", TENANT)


@pytest.fixture
def reader(carol: Coordinator) -> Worker:
    """A worker of the operation that reads papers, running."""
    define(schemas=[PAGES], sets=[status_set(*CODES)], operations=[READ])
    task = carol.task(step_body("s1", "PAPER.READ"), step_body("s2", "PAPER.READ"))
    worker = carol.worker(task["taskId"], producerId="reader-1")
    worker.started()
    return worker


@pytest.mark.accepts("G03")
def test_only_the_named_producers_may_execute(carol, reader):
    """Not by activation, registration or plan."""
    task = reader.context["taskId"]
    child = {"clientStepKey": "c", "operationCode": "PAPER.READ", "producerId": "writer"}
    with unchanged():
        answer = carol.api.post(f"/tasks/{task}/steps/s2:activate", {"producerId": "writer"})
        answer.refused(403, "PRODUCER_MISMATCH")
        carol.api.post(f"/tasks/{task}/executions:register", child).refused(403, "PRODUCER_MISMATCH")
        planned = task_body(step_body("s1", "PAPER.READ", expectedProducer="writer"))
        body = {"clientWorkflowKey": "k", "ownerId": "alice", "title": "T", "initialTasks": [planned]}
        carol.api.post("/workflows", body).refused(403, "PRODUCER_MISMATCH")
    carol.activate(task, "s2", producerId="reader-2")


@pytest.mark.accepts("G03")
@pytest.mark.parametrize(
    ("event_type", "members", "status_code", "code"),
    [
        ("STEP_CANCELLED", {}, 403, "EVENT_TYPE_NOT_ALLOWED"),
        ("STEP_COMPLETED", {"data": {"schema": "generic.result.v1", "value": {}}}, 422, "SCHEMA_NOT_ALLOWED"),
        ("STEP_FAILED", {"data": {"schema": "pages.v1", "value": {}}}, 422, "SCHEMA_NOT_ALLOWED"),
        ("STEP_COMPLETED", {"data": {"schema": "pages.v1", "value": {"pages": "x"}}}, 422, "DATA_REJECTED"),
        ("STEP_COMPLETED", {"data": {"schema": "pages.v1", "value": {"title": "x" * 60}}}, 413, "DATA_TOO_LARGE"),
    ],
)
def test_reports_are_held_to_the_operation(reader, event_type, members, status_code, code):
    """Its event types, its schemas for each of them, their shape and size."""
    members |= {"error": error_body()} if event_type == "STEP_FAILED" else {}
    with unchanged():
        reader.report(event_type, **members).refused(status_code, code)
    reader.completed(data={"schema": "pages.v1", "value": {"pages": 3}})


@pytest.mark.accepts("G03")
def test_a_failure_follows_the_operations_policy(carol, reader):
    """The definition decides what a failed step means for its task."""
    reader.failed()
    detail = carol.detail(reader.context["taskId"])
    assert (detail["businessStatus"], detail["requiresAction"]) == ("WAITING_USER_ACTION", True)


@pytest.mark.accepts("G04")
def test_its_whitelists_and_its_limit_are_kept_to(carol, reader):
    """What no view names leaves the service nowhere."""
    reader.completed(data={"schema": "pages.v1", "value": {"pages": 3, "title": "secret"}})
    detail = carol.detail(reader.context["taskId"])
    assert detail["summaryData"] == {"schema": "pages.v1", "value": {"pages": 3}}
    assert detail["steps"][0]["data"] == {"schema": "pages.v1", "value": {}}


@pytest.mark.accepts("G05")
@pytest.mark.timeout(300)
def test_processes_that_run_already_use_what_is_published_now(carol, tmp_path):
    """Two servers have the first version in memory; without a restart both come to use the second."""
    assert resolver.STAMP_SECONDS <= 5
    first = publish_definition(
        make_draft(StatusDefinitionSet, draft_of(status_set(*CODES)), TENANT, SCOPE, ALICE), ALICE
    )
    with ExitStack() as stack:
        servers = [started(tmp_path / name, stack) for name in ("one", "two")]
        assert [version_bound_by(server, carol) for server in servers] == [1, 1]
        publish_definition(copy_definition(first, ALICE), ALICE)
        for server in servers:
            eventually(lambda server=server: version_bound_by(server, carol) == 2, what="the second version")


def started(folder: Path, stack: ExitStack) -> Server:
    """A server with one process that answers."""
    folder.mkdir()
    server = Server(folder, WEB, {"WEB_WORKERS": "1"})
    stack.callback(server.kill_everything)
    server.start()
    return server


def version_bound_by(server: Server, carol: Coordinator) -> int | None:
    """The version that a task gets which this server creates."""
    body = {"ownerId": "alice", "title": "T", "initialTasks": [task_body(taskType="PAPER")]}
    body["clientWorkflowKey"] = f"wf-{Task.objects.count()}"
    status_code, answer = server.post("/workflows", carol.api.token, body)
    assert status_code == 201, answer
    version: int | None = Task.objects.get(pk=answer["tasks"][0]["taskId"]).status_definition_version
    return version


@pytest.mark.accepts("G05")
def test_reports_pay_no_query_for_it(reader, monkeypatch):
    """Within the time that a copy counts as fresh, no statement of a report asks for definitions."""
    now = resolver.time.monotonic()
    monkeypatch.setattr(resolver.time, "monotonic", lambda: now)
    reader.send(reader.event("STEP_STARTED"))
    with CaptureQueriesContext(connection) as asked:
        for _ in range(5):
            reader.report("STEP_COMPLETED", data={"schema": "generic.result.v1", "value": {}})
        reader.completed(data={"schema": "pages.v1", "value": {"pages": 3}})
    models = apps.get_app_config("registries").get_models()
    tables = [f"FROM {connection.ops.quote_name(model._meta.db_table)}" for model in models]
    assert len(asked) > 6
    assert [query["sql"] for query in asked if any(table in query["sql"] for table in tables)] == []
