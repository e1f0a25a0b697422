"""A tour through the users' paths: each answer is one that the OpenAPI document foresees, to the last member."""

import pytest

from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, BOB, coordinator, step_body
from tests.support.openapi import successes

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_answer_to_a_user_is_foreseen(seen):
    carol, alice = coordinator(), user_api(ALICE)
    number = {"refType": "DOCUMENT", "refValue": fresh("doc")}
    task = carol.task(step_body(), externalRefs=[number])
    carol.worker(task["taskId"]).started()
    lists(alice, task)
    one_task(alice, task, number)
    realtime(alice, task)
    cancelling(carol, alice, task)
    strangers(user_api(BOB), task)
    assert successes("/api/") <= seen.keys()


def lists(alice, task):
    page = alice.get("/me/tasks?limit=1&lifecycleStatus=RUNNING&lifecycleStatus=PENDING&q=contract").ok()
    assert [item["id"] for item in page["items"]] == [task["taskId"]]
    assert alice.get("/me/workflows").ok()["items"][0]["id"] == task["workflowId"]
    assert alice.get("/me/counts").ok()["lifecycleStatus"]["RUNNING"] == 1
    assert alice.get(f"/workflows/{task['workflowId']}").ok()["taskCount"] == 1
    assert len(alice.get(f"/workflows/{task['workflowId']}/tasks").ok()["items"]) == 1
    alice.get("/me/tasks?limit=0").refused(400, "INVALID_FIELD")
    alice.get("/me/counts?verbose=1").refused(400, "UNKNOWN_FIELD")


def one_task(alice, task, number):
    path = f"/tasks/{task['taskId']}"
    detail = alice.get(path)
    assert detail.ok()["permissions"] == ["VIEW", "OPERATE", "ADMIN"]
    assert alice.get(path, headers={"If-None-Match": detail.headers["ETag"]}).status == 304
    assert alice.get(f"{path}/events").ok()["items"][0]["eventType"] == "TASK_CREATED"
    assert alice.get(f"{path}/attempts").ok()["items"][0]["taskAttempt"] == 1
    batch = alice.post("/tasks/status:batchGet", {"taskIds": [task["taskId"], "tsk_none"]}).ok()
    assert (len(batch["items"]), batch["removed"]) == (1, ["tsk_none"])
    where = f"refType={number['refType']}&refValue={number['refValue']}&authorityScope=content-platform"
    assert alice.get(f"/tasks:lookup?{where}").ok()["taskId"] == task["taskId"]


def realtime(alice, task):
    assert alice.get("/realtime/session").ok()["channels"]["user"] == "task_user:acme/alice"
    subscription = alice.post("/realtime/subscription-token", {"taskId": task["taskId"]}).ok()
    assert alice.post("/realtime/subscription-token", {"workflowId": task["workflowId"]}).status == 200
    assert alice.call("DELETE", f"/realtime/subscriptions/{subscription['lease']}").status == 204
    assert alice.put("/me/task-watch-set", {"taskIds": [task["taskId"]]}).ok()["taskIds"] == [task["taskId"]]
    assert alice.get("/me/task-watch-set").ok()["expiresAt"] is not None
    assert alice.get("/me/task-stream", headers={"Accept": "text/event-stream"}).status == 200
    alice.post("/realtime/subscription-token", {}).refused(400, "INVALID_FIELD")
    alice.get("/me/task-stream", headers={"Accept": "application/json"}).refused(406, "NOT_ACCEPTABLE")


def cancelling(carol, alice, task):
    path = f"/tasks/{task['taskId']}:requestCancel"
    assert alice.post(path, {"reason": "Wrong file."}).ok() == alice.post(path).ok()
    alice.post(path, {"reason": ""}).refused(400, "INVALID_FIELD")
    carol.api.put(f"/tasks/{task['taskId']}/grants/USER/viewer", {"permission": "VIEW"}).ok()
    user_api("viewer").post(path).refused(403, "PERMISSION_REQUIRED")
    carol.end(task["taskId"], "TASK_CANCELLED")
    alice.post(path).refused(409, "TERMINAL_STATE")


def strangers(bob, task):
    bob.get(f"/tasks/{task['taskId']}").refused(404, "TASK_NOT_FOUND")
    bob.post(f"/tasks/{task['taskId']}:requestCancel").refused(404, "TASK_NOT_FOUND")
    bob.get(f"/workflows/{task['workflowId']}").refused(404, "WORKFLOW_NOT_FOUND")
    bob.post("/tasks/status:batchGet", {"taskIds": ["x"], "tenantId": "acme"}).refused(400, "UNKNOWN_FIELD")
