"""A tour through every path: each answer is one that the OpenAPI document foresees, to the last member."""

import pytest

from tests.faults.reports import keep_the_next_progress
from tests.support.api import Api, fresh, service_api
from tests.support.beats import PATH, beat, verdicts
from tests.support.cast import BOB, coordinator, error_body, step_body, task_body
from tests.support.openapi import check, find, successes

pytestmark = pytest.mark.django_db(transaction=True)

POLICY = {"allowedParentOperations": ["OPS.*"], "allowedChildOperations": ["OPS.CHILD"]}


def test_every_answer_is_foreseen(seen, client):
    carol = coordinator()
    task = carol.task(step_body(), step_body("s2"), dynamicRegistrationPolicy=POLICY, **rich_task())
    workflows(carol)
    worker = executions(carol, task["taskId"])
    reports(carol, worker)
    readings(carol, task, worker)
    sharing(carol, task)
    classifying(carol)
    endings(carol, task)
    probes(client, seen)
    assert successes("/internal/", "/healthz", "/readyz") <= seen.keys()


def workflows(carol):
    body = {"clientWorkflowKey": fresh("wf"), "ownerId": "alice", "title": "Twice", "initialTasks": [task_body()]}
    created, replayed = (carol.api.post("/workflows", body) for _ in range(2))
    assert (created.status, replayed.status) == (201, 200)
    refused(carol.api.post("/workflows", {**body, "title": "Other"}), 409, "CLIENT_KEY_REUSED")
    path = f"/workflows/{created.body['workflowId']}"
    task = task_body()
    assert [carol.api.post(f"{path}/tasks", task).status for _ in range(2)] == [201, 200]
    assert carol.api.get(path).body["taskCount"] == 2
    seal = {"eventId": fresh(), "eventType": "WORKFLOW_SEALED"}
    assert [carol.api.post(f"{path}/events", seal).body["duplicate"] for _ in range(2)] == [False, True]
    refused(carol.api.post(f"{path}/tasks", task_body()), 409, "WORKFLOW_SEALED")
    grant = f"{path}/grants/USER/{BOB}"
    assert [carol.api.put(grant, {"permission": "VIEW"}).status for _ in range(2)] == [201, 200]
    refused(carol.api.get("/workflows/wfl_none"), 404, "WORKFLOW_NOT_FOUND")
    refused(service_api("w", "worker").get(path), 403, "ROLE_REQUIRED")
    refused(Api(None).get(path), 401, "TOKEN_MISSING")
    refused(carol.api.get(path + "?verbose=1"), 400, "UNKNOWN_FIELD")


def executions(carol, task_id):
    path = f"/tasks/{task_id}/steps/s1:activate"
    command = {"producerId": "worker-a", "commandId": fresh("cmd")}
    assert [carol.api.post(path, command).status for _ in range(2)] == [201, 200]
    refused(carol.api.post(path, {"producerId": "worker-a"}), 409, "ATTEMPT_STILL_RUNNING")
    refused(carol.api.post(f"/tasks/{task_id}/steps/none:activate"), 404, "STEP_NOT_REGISTERED")
    worker = carol.worker(task_id, attempt=1)
    child = {"clientStepKey": fresh("step"), "operationCode": "OPS.CHILD", "producerId": "worker-b"}
    register = f"/tasks/{task_id}/executions:register"
    assert [worker.api.post(register, child).status for _ in range(2)] == [201, 200]
    stranger = {**child, "clientStepKey": fresh("step"), "operationCode": "OTHER"}
    refused(worker.api.post(register, stranger), 403, "CHILD_OPERATION_NOT_ALLOWED")
    renew = f"/executions/{worker.context['executionId']}:renew"
    assert service_api("worker-a", "worker").post(renew).status == 200
    refused(service_api("worker-b", "worker").post(renew), 403, "PRODUCER_MISMATCH")
    assert len(carol.api.get("/executions?health=HEALTHY&limit=1").body["items"]) == 1
    refused(carol.api.get("/executions?health=ILL"), 400, "INVALID_FIELD")
    refused(service_api("worker-a", "worker").get("/executions"), 403, "ROLE_REQUIRED")
    return worker


def reports(carol, worker):
    started = worker.event("STEP_STARTED")
    assert [worker.send(started).body["duplicate"] for _ in range(2)] == [False, True]
    data = {"schema": "generic.progress.v1", "value": {"page": 1}}
    worker.progress(phaseCode="OCR", phaseLabel="Reading", data=data)
    keep_the_next_progress(worker)
    assert worker.progress(phaseCode="OCR")["reason"] == "COALESCED"
    assert worker.send({**worker.event("STEP_CANCELLED"), "sourceSeq": 1}).body["stale"]
    refused(worker.send({**started, "message": "other"}), 409, "EVENT_ID_REUSED")
    refused(worker.report("STEP_COMPLETED", data={"schema": "none.v1", "value": {}}), 422, "SCHEMA_NOT_ALLOWED")
    refused(worker.report("STEP_COMPLETED", taskAttempt=9), 403, "ATTEMPT_MISMATCH")
    refused(worker.report("STEP_COMPLETED", businessStatus="NONE"), 422, "UNKNOWN_BUSINESS_STATUS")
    batch = {"events": [worker.event("STEP_HEARTBEAT", heartbeatSeq=1), worker.event("STEP_STARTED"), {"eventType": 1}]}
    results = worker.api.post("/task-events:batch", batch).ok()["results"]
    assert [result["accepted"] for result in results] == [True, False, False]
    assert verdicts(beat(worker), beat(worker, 2), beat(worker, executionToken="none"))[1:] == [
        "ACCEPTED",
        "TOKEN_INVALID",
    ]
    refused(service_api("worker-a", "worker").post(PATH, {"heartbeats": [{}] * 1001}), 413, "BATCH_TOO_LARGE")
    worker.failed(retryable=True)
    refused(worker.report("STEP_STARTED"), 409, "TERMINAL_STATE")


def readings(carol, task, worker):
    detail = carol.api.get(f"/tasks/{task['taskId']}")
    assert detail.body["failure"]["failedStepId"] == "s1"
    cached = carol.api.get(f"/tasks/{task['taskId']}", headers={"If-None-Match": detail.headers["ETag"]})
    assert cached.status == 304
    refused(carol.api.get("/tasks/tsk_none"), 404, "TASK_NOT_FOUND")
    event_id = worker.send(worker.event("STEP_STARTED", eventId=fresh("kept"), sourceSeq=1)).body["eventId"]
    refused(carol.api.get(f"/events/{event_id}"), 404, "EVENT_NOT_FOUND")


def sharing(carol, task):
    path = f"/tasks/{task['taskId']}"
    assert [carol.api.put(f"{path}/grants/ROLE/editor", {"permission": "ADMIN"}).status for _ in range(2)] == [201, 200]
    number = fresh("doc")
    assert [carol.api.put(f"{path}/external-refs/DOCUMENT/{number}").status for _ in range(2)] == [201, 200]
    assert carol.api.get(f"/tasks:lookup?refType=DOCUMENT&refValue={number}").body["taskId"] == task["taskId"]
    other = carol.task()
    refused(carol.api.put(f"/tasks/{other['taskId']}/external-refs/DOCUMENT/{number}"), 409, "EXTERNAL_REF_TAKEN")
    refused(carol.api.put(f"{path}/grants/NOBODY/x", {"permission": "VIEW"}), 400, "INVALID_FIELD")


def classifying(carol):
    path = f"/tasks/{carol.task()['taskId']}/classification"
    refused(carol.api.call("PATCH", path, {"productId": "p"}), 428, "IF_MATCH_REQUIRED")
    seen = {"If-Match": '"task-version-1"'}
    assert carol.api.call("PATCH", path, {"taskType": "PAPER"}, headers=seen).body["taskVersion"] == "2"
    refused(carol.api.call("PATCH", path, {"productId": "p"}, headers=seen), 412, "VERSION_MISMATCH")


def endings(carol, task):
    retry = {"eventId": fresh("retry"), "reason": "Try again."}
    path = f"/tasks/{task['taskId']}"
    refused(carol.api.post(f"{path}:retry", retry), 409, "ATTEMPT_STILL_RUNNING")
    ending = fresh("end")
    carol.end(task["taskId"], "TASK_FAILED", eventId=ending, failedStepId="s1", error=error_body())
    assert carol.api.get(f"/events/{ending}").body["lifecycleStatus"] == "FAILED"
    assert carol.detail(task["taskId"])["durationMs"] is not None
    assert carol.api.post(f"{path}:retry", retry).body["taskAttempt"] == 2
    assert carol.api.get(f"/events/{retry['eventId']}").body["taskAttempt"] == 2
    refused(carol.api.put("/tasks/tsk_none/grants/USER/x", {"permission": "VIEW"}), 404, "TASK_NOT_FOUND")


def probes(client, seen):
    for path in ("/healthz", "/readyz"):
        response = client.get(path, headers={"Accept": "text/html"})
        operation = find("GET", path)
        check(operation, response.status_code, response.headers, response.json())
        seen[operation.name, response.status_code] += 1


def rich_task():
    return {
        "productId": "contracts",
        "batchId": "b-1",
        "maxDurationSeconds": 3600,
        "sharedWith": [{"principalType": "USER", "principalId": BOB, "permission": "VIEW"}],
    }


def refused(answer, status, code):
    assert (answer.status, answer.code) == (status, code), answer.body
