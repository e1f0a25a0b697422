"""S05: the authority scope is the caller's proven one for good, and a product is a label."""

import pytest

from taskstatus.models import Task, Workflow
from tests.support.api import fresh, service_api
from tests.support.cast import coordinator, error_body, step_body, task_body
from tests.support.unchanged import unchanged


def bodies(task_id, workflow_id):
    """A sound request to every path that takes a body: method, path, body."""
    child = {"clientStepKey": fresh(), "operationCode": "OPS.RUN", "producerId": "worker-a"}
    ending = {"eventId": fresh(), "eventType": "TASK_CANCELLED", "taskId": task_id, "taskAttempt": 1}
    return [
        ("POST", "/workflows", {"clientWorkflowKey": fresh(), "ownerId": "alice", "title": "T"}),
        ("POST", f"/workflows/{workflow_id}/tasks", task_body()),
        ("POST", f"/workflows/{workflow_id}/events", {"eventId": fresh(), "eventType": "WORKFLOW_SEALED"}),
        ("PUT", f"/workflows/{workflow_id}/grants/USER/bob", {"permission": "VIEW"}),
        ("POST", f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}),
        ("PUT", f"/tasks/{task_id}/grants/USER/bob", {"permission": "VIEW"}),
        ("PUT", f"/tasks/{task_id}/external-refs/order/1", {}),
        ("POST", f"/tasks/{task_id}/steps/s1:activate", {"producerId": "worker-a", "supersede": True}),
        ("POST", f"/tasks/{task_id}/executions:register", child),
        ("POST", "/task-events", ending),
        ("POST", "/task-events:batch", {"events": [ending]}),
    ]


@pytest.mark.accepts("S05")
@pytest.mark.parametrize("claim", [{"authorityScope": "billing"}, {"tenantId": "umbrella"}])
def test_no_body_names_another_scope_or_tenant(carol, claim):
    """Every path that takes a body refuses one that says a tenant or scope which the credential doesn't prove."""
    worker = carol.running()
    task_id, workflow_id = worker.context["taskId"], worker.context["workflowId"]
    with unchanged():
        for method, path, body in bodies(task_id, workflow_id):
            carol.api.call(method, path, {**body, **claim}).refused(403, "SCOPE_MISMATCH")
        renew = f"/executions/{worker.context['executionId']}:renew"
        service_api("worker-a", "worker").post(renew, claim).refused(403, "SCOPE_MISMATCH")
        worker.report("STEP_COMPLETED", **claim).refused(403, "SCOPE_MISMATCH")


@pytest.mark.accepts("S05")
def test_the_own_scope_may_be_repeated(carol):
    """What the credential proves may be said again, and is no content: the answer is the same."""
    body = {"clientWorkflowKey": fresh(), "ownerId": "alice", "title": "T", "initialTasks": [task_body()]}
    first = carol.api.post("/workflows", {**body, "tenantId": "acme", "authorityScope": "content-platform"})
    again = carol.api.post("/workflows", body)
    assert (first.status, again.status) == (201, 200)
    assert again.body["workflowId"] == first.body["workflowId"]


@pytest.mark.accepts("S05")
@pytest.mark.parametrize("stranger", [{"scope": "billing"}, {"tenant": "umbrella"}])
def test_another_scope_finds_nothing_though_it_knows_ids_and_product(carol, stranger):
    """For a coordinator of another scope or tenant, what exists here and what exists nowhere answer alike."""
    worker = carol.running(productId="shared-product", externalRefs=[{"refType": "order", "refValue": "1"}])
    task_id, workflow_id = worker.context["taskId"], worker.context["workflowId"]
    outsider = coordinator(**stranger)
    outsider.task(step_body(), productId="shared-product")
    absent = [part[:8] + "01ARZ3NDEKTSV4RRFFQ69G5FAV" for part in (task_id, workflow_id)]
    with unchanged():
        for ids in ((task_id, workflow_id), absent):
            for method, path, body in bodies(*ids)[1:-1]:
                code = "WORKFLOW_NOT_FOUND" if path.startswith("/workflows") else "TASK_NOT_FOUND"
                outsider.api.call(method, path, body).refused(404, code)
            outsider.api.get(f"/tasks/{ids[0]}").refused(404, "TASK_NOT_FOUND")
            outsider.api.get(f"/workflows/{ids[1]}").refused(404, "WORKFLOW_NOT_FOUND")
        outsider.api.get("/tasks:lookup?refType=order&refValue=1").refused(404, "TASK_NOT_FOUND")
        outsider.api.post("/workflows", {**CHILD, "initialTasks": [task_body(parentTaskId=task_id)]}).refused(
            404, "TASK_NOT_FOUND"
        )
        renew = f"/executions/{worker.context['executionId']}:renew"
        service_api("worker-a", "worker", **stranger).post(renew).refused(404, "EXECUTION_NOT_FOUND")


CHILD = {"clientWorkflowKey": "child", "ownerId": "alice", "title": "T"}


@pytest.mark.accepts("S05")
def test_receipts_are_read_in_their_own_scope_only(carol):
    """An event's receipt is for its scope, and for a mere worker only its own producer's."""
    worker = carol.running()
    event = worker.event("STEP_COMPLETED")
    receipt = worker.send(event).ok()
    path = f"/events/{event['eventId']}"
    for reader in (carol.api, service_api("worker-a", "worker"), service_api("anyone", "business")):
        assert reader.get(path).ok() == receipt
    for outsider in (
        coordinator(scope="billing").api,
        coordinator(tenant="umbrella").api,
        service_api("worker-b", "worker"),
        service_api("worker-a", "worker", scope="billing"),
    ):
        outsider.get(path).refused(404, "EVENT_NOT_FOUND")
    service_api("worker-a", "health").get(path).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("S05")
def test_the_scope_of_creation_stays(carol):
    """A task keeps the scope that its creator proved, through executions, ends and retries, whoever acts on it."""
    worker = carol.running(productId="p-1")
    task_id = worker.context["taskId"]
    assert worker.context["authorityScope"] == "content-platform"
    carol.end(task_id, "TASK_FAILED", error=error_body())
    coordinator(name="deputy").api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    assert carol.activate(task_id)["authorityScope"] == "content-platform"
    scopes = {Task.objects.get(pk=task_id).authority_scope, Workflow.objects.get().authority_scope}
    assert scopes == {"content-platform"}
