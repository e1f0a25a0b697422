"""H11, C25: a registered policy executor ends a task for a step that failed for good, and that is all (ruling 10)."""

import pytest

from taskstatus.models import AuditEntry, TaskEvent
from tests.support.api import fresh, service_api, user_api
from tests.support.cast import ALICE, coordinator, error_body, step_body
from tests.support.definitions import define, operation
from tests.support.projected import notices
from tests.support.unchanged import unchanged

DENIED = (403, "EVENT_TYPE_NOT_ALLOWED")


@pytest.fixture
def judge():
    """The executor that the operations name, as a service."""
    return service_api("judge", "worker")


@pytest.fixture(autouse=True)
def papers(db):
    """An operation for each of the two policies that know an executor, and one without an executor."""
    both = {"policyExecutor": "judge", "maxAttempts": 2}
    define(
        operations=[
            operation("OPS.RUN", failurePolicy="FAIL_TASK", **both),
            operation("OPS.AGAIN", failurePolicy="RETRY_THEN_FAIL_TASK", **both),
            operation("OPS.PLAIN", failurePolicy="FAIL_TASK"),
        ]
    )


def verdict(task_id, **members):
    """The executor's report about the task."""
    error = error_body(userMessage="Gave up; see /var/log/judge.log", diagnosticsRef="trace://judge")
    return {
        "eventId": fresh(),
        "eventType": "TASK_FAILED",
        "taskId": task_id,
        "taskAttempt": 1,
        "error": error,
        **members,
    }


def begin(carol, *operations, **members):
    """A task of steps `s1`, `s2`… of these operations, and a running worker for each."""
    steps = [step_body(f"s{n}", code, **members) for n, code in enumerate(operations, 1)]
    task_id = carol.task(*steps)["taskId"]
    workers = [carol.worker(task_id, step["stepId"]) for step in steps]
    for worker in workers:
        worker.started()
    return task_id, *workers


def refused(api, body, status=403, code="EVENT_TYPE_NOT_ALLOWED"):
    with unchanged():
        api.post("/task-events", body).refused(status, code)


@pytest.mark.accepts("H11", "C25")
def test_it_ends_the_task_as_a_producer_of_its_own(carol, judge):
    """The same use case as a coordinator's: event, version, notice, redaction."""
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    receipt = judge.post("/task-events", verdict(task_id, failedStepId="s1", sourceSeq=1)).accepted()
    assert receipt["lifecycleStatus"] == receipt["businessStatus"] == "FAILED"
    logged = TaskEvent.objects.get(task_id=task_id, event_type="TASK_FAILED")
    assert (logged.producer_id, str(logged.task_version)) == ("judge", receipt["taskVersion"])
    told = notices(task_id)[-1]
    assert (told["type"], told["operationCode"]) == ("TASK_FAILED", "OPS.RUN")
    failure = user_api(ALICE).get(f"/tasks/{task_id}").ok()["failure"]
    assert failure == {"code": "BROKEN", "message": "Gave up; see […]", "failedStepId": "s1"}


@pytest.mark.accepts("H11", "C25")
def test_it_waits_until_the_step_has_failed(carol, judge):
    """Not while it is pending, runs, is done, was cancelled or was tried again."""
    task_id, worker, other = begin(carol, "OPS.RUN", "OPS.RUN")
    refused(judge, verdict(task_id))
    worker.completed()
    other.report("STEP_CANCELLED").accepted()
    refused(judge, verdict(task_id))
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    carol.activate(task_id)
    refused(judge, verdict(task_id))


@pytest.mark.accepts("H11")
def test_where_attempts_are_left_it_waits_for_the_last(carol, judge):
    """RETRY_THEN_FAIL_TASK: a retryable failure is none for good before the attempts are used up."""
    task_id, worker = begin(carol, "OPS.AGAIN")
    worker.failed(retryable=True)
    refused(judge, verdict(task_id))
    last = carol.worker(task_id)
    last.started()
    refused(judge, verdict(task_id))
    last.failed(retryable=True)
    judge.post("/task-events", verdict(task_id)).accepted()


@pytest.mark.accepts("H11")
def test_a_failure_that_no_attempt_can_mend_is_one_for_good(carol, judge):
    """RETRY_THEN_FAIL_TASK: what is not retryable needs no second attempt."""
    task_id, worker = begin(carol, "OPS.AGAIN")
    worker.failed(retryable=False)
    judge.post("/task-events", verdict(task_id)).accepted()


@pytest.mark.accepts("H11")
@pytest.mark.parametrize("policy", ["CONTINUE_WITH_WARNING", "WAIT_FOR_USER"])
def test_a_step_of_another_policy_is_not_its_business(carol, judge, policy):
    """The policy that was frozen with the step counts, and not the operation's."""
    task_id, worker = begin(carol, "OPS.RUN", failurePolicy=policy)
    worker.failed()
    refused(judge, verdict(task_id))


@pytest.mark.accepts("H11")
def test_it_speaks_of_the_step_that_failed_and_of_no_other(carol, judge):
    """A failedStepId has to name a step that it may judge."""
    task_id, failed, _running, plain = begin(carol, "OPS.RUN", "OPS.RUN", "OPS.PLAIN")
    failed.failed()
    plain.failed()
    for step_id in ("s2", "s3"):
        refused(judge, verdict(task_id, failedStepId=step_id))
    refused(judge, verdict(task_id, failedStepId="s9"), 404, "STEP_NOT_REGISTERED")
    judge.post("/task-events", verdict(task_id, failedStepId="s1")).accepted()


@pytest.mark.accepts("H11", "C25")
def test_nothing_but_a_failure(carol, judge):
    """It completes, cancels, moves and retries nothing."""
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    for event_type in ("TASK_COMPLETED", "TASK_CANCELLED", "TASK_STATUS_CHANGED"):
        named = {"businessStatus": "RUNNING"} if event_type == "TASK_STATUS_CHANGED" else {}
        refused(judge, verdict(task_id, eventType=event_type, error=None, **named))
    with unchanged():
        judge.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "x"}).refused(403, "ROLE_REQUIRED")
        judge.post(f"/tasks/{task_id}/steps/s1:activate", {}).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("H11", "S05")
def test_nobody_else(carol, judge):
    """Other producers, the step's own worker, and namesakes of another tenant, scope or role."""
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    refused(service_api("worker-a", "worker"), verdict(task_id))
    refused(service_api("judge2", "worker"), verdict(task_id))
    refused(worker.api, verdict(task_id))
    refused(service_api("judge", "health"), verdict(task_id), 403, "ROLE_REQUIRED")
    refused(service_api("judge", "business"), verdict(task_id), 403, "ROLE_REQUIRED")
    refused(service_api("judge", "worker", tenant="umbrella"), verdict(task_id), 404, "TASK_NOT_FOUND")
    refused(service_api("judge", "worker", scope="billing"), verdict(task_id), 404, "TASK_NOT_FOUND")
    refused(judge, verdict(task_id, producerId="coordinator"), 403, "PRODUCER_MISMATCH")
    assert AuditEntry.objects.filter(actor="judge2", outcome="EVENT_TYPE_NOT_ALLOWED").exists()


@pytest.mark.accepts("H11")
def test_without_a_registered_executor_there_is_none(carol, judge):
    """The operation turns it on; the built-in profile never does."""
    for code in ("OPS.PLAIN", "OPS.UNHEARD_OF"):
        task_id, worker = begin(carol, code)
        worker.failed()
        refused(judge, verdict(task_id))


@pytest.mark.accepts("H11", "C01", "C02")
def test_it_is_answered_again_as_it_was_first_whatever_came_since(carol, judge):
    """After the end, and after the task's next attempt too: the same receipt, and no second end."""
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    body = verdict(task_id, failedStepId="s1")
    first = judge.post("/task-events", body).accepted()
    again = {**first, "duplicate": True}
    assert judge.post("/task-events", body).accepted() == again
    refused(judge, {**body, "occurredAt": "2026-09-21T07:10:18Z"}, 409, "EVENT_ID_REUSED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "glued"}).ok()
    assert judge.post("/task-events", body).accepted() == again
    assert carol.detail(task_id)["lifecycleStatus"] == "PENDING"
    refused(service_api("judge2", "worker"), body)


@pytest.mark.accepts("H11")
def test_it_comes_too_late_like_everybody_else(carol, judge):
    """An ended task is not ended twice, an attempt that is over not at all, one to come not yet."""
    task_id, worker = begin(carol, "OPS.RUN")
    worker.failed()
    refused(judge, verdict(task_id, taskAttempt=2), 403, "ATTEMPT_MISMATCH")
    carol.end(task_id)
    refused(judge, verdict(task_id), 409, "TERMINAL_STATE")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    carol.worker(task_id).failed()
    with unchanged():
        judge.post("/task-events", verdict(task_id)).stale("STALE_ATTEMPT")


@pytest.mark.accepts("H11")
def test_a_batch_judges_it_alike(carol, judge):
    """What a batch refuses of it changes nothing else in the batch."""
    task_id, worker = begin(carol, "OPS.RUN")
    running, _worker = begin(carol, "OPS.RUN")
    worker.failed()
    events = [verdict(running), verdict(task_id)]
    denied, ended = judge.post("/task-events:batch", {"events": events}).ok()["results"]
    assert (denied["accepted"], denied["error"]["code"]) == (False, "EVENT_TYPE_NOT_ALLOWED")
    assert (ended["accepted"], ended["lifecycleStatus"]) == (True, "FAILED")


@pytest.mark.accepts("H11")
def test_a_coordinator_of_the_same_name_keeps_its_own_rights():
    """Who has both roles is a coordinator."""
    judge = coordinator(name="judge")
    task_id, _worker = begin(judge, "OPS.RUN")
    judge.end(task_id, "TASK_FAILED")
