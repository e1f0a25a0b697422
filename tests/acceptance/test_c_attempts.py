"""C25, C26, C27: who ends a task, and how a failed step or task is tried again."""

import pytest

from taskstatus.models import Step, TaskEvent
from tests.support.api import fresh, service_api
from tests.support.cast import Worker, coordinator, error_body, step_body
from tests.support.definitions import define, operation
from tests.support.unchanged import unchanged

TASK_EVENTS = {
    "TASK_STATUS_CHANGED": {"businessStatus": "RUNNING"},
    "TASK_COMPLETED": {},
    "TASK_FAILED": {"error": error_body()},
    "TASK_CANCELLED": {},
}


def activate(carol, task_id, step_id="s1", **body):
    body.setdefault("producerId", "worker-a")
    return carol.api.post(f"/tasks/{task_id}/steps/{step_id}:activate", body)


@pytest.mark.accepts("C25")
def test_a_task_whose_steps_all_succeeded_still_runs(carol):
    """The service never concludes an end: only the coordinator's word is one."""
    task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
    for step_id in ("s1", "s2"):
        worker = carol.worker(task_id, step_id)
        worker.started()
        assert worker.completed()["lifecycleStatus"] == "RUNNING"
    assert carol.detail(task_id)["finishedAt"] is None
    assert carol.end(task_id)["lifecycleStatus"] == "SUCCEEDED"


@pytest.mark.accepts("C25")
def test_no_worker_ends_a_task(carol):
    """Neither by execution token nor as a service does a worker say anything about a task as a whole."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    as_service = service_api("worker-a", "worker", "health", "operator")
    with unchanged():
        for event_type, members in TASK_EVENTS.items():
            body = {"eventId": fresh(), "eventType": event_type, "taskId": task_id, "taskAttempt": 1, **members}
            worker.api.post("/task-events", body).refused(403, "EVENT_TYPE_NOT_ALLOWED")
            as_service.post("/task-events", body).refused(403, "EVENT_TYPE_NOT_ALLOWED")
            service_api("boss", "business").post("/task-events", body).refused(403, "ROLE_REQUIRED")
        worker.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "x"}).refused(401, "TOKEN_INVALID")
        as_service.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "x"}).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("C25")
@pytest.mark.parametrize("policy", ["FAIL_TASK", "RETRY_THEN_FAIL_TASK", "CONTINUE_WITH_WARNING", "WAIT_FOR_USER"])
def test_the_registered_policy_executor_fails_a_task_for_a_failed_step_only(carol, policy):
    """The operation's registered executor may fail the task once the step failed for good, under two policies."""
    define(operations=[operation(failurePolicy=policy, policyExecutor="judge", maxAttempts=2)])
    worker = carol.running()
    task_id = worker.context["taskId"]
    body = {"eventType": "TASK_FAILED", "taskId": task_id, "taskAttempt": 1, "error": error_body()}
    judge, other = service_api("judge", "worker"), service_api("worker-a", "worker")

    def refused(api, **members):
        with unchanged():
            api.post("/task-events", {"eventId": fresh(), **body, **members}).refused(403, "EVENT_TYPE_NOT_ALLOWED")

    refused(judge)
    worker.failed(retryable=True)
    if policy == "RETRY_THEN_FAIL_TASK":
        refused(judge)
        worker = carol.worker(task_id)
        worker.started()
        worker.failed(retryable=True)
    refused(other)
    if policy not in ("FAIL_TASK", "RETRY_THEN_FAIL_TASK"):
        refused(judge)
        return
    with unchanged():
        ended = {"eventId": fresh(), "eventType": "TASK_CANCELLED", "taskId": task_id, "taskAttempt": 1}
        judge.post("/task-events", ended).refused(403, "EVENT_TYPE_NOT_ALLOWED")
    assert judge.post("/task-events", {"eventId": fresh(), **body}).ok()["lifecycleStatus"] == "FAILED"
    assert TaskEvent.objects.filter(task_id=task_id).latest("task_version").producer_id == "judge"


@pytest.mark.accepts("C25")
def test_any_coordinator_of_the_scope_ends_a_task(carol):
    """The creator's name is kept, and binds nobody: a deputy of the same scope may end what it didn't create."""
    task_id = carol.task()["taskId"]
    assert coordinator(name="deputy").end(task_id)["lifecycleStatus"] == "SUCCEEDED"


@pytest.mark.accepts("C26")
def test_a_steps_retry_is_a_new_attempt_beside_the_failed_one(carol):
    """The next attempt has its own execution and begins clean; the failure before it stays in rows and log."""
    define(operations=[operation(failurePolicy="RETRY_THEN_FAIL_TASK", maxAttempts=2)])
    first = carol.running()
    task_id = first.context["taskId"]
    failed = first.failed(retryable=True, code="TIMEOUT")
    assert failed["businessStatus"] == "RETRY_WAIT"
    second = carol.worker(task_id)
    context = second.context
    assert (context["stepAttempt"], context["sourceSeqStart"]) == (2, 1)
    assert context["executionId"] != first.context["executionId"]
    (step,) = carol.detail(task_id)["steps"]
    assert (step["attempt"], step["lifecycleStatus"], step["error"]) == (2, "PENDING", None)
    assert int(step["version"]) > int(failed["stepVersion"])
    assert carol.detail(task_id)["failure"] is None
    old = Step.objects.get(execution_id=first.context["executionId"])
    assert (old.lifecycle_status, old.error_code, old.attempt) == ("FAILED", "TIMEOUT", 1)
    logged = TaskEvent.objects.get(task_id=task_id, event_type="STEP_FAILED")
    assert (logged.error_code, logged.step_attempt, str(logged.task_version)) == ("TIMEOUT", 1, failed["taskVersion"])
    second.started()
    second.failed(retryable=True)
    with unchanged():
        activate(carol, task_id).refused(409, "ATTEMPT_LIMIT")


@pytest.mark.accepts("C26")
def test_a_tasks_retry_keeps_what_the_first_attempt_was(carol):
    """Every step begins again with new executions; those of the first attempt stay readable as they ended."""
    first = carol.running()
    task_id = first.context["taskId"]
    first.failed(code="TORN")
    carol.end(task_id, "TASK_FAILED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "glued"}).ok()
    second = carol.worker(task_id)
    assert (second.context["taskAttempt"], second.context["stepAttempt"]) == (2, 1)
    assert second.context["executionId"] != first.context["executionId"]
    rows = Step.objects.filter(task_id=task_id).order_by("task_attempt")
    assert [(r.task_attempt, r.lifecycle_status, r.error_code) for r in rows] == [
        (1, "FAILED", "TORN"),
        (2, "PENDING", None),
    ]
    versions = list(TaskEvent.objects.filter(task_id=task_id).order_by("task_version").values_list("task_version"))
    assert versions == [(n,) for n in range(1, len(versions) + 1)]


@pytest.mark.accepts("C27")
def test_a_command_repeated_gives_the_same_execution(carol):
    """A commandId leads to one execution for good: as it runs, after its end, its successor and its task."""
    task_id = carol.task(step_body())["taskId"]
    first = activate(carol, task_id, commandId="go")
    assert first.status == 201
    worker = Worker(first.body)
    worker.started()

    def repeated():
        answer = activate(carol, task_id, commandId="go")
        assert (answer.status, answer.body["executionId"]) == (200, first.body["executionId"])
        assert Step.objects.filter(task_id=task_id, is_current=True).count() == 1
        return answer.body

    assert Worker(repeated(), source_seq=1).completed()["stepLifecycleStatus"] == "SUCCEEDED"
    version = carol.detail(task_id)["version"]
    repeated()
    assert carol.detail(task_id)["version"] == version
    carol.activate(task_id)
    assert repeated()["stepAttempt"] == 1
    carol.end(task_id)
    repeated()


@pytest.mark.accepts("C27")
def test_a_used_command_id_leads_nowhere_else(carol):
    """The same commandId for another step or with another body is refused."""
    task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
    activate(carol, task_id, commandId="go").ok()
    with unchanged():
        activate(carol, task_id, "s2", commandId="go").refused(409, "CLIENT_KEY_REUSED")
        for other in ({"attempt": 1}, {"supersede": True}, {"producerId": "worker-b"}):
            activate(carol, task_id, **{"commandId": "go", **other}).refused(409, "CLIENT_KEY_REUSED")
    elsewhere = carol.task(step_body())["taskId"]
    assert activate(carol, elsewhere, commandId="go").status == 201


@pytest.mark.accepts("C27")
def test_naming_the_attempt_is_a_replay_too_and_going_on_has_rules(carol):
    """The current attempt is answered again; a next one needs the end of it, or its fencing; none is skipped."""
    task_id = carol.task(step_body())["taskId"]
    first = activate(carol, task_id, attempt=1).ok()
    again = activate(carol, task_id, attempt=1)
    assert (again.status, again.body["executionId"]) == (200, first["executionId"])
    with unchanged():
        activate(carol, task_id).refused(409, "ATTEMPT_STILL_RUNNING")
        activate(carol, task_id, attempt=2).refused(409, "ATTEMPT_STILL_RUNNING")
        activate(carol, task_id, attempt=3).refused(400, "INVALID_FIELD")
    second = activate(carol, task_id, attempt=2, supersede=True)
    assert (second.status, second.body["stepAttempt"]) == (201, 2)
    with unchanged():
        activate(carol, task_id, attempt=1).refused(409, "ILLEGAL_TRANSITION")
    again = activate(carol, task_id, attempt=2, supersede=True)
    assert (again.status, again.body["executionId"]) == (200, second.body["executionId"])
