"""H11: what a failed step means for its task is what its policy says, and only a coordinator ends the task."""

from itertools import product

import pytest

from tests.support.cast import step_body
from tests.support.failing import (
    FAIL,
    FAILURE,
    GO_ON,
    POLICIES,
    RETRY,
    SHOWN,
    WAIT,
    begin,
    code_after,
    define_papers,
    shows,
)
from tests.support.projected import notices
from tests.support.unchanged import unchanged

ENDS = {"TASK_COMPLETED": "SUCCEEDED", "TASK_FAILED": "FAILED", "TASK_CANCELLED": "CANCELLED"}


@pytest.fixture(autouse=True)
def papers(db):
    """A status set, and an operation with two attempts."""
    define_papers()


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(
    ("policy", "task_type", "retryable", "is_last"),
    list(product(POLICIES, SHOWN, (True, False), (False, True))),
)
def test_a_running_task_follows_the_policy_and_never_ends_by_itself(carol, policy, task_type, retryable, is_last):
    """Classified or not, retryable or not, with attempts left or without."""
    task_id, worker = begin(carol, task_type=task_type, failurePolicy=policy)
    if is_last:
        worker.failed(retryable=True)
        worker = carol.worker(task_id)
        worker.started()
    receipt = worker.failed(retryable=retryable)
    code = code_after(policy, task_type, retryable=retryable, is_last=is_last)
    health = ("DEGRADED", "OPTIONAL_STEP_FAILED") if policy == GO_ON else ("HEALTHY", None)
    assert (receipt["lifecycleStatus"], receipt["stepLifecycleStatus"]) == ("RUNNING", "FAILED")
    assert (receipt["businessStatus"], receipt["health"]) == (code, health[0])
    assert shows(carol, task_id, "lifecycleStatus", "businessStatus") == ("RUNNING", code)
    assert shows(carol, task_id, "health", "healthReason") == health
    assert shows(carol, task_id, "requiresAction", "failure") == (policy == WAIT, FAILURE)
    (step,) = carol.detail(task_id)["steps"]
    assert (step["lifecycleStatus"], step["health"], step["healthReason"]) == ("FAILED", *health)
    assert step["error"]["code"] == "BROKEN"


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(("policy", "task_type"), list(product(POLICIES, SHOWN)))
def test_a_task_that_has_not_begun_keeps_its_code(carol, policy, task_type):
    """A step may fail before anything runs; the task then waits under its own name, and asks its user all the same."""
    task_id = carol.task(step_body(failurePolicy=policy), taskType=task_type)["taskId"]
    carol.worker(task_id).failed(retryable=True)
    code = "QUEUED" if task_type else "PENDING"
    assert shows(carol, task_id, "lifecycleStatus", "businessStatus") == ("PENDING", code)
    assert shows(carol, task_id, "requiresAction", "failure") == (policy == WAIT, FAILURE)
    assert shows(carol, task_id, "health") == (("DEGRADED" if policy == GO_ON else "HEALTHY"),)


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(("policy", "task_type"), list(product(POLICIES, SHOWN)))
def test_the_next_attempt_begins_clean_and_brings_the_remembered_code_back(carol, policy, task_type):
    """Activation clears the failure, what was asked of the user, and the health that came with it."""
    task_id, worker = begin(carol, task_type=task_type, failurePolicy=policy)
    worker.failed(retryable=True, requiresAction=True, actions=["REVIEW"])
    assert shows(carol, task_id, "requiresAction", "actions") == (True, ["REVIEW"])
    carol.activate(task_id)
    assert shows(carol, task_id, "businessStatus", "failure") == (SHOWN[task_type], None)
    assert shows(carol, task_id, "requiresAction", "actions") == (False, [])
    assert shows(carol, task_id, "health", "healthReason") == ("HEALTHY", None)
    (step,) = carol.detail(task_id)["steps"]
    assert (step["attempt"], step["lifecycleStatus"], step["error"]) == (2, "PENDING", None)


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(("policy", "waiting"), [(RETRY, "RETRY_WAIT"), (WAIT, "WAITING_USER_ACTION")])
def test_a_coordinator_may_end_the_waiting_by_what_the_remembered_code_reaches(carol, policy, waiting):
    """A task event that asks nothing of the user takes back what was asked; what is not reachable is refused."""
    task_id, worker = begin(carol, task_type="PAPER", failurePolicy=policy)
    worker.failed(retryable=True)
    with unchanged():
        carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="QUEUED").refused(409, "ILLEGAL_TRANSITION")
    carol.report("TASK_STATUS_CHANGED", task_id, businessStatus=waiting).accepted()
    carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="CHECKING").accepted()
    assert shows(carol, task_id, "businessStatus", "requiresAction") == ("CHECKING", False)
    carol.activate(task_id)
    assert shows(carol, task_id, "businessStatus") == ("CHECKING",)


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(("policy", "event"), list(product(POLICIES, ENDS)))
def test_whatever_failed_the_coordinator_ends_the_task_as_it_sees_fit(carol, policy, event):
    """An optional, compensated or hopeless failure: the service holds nothing against any end."""
    task_id, worker = begin(carol, failurePolicy=policy)
    worker.failed(retryable=True)
    end = ENDS[event]
    assert carol.end(task_id, event)["lifecycleStatus"] == end
    assert shows(carol, task_id, "businessStatus", "requiresAction") == (end, False)


@pytest.mark.accepts("H11")
def test_no_attempt_follows_the_last(carol):
    """Once the attempts are used up the task waits for nothing any more, and none is handed out."""
    task_id, worker = begin(carol, failurePolicy=RETRY)
    worker.failed(retryable=True)
    last = carol.worker(task_id)
    last.started()
    assert last.failed(retryable=True)["businessStatus"] == "RUNNING"
    with unchanged():
        carol.api.post(f"/tasks/{task_id}/steps/s1:activate", {"producerId": "worker-a"}).refused(409, "ATTEMPT_LIMIT")


@pytest.mark.accepts("H11")
@pytest.mark.parametrize(
    ("policy", "retryable", "told", "level"),
    [
        (FAIL, True, "STEP_FAILED", "ERROR"),
        (RETRY, True, "STEP_RETRYING", "WARNING"),
        (RETRY, False, "STEP_FAILED", "ERROR"),
        (GO_ON, True, "STEP_FAILED", "WARNING"),
        (WAIT, False, "ACTION_REQUIRED", "WARNING"),
    ],
)
def test_the_owner_is_told_what_follows(carol, policy, retryable, told, level):
    """On the summary channel, under the failure's own version."""
    task_id, worker = begin(carol, failurePolicy=policy)
    version = worker.failed(retryable=retryable)["taskVersion"]
    (notice,) = notices(task_id)
    assert (notice["type"], notice["level"], notice["id"]) == (told, level, f"{task_id}:{version}")
    assert (notice["errorCode"], notice["retryable"]) == ("BROKEN", retryable)
    assert notice["operationCode"] == "OPS.RUN"


@pytest.mark.accepts("H11")
def test_trouble_in_the_middle_of_progress_is_told_at_once(carol):
    """Progress that carries an error is no mere progress: it waits for nothing."""
    task_id, worker = begin(carol)
    worker.progress(1)
    error = {
        "category": "X",
        "code": "PAGE_TORN",
        "retryable": False,
        "userMessage": "Torn: see /srv/a/b.txt",
    }
    receipt = worker.progress(2, error=error)
    assert receipt["reason"] is None
    (step,) = carol.detail(task_id)["steps"]
    assert (step["lifecycleStatus"], step["error"]["userMessage"]) == ("RUNNING", "Torn: see […]")
