"""C31: identifiers are compared byte by byte, on every database."""

import json

import pytest

from taskstatus.models import Step, Task
from tests.support.api import fresh, service_api
from tests.support.cast import coordinator, step_body, task_body
from tests.support.unchanged import unchanged

# Every one of these equals "Key-1" in some default collation, or looks so; none is allowed as a caller's key.
LOOKALIKES = [
    "Key-1 ",
    " Key-1",
    "Kéy-1",
    "Ke\u0301y-1",
    "Key\u20111",
    "\uff2bey-1",
    "Key-1\x00",
    "Key-1\u200b",
    "\u212aey-1",
]


def created(*answers):
    """How many things these answers made; each has to have made one."""
    assert [answer.status for answer in answers] == [201] * len(answers), [answer.body for answer in answers]
    return len(answers)


@pytest.mark.accepts("C31")
def test_event_ids_that_differ_in_case_are_two_events(carol):
    """Neither is taken for a repetition of the other, and each has its own receipt."""
    worker = carol.running()
    upper, lower = worker.progress_event(phaseCode="A"), worker.progress_event(phaseCode="B")
    upper["eventId"], lower["eventId"] = "Evt-1", "evt-1"
    receipts = [worker.send(body).accepted() for body in (upper, lower)]
    assert [receipt["duplicate"] for receipt in receipts] == [False, False]
    assert [carol.api.get(f"/events/{name}").ok() for name in ("Evt-1", "evt-1")] == receipts
    carol.api.get("/events/EVT-1").refused(404, "EVENT_NOT_FOUND")


@pytest.mark.accepts("C31")
def test_keys_that_differ_in_case_create_two_things(carol):
    """Workflows, tasks, dynamic steps and known steps have keys of their own in either case."""
    workflows = [
        carol.api.post("/workflows", {"clientWorkflowKey": key, "ownerId": "alice", "title": "T"})
        for key in ("Key-1", "key-1")
    ]
    created(*workflows)
    tasks = f"/workflows/{workflows[0].body['workflowId']}/tasks"
    steps = [step_body("Read"), step_body("read")]
    created(*(carol.api.post(tasks, task_body(*steps, clientTaskKey=key)) for key in ("Key-1", "key-1")))
    task_id = Task.objects.earliest("created_at").id
    register = f"/tasks/{task_id}/executions:register"
    call = {"operationCode": "OPS.RUN", "producerId": "w"}
    created(*(carol.api.post(register, {**call, "clientStepKey": key}) for key in ("Call", "call")))
    activate = f"/tasks/{task_id}/steps/{{}}:activate"
    body = {"producerId": "w", "commandId": "Go"}
    created(
        carol.api.post(activate.format("Read"), body),
        carol.api.post(activate.format("read"), {**body, "commandId": "go"}),
    )
    assert Step.objects.filter(task_id=task_id).count() == 4


@pytest.mark.accepts("C31")
def test_outside_numbers_and_principals_differ_by_case(carol):
    """Two tasks may have numbers that differ in case only, and a grant is one person's, not their namesake's."""
    first, second = carol.task()["taskId"], carol.task()["taskId"]
    refs = ["/external-refs/Order/A-1", "/external-refs/Order/a-1", "/external-refs/order/A-1"]
    created(
        *(carol.api.put(f"/tasks/{task_id}{ref}") for task_id, ref in zip((first, second, first), refs, strict=True))
    )
    for task_id, ref_type, ref_value in ((first, "Order", "A-1"), (second, "Order", "a-1"), (first, "order", "A-1")):
        found = carol.api.get(f"/tasks:lookup?refType={ref_type}&refValue={ref_value}").ok()
        assert found["taskId"] == task_id
    with unchanged():
        carol.api.put(f"/tasks/{second}/external-refs/Order/A-1").refused(409, "EXTERNAL_REF_TAKEN")
    view = {"permission": "VIEW"}
    created(*(carol.api.put(f"/tasks/{first}/grants/USER/{user}", view) for user in ("Bob", "bob")))


@pytest.mark.accepts("C31")
def test_who_calls_is_compared_by_bytes_too(carol):
    """Another spelling of a tenant, scope or producer is somebody else."""
    body = {"clientWorkflowKey": "Key-1", "ownerId": "alice", "title": "T"}
    namesakes = [carol, coordinator(tenant="Acme"), coordinator(scope="Content-Platform")]
    assert created(*(caller.api.post("/workflows", body) for caller in namesakes)) == 3
    worker = carol.running()
    task_id = worker.context["taskId"]
    with unchanged():
        for namesake in namesakes[1:]:
            namesake.api.get(f"/tasks/{task_id}").refused(404, "TASK_NOT_FOUND")
        worker.report("STEP_COMPLETED", producerId="Worker-a").refused(403, "PRODUCER_MISMATCH")


@pytest.mark.accepts("C31")
def test_a_known_thing_is_not_found_under_another_spelling(carol):
    """Ids of the service, in paths and in bodies, are found as they were given and in no other way."""
    worker = carol.running()
    context = worker.context
    task_id, execution_id = context["taskId"], context["executionId"]
    retry = {"eventId": fresh(), "reason": "x"}
    as_worker = service_api("worker-a", "worker")
    with unchanged():
        for spelled in (task_id.lower(), task_id.upper(), f"{task_id}%20", f"%20{task_id}", f"{task_id}%CC%81"):
            carol.api.get(f"/tasks/{spelled}").refused(404, "TASK_NOT_FOUND")
            carol.api.post(f"/tasks/{spelled}:retry", retry).refused(404, "TASK_NOT_FOUND")
        for step_id in ("S1", "s1%20", "%C5%9D1"):
            body = {"producerId": "worker-a", "supersede": True}
            carol.api.post(f"/tasks/{task_id}/steps/{step_id}:activate", body).refused(404, "STEP_NOT_REGISTERED")
        carol.api.get(f"/workflows/{context['workflowId'].lower()}").refused(404, "WORKFLOW_NOT_FOUND")
        as_worker.post(f"/executions/{execution_id.lower()}:renew").refused(404, "EXECUTION_NOT_FOUND")
        stolen = {**worker.event("STEP_COMPLETED"), "executionHandle": context["executionHandle"].lower()}
        as_worker.post("/task-events", stolen).refused(401, "TOKEN_INVALID")
        carol.report("TASK_COMPLETED", task_id.lower()).refused(404, "TASK_NOT_FOUND")
        worker.report("STEP_COMPLETED", stepId="S1").refused(404, "STEP_NOT_REGISTERED")
        worker.report("STEP_COMPLETED", executionId=execution_id.lower()).refused(404, "EXECUTION_NOT_FOUND")


@pytest.mark.accepts("C31")
@pytest.mark.parametrize("lookalike", LOOKALIKES, ids=ascii)
def test_no_key_can_be_sent_that_a_collation_would_fold(carol, lookalike):
    """Accents, spaces, compatibility characters and invisible ones are refused wherever a key or id is taken."""
    worker = carol.running()
    task_id, workflow_id = worker.context["taskId"], worker.context["workflowId"]
    progress = worker.progress_event()
    requests = [
        ("/workflows", {"clientWorkflowKey": lookalike, "ownerId": "alice", "title": "T"}, "/clientWorkflowKey"),
        ("/workflows", {"clientWorkflowKey": "k", "ownerId": lookalike, "title": "T"}, "/ownerId"),
        (f"/workflows/{workflow_id}/tasks", task_body(clientTaskKey=lookalike), "/clientTaskKey"),
        (f"/workflows/{workflow_id}/tasks", task_body(step_body(lookalike)), "/knownSteps/0/stepId"),
        (f"/workflows/{workflow_id}/tasks", task_body(taskType=lookalike.upper()), "/taskType"),
        (f"/tasks/{task_id}/steps/s1:activate", {"commandId": lookalike}, "/commandId"),
        (f"/tasks/{task_id}/steps/s1:activate", {"producerId": lookalike}, "/producerId"),
        (f"/tasks/{task_id}:retry", {"eventId": lookalike, "reason": "x"}, "/eventId"),
        ("/task-events", {**progress, "eventId": lookalike}, "/eventId"),
        ("/task-events", {**progress, "stepId": lookalike}, "/stepId"),
        ("/task-events", {**progress, "phaseCode": lookalike.upper()}, "/phaseCode"),
    ]
    with unchanged():
        for path, body, pointer in requests:
            problem = carol.api.post(path, raw=json.dumps(body).encode()).refused(400, "INVALID_FIELD")
            assert [error["pointer"] for error in problem["errors"]] == [pointer]
