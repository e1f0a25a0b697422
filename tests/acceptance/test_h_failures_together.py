"""H11: several steps that fail, dynamic ones, later attempts, and where the policy is named."""

import pytest

from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, Worker, step_body
from tests.support.definitions import define, operation
from tests.support.failing import FAIL, GO_ON, POLICIES, RETRY, WAIT, begin, code_after, define_papers, mixed, shows
from tests.support.unchanged import unchanged


@pytest.fixture(autouse=True)
def papers(db):
    """A status set, and an operation with two attempts."""
    define_papers()


@pytest.mark.accepts("H11")
def test_waiting_lasts_until_every_step_that_waits_is_tried_again(carol):
    """With several failures the user comes first, then the retries, then what the task showed before."""
    task_id, workers = mixed(carol, s1=WAIT, s2=RETRY, s3=RETRY)
    for worker in workers.values():
        worker.failed(retryable=True)
    carol.activate(task_id, "s2")
    assert shows(carol, task_id, "businessStatus", "requiresAction") == ("WAITING_USER_ACTION", True)
    carol.activate(task_id, "s1")
    assert shows(carol, task_id, "businessStatus", "requiresAction") == ("RETRY_WAIT", False)
    carol.activate(task_id, "s3")
    assert shows(carol, task_id, "businessStatus", "requiresAction") == ("RUNNING", False)


@pytest.mark.accepts("H11")
def test_the_failure_shown_is_the_latest_and_goes_with_its_own_step(carol):
    """Another step's next attempt clears nothing that isn't its own."""
    task_id, workers = mixed(carol, s1=FAIL, s2=GO_ON)
    workers["s1"].failed(code="FIRST")
    workers["s2"].failed(code="SECOND")
    assert carol.detail(task_id)["failure"]["failedStepId"] == "s2"
    carol.activate(task_id, "s1")
    assert shows(carol, task_id, "health") == ("DEGRADED",)
    assert carol.detail(task_id)["failure"] == {"code": "SECOND", "message": "It broke.", "failedStepId": "s2"}
    carol.activate(task_id, "s2")
    assert shows(carol, task_id, "failure", "health") == (None, "HEALTHY")


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(("policy", "waiting"), [(RETRY, "RETRY_WAIT"), (WAIT, "WAITING_USER_ACTION")])
def test_the_other_steps_go_on_and_move_only_the_remembered_code(carol, policy, waiting):
    """What a parallel step names is shown once nobody waits any more."""
    task_id, first, second = begin(carol, task_type="PAPER", steps=("s1", "s2"), failurePolicy=policy)
    first.failed(retryable=True)
    second.progress(businessStatus="CHECKING")
    second.completed()
    assert shows(carol, task_id, "businessStatus", "lifecycleStatus") == (waiting, "RUNNING")
    carol.activate(task_id, "s1")
    assert shows(carol, task_id, "businessStatus") == ("CHECKING",)


def register(carol, task_id, attempt=1, **members):
    """A worker of a dynamic step that has said that it began."""
    body = {
        "clientStepKey": "call",
        "operationCode": "OPS.RUN",
        "producerId": "worker-a",
        "attempt": attempt,
        **members,
    }
    worker = Worker(
        carol.api.post(f"/tasks/{task_id}/executions:register", {**body, "attempt": attempt}).ok()["context"]
    )
    worker.started()
    return worker


@pytest.mark.accepts("H11")
@pytest.mark.parametrize("policy", POLICIES)
def test_dynamic_steps_follow_theirs(carol, policy):
    """A step that was registered while the task ran fails and is tried again like a known one."""
    task_id = carol.task()["taskId"]
    register(carol, task_id, failurePolicy=policy).failed(retryable=True)
    code = code_after(policy, None, retryable=True, is_last=False)
    assert shows(carol, task_id, "businessStatus", "requiresAction") == (code, policy == WAIT)
    assert carol.detail(task_id)["failure"]["failedStepId"] == "dyn_call"
    register(carol, task_id, 2, failurePolicy=policy)
    assert shows(carol, task_id, "businessStatus", "failure", "health") == ("RUNNING", None, "HEALTHY")


@pytest.mark.accepts("H11")
def test_the_policy_is_the_registrations_then_the_known_steps_then_the_definitions(carol):
    """The nearest word counts, and stays with every attempt of the step."""
    define(operations=[operation("OPS.ASK", failurePolicy=WAIT)])
    plain, named = step_body("s1", "OPS.ASK"), step_body("s2", "OPS.ASK", failurePolicy=GO_ON)
    task_id = carol.task(plain, named)["taskId"]
    for _ in range(2):
        carol.worker(task_id, "s1").failed()
        carol.worker(task_id, "s2").failed()
    register(carol, task_id, operationCode="OPS.ASK", failurePolicy=RETRY)
    policies = {step["stepId"]: step["failurePolicy"] for step in carol.detail(task_id)["steps"]}
    assert policies == {"s1": WAIT, "s2": GO_ON, "dyn_call": RETRY}


@pytest.mark.accepts("H11")
def test_the_policy_is_frozen_when_the_execution_is_handed_out(carol):
    """A newer definition changes nothing for what runs, and counts for the next attempt."""
    task_id, worker = begin(carol)
    define(operations=[operation(version=2, failurePolicy=WAIT)])
    assert worker.failed()["businessStatus"] == "RUNNING"
    assert carol.worker(task_id).failed()["businessStatus"] == "WAITING_USER_ACTION"


@pytest.mark.accepts("H11")
@pytest.mark.parametrize("policy", POLICIES)
def test_every_attempts_failure_stays_readable(carol, policy):
    """A second attempt's success, and a second attempt of the task, hide nothing from its owner."""
    task_id, worker = begin(carol, failurePolicy=policy)
    worker.failed(retryable=True, code="FIRST")
    second = carol.worker(task_id)
    second.started()
    second.failed(code="SECOND")
    carol.end(task_id, "TASK_FAILED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "glued"}).ok()
    alice = user_api(ALICE)
    over, now = alice.get(f"/tasks/{task_id}/attempts").ok()["items"]
    assert [(step["attempt"], step["error"]["code"]) for step in over["steps"]] == [(1, "FIRST"), (2, "SECOND")]
    assert [(step["attempt"], step["error"]) for step in now["steps"]] == [(1, None)]
    events = alice.get(f"/tasks/{task_id}/events").ok()["items"]
    failures = [(event["eventType"], event["error"]["code"]) for event in events if event["error"]]
    assert failures == [("STEP_FAILED", "FIRST"), ("STEP_FAILED", "SECOND"), ("TASK_FAILED", "BROKEN")]
    assert shows(carol, task_id, "failure", "requiresAction", "health") == (None, False, "HEALTHY")


@pytest.mark.accepts("H11")
def test_a_late_failure_of_an_attempt_that_was_replaced_changes_nothing(carol):
    """What was superseded can fail no more: neither the step's next attempt nor the task hears of it."""
    task_id, worker = begin(carol, failurePolicy=WAIT)
    carol.activate(task_id, supersede=True)
    error = {"category": "X", "code": "LATE", "retryable": True, "userMessage": "late"}
    with unchanged():
        worker.report("STEP_FAILED", error=error).stale("STALE_EXECUTION")
