"""C03, C04, C07: what is created once stays one thing, and stays where it was created."""

import pytest

from taskstatus.models import Task, Workflow
from tests.support.api import fresh
from tests.support.cast import coordinator, step_body, task_body
from tests.support.unchanged import unchanged

POLICY = {"allowedParentOperations": ["*"], "allowedChildOperations": ["*"]}


def workflow_body(*tasks, **members):
    return {"clientWorkflowKey": fresh("wf"), "ownerId": "alice", "title": "T", "initialTasks": list(tasks), **members}


def registration(**members):
    body = {"clientStepKey": fresh("call"), "operationCode": "SEARCH.WEB", "producerId": "searcher"}
    return body | members


@pytest.mark.accepts("C03")
def test_a_workflow_is_created_once_under_its_key(carol):
    """The same key and content answers the same workflow with the same tasks, and creates nothing."""
    body = workflow_body(task_body(step_body()), task_body())
    first = carol.api.post("/workflows", body)
    assert (first.status, first.body["created"]) == (201, True)
    with unchanged():
        again = carol.api.post("/workflows", {**body, "projectId": None, "aggregation": "EXPLICIT"})
    assert again.status == 200
    tasks = [{**task, "created": False} for task in first.body["tasks"]]
    assert again.body == {**first.body, "created": False, "tasks": tasks}


@pytest.mark.accepts("C03")
def test_a_task_is_created_once_under_its_key_in_its_workflow(carol):
    """The same key and content in one workflow answers one task; in another workflow it is another task."""
    here, there = carol.workflow()["workflowId"], carol.workflow()["workflowId"]
    body = task_body(step_body(), taskType="SOMETHING")
    first = carol.api.post(f"/workflows/{here}/tasks", body)
    assert (first.status, first.body["created"]) == (201, True)
    with unchanged():
        again = carol.api.post(f"/workflows/{here}/tasks", body)
    assert (again.status, again.body) == (200, {**first.body, "created": False})
    elsewhere = carol.api.post(f"/workflows/{there}/tasks", body)
    assert elsewhere.status == 201
    assert elsewhere.body["taskId"] != first.body["taskId"]


@pytest.mark.accepts("C03")
def test_a_replayed_creation_is_answered_before_state_is_judged(carol):
    """Even a sealed and ended workflow answers for the tasks that it has, and takes no new one."""
    workflow_id = carol.workflow()["workflowId"]
    body = task_body()
    task_id = carol.api.post(f"/workflows/{workflow_id}/tasks", body).ok()["taskId"]
    carol.end(task_id)
    for event_type, refusal in (("WORKFLOW_SEALED", "WORKFLOW_SEALED"), ("WORKFLOW_COMPLETED", "TERMINAL_STATE")):
        carol.api.post(f"/workflows/{workflow_id}/events", {"eventId": fresh(), "eventType": event_type}).ok()
        with unchanged():
            assert carol.api.post(f"/workflows/{workflow_id}/tasks", body).ok()["taskId"] == task_id
            carol.api.post(f"/workflows/{workflow_id}/tasks", task_body()).refused(409, refusal)


@pytest.mark.accepts("C03")
@pytest.mark.parametrize(
    "change",
    [
        {"title": "Other"},
        {"ownerId": "bob"},
        {"productId": "p"},
        {"sensitive": True},
        {"knownSteps": []},
        {"knownSteps": [step_body(displayName="Read")]},
        {"sharedWith": [{"principalType": "USER", "principalId": "bob", "permission": "VIEW"}]},
    ],
)
def test_a_used_key_with_other_content_is_refused(carol, change):
    """A key is not taken over by another content: neither for a workflow's first tasks nor for later ones."""
    task = task_body(step_body())
    body = workflow_body(task)
    workflow_id = carol.api.post("/workflows", body).ok()["workflowId"]
    later = task_body(step_body())
    carol.api.post(f"/workflows/{workflow_id}/tasks", later).ok()
    with unchanged():
        carol.api.post("/workflows", {**body, "initialTasks": [task | change]}).refused(409, "CLIENT_KEY_REUSED")
        carol.api.post(f"/workflows/{workflow_id}/tasks", later | change).refused(409, "CLIENT_KEY_REUSED")


@pytest.mark.accepts("C03")
def test_an_owner_that_is_the_workflows_own_is_no_other_content(carol):
    """An ownerId that says what its absence says is the same content, in whichever of the two requests it stands."""
    task, later = task_body(), task_body()
    body = workflow_body(task)
    workflow_id = carol.api.post("/workflows", body).ok()["workflowId"]
    added = carol.api.post(f"/workflows/{workflow_id}/tasks", {**later, "ownerId": "alice"}).ok()
    with unchanged():
        again = carol.api.post("/workflows", {**body, "initialTasks": [{**task, "ownerId": "alice"}]}).ok()
        assert (again["workflowId"], again["created"]) == (workflow_id, False)
        assert carol.api.post(f"/workflows/{workflow_id}/tasks", later).ok() == {**added, "created": False}


@pytest.mark.accepts("C03")
def test_keys_are_counted_per_tenant_and_scope(carol):
    """Another tenant, or another scope of the tenant, has its own workflow under an equal key."""
    body = workflow_body()
    callers = [carol, coordinator(tenant="umbrella"), coordinator(scope="billing")]
    made = [caller.api.post("/workflows", body) for caller in callers]
    assert [answer.status for answer in made] == [201, 201, 201]
    assert Workflow.objects.count() == len({answer.body["workflowId"] for answer in made}) == 3


@pytest.mark.accepts("C04")
def test_no_request_moves_a_task_to_another_workflow(carol):
    """Wherever a request can name a workflow, another one than the task's own is refused."""
    worker = carol.running()
    context = worker.context
    task_id, home, other = context["taskId"], context["workflowId"], carol.workflow()["workflowId"]
    with unchanged():
        worker.report("STEP_COMPLETED", workflowId=other).refused(404, "WORKFLOW_NOT_FOUND")
        carol.report("TASK_CANCELLED", task_id, workflowId=other).refused(404, "WORKFLOW_NOT_FOUND")
        for path in (
            f"/tasks/{task_id}:retry",
            f"/tasks/{task_id}/steps/s1:activate",
            f"/tasks/{task_id}/executions:register",
            f"/workflows/{other}/tasks",
            f"/workflows/{other}/events",
        ):
            refused = carol.api.post(path, {"workflowId": other, "taskId": task_id})
            assert (refused.status, refused.code) in {(400, "INVALID_FIELD"), (400, "UNKNOWN_FIELD")}
            assert {"/workflowId", "/taskId"} <= {e["pointer"] for e in refused.body["errors"]}
        carol.api.call("PATCH", f"/tasks/{task_id}", {"workflowId": other}).refused(405, "METHOD_NOT_ALLOWED")
        carol.api.put(f"/tasks/{task_id}/grants/USER/bob", {"permission": "VIEW", "workflowId": other}).refused(
            400, "UNKNOWN_FIELD"
        )
    assert Task.objects.get(pk=task_id).workflow_id == home
    assert carol.detail(task_id)["workflowId"] == home


@pytest.mark.accepts("C07")
def test_a_dynamic_execution_is_registered_once(carol):
    """The same key and attempt answers the same execution, with credentials that are fresh and both good."""
    task_id = carol.task(dynamicRegistrationPolicy=POLICY)["taskId"]
    path, body = f"/tasks/{task_id}/executions:register", registration()
    first = carol.api.post(path, body, headers={"Idempotency-Key": "one"})
    again = carol.api.post(path, {**body, "attempt": 1, "parentExecutionId": None}, headers={"Idempotency-Key": "two"})
    assert (first.status, first.body["created"]) == (201, True)
    assert (again.status, again.body["created"]) == (200, False)
    for member in ("stepId", "executionId", "taskVersion"):
        assert again.body[member] == first.body[member]
    assert first.body["stepId"] == f"dyn_{body['clientStepKey']}"
    assert again.body["executionHandle"] != first.body["executionHandle"]
    assert len(carol.detail(task_id)["steps"]) == 1
    with unchanged():
        carol.api.post(path, {**body, "displayName": "Other"}).refused(409, "CLIENT_KEY_REUSED")
        carol.api.post(path, {**body, "operationCode": "SEARCH.LIBRARY"}).refused(409, "CLIENT_KEY_REUSED")


@pytest.mark.accepts("C07")
def test_another_attempt_or_task_attempt_is_another_execution(carol):
    """The key counts within a task attempt, and the attempt belongs to it."""
    task_id = carol.task()["taskId"]
    path, body = f"/tasks/{task_id}/executions:register", registration()
    first = carol.api.post(path, body).ok()
    with unchanged():
        carol.api.post(path, {**body, "attempt": 2}).refused(409, "ATTEMPT_STILL_RUNNING")
        carol.api.post(path, {**body, "attempt": 3}).refused(400, "INVALID_FIELD")
    carol.end(task_id, "TASK_CANCELLED")
    assert carol.api.post(path, body).ok()["executionId"] == first["executionId"]
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    renewed = carol.api.post(path, body)
    assert (renewed.status, renewed.body["stepId"]) == (201, first["stepId"])
    assert renewed.body["executionId"] != first["executionId"]
