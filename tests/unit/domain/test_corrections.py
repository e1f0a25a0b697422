"""The rules of corrections: to any end from any state, with what follows for failure, statuses and health."""

from dataclasses import dataclass
from itertools import product

import pytest

from taskstatus.domain.corrections import correct_step, correct_task, fenced_columns
from taskstatus.domain.definitions import GENERIC_SET
from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import LIVE, Lifecycle
from tests.support.plain import EARLIER, NOW, PAPERS, PlainStep, PlainTask, operation

ENDS = ("SUCCEEDED", "FAILED", "CANCELLED")
POLICIES = ("FAIL_TASK", "RETRY_THEN_FAIL_TASK", "CONTINUE_WITH_WARNING", "WAIT_FOR_USER")


@dataclass(frozen=True)
class Stated:
    """What an operator states."""

    lifecycle_status: str
    business_status: str | None = None
    failure_code: str | None = None
    failure_message: str | None = None
    retryable: bool = False


@dataclass
class Task(PlainTask):
    """A task with its failure."""

    failure_code: str | None = None
    failure_message: str | None = None
    failed_step_id: str | None = None


@dataclass
class Step(PlainStep):
    """A step that was activated, with its error."""

    execution_id: str | None = "exe_1"
    error_code: str | None = None
    error_message: str | None = None
    error_retryable: bool | None = None


def a_task(lifecycle, **members):
    started = EARLIER if lifecycle != "PENDING" else None
    ended = EARLIER if lifecycle in ENDS else None
    known = {"lifecycle_status": lifecycle, "business_status": lifecycle, "remembered_status": lifecycle}
    return Task(**{**known, "started_at": started, "first_started_at": started, "finished_at": ended, **members})


def by_step(step, task, stated, others=(), statuses=GENERIC_SET):
    return correct_step(stated, step, task, others, (statuses, operation()), NOW)


@pytest.mark.parametrize(("before", "after"), list(product(Lifecycle, ENDS)))
def test_every_state_leads_to_every_other_end(before, after):
    retryable = False if before == "FAILED" else None
    task = a_task(before.value)
    step = Step(lifecycle_status=before, business_status=before, error_retryable=retryable)
    for correct in (
        lambda: correct_task(Stated(after), task, GENERIC_SET, NOW).task,
        lambda: by_step(step, a_task("RUNNING"), Stated(after)).step,
    ):
        if before == after:
            with pytest.raises(DomainError, match="INVALID_FIELD"):
                correct()
            continue
        columns = correct()
        assert (columns["lifecycle_status"], columns["business_status"]) == (after, after)
        assert ("finished_at" in columns) is (before in LIVE)


@pytest.mark.parametrize("before", ["PENDING", "RUNNING", "SUCCEEDED"])
def test_durations_are_those_of_the_end(before):
    columns = correct_task(Stated("FAILED"), a_task(before), GENERIC_SET, NOW).task
    expected = {"PENDING": {"duration_ms": None}, "RUNNING": {"duration_ms": 60_000}, "SUCCEEDED": {}}[before]
    assert {name: value for name, value in columns.items() if name == "duration_ms"} == expected


def test_a_clock_that_ran_backwards_makes_no_negative_duration():
    task = a_task("RUNNING", started_at=NOW)
    assert correct_task(Stated("FAILED"), task, GENERIC_SET, EARLIER).task["duration_ms"] == 0


@pytest.mark.parametrize(
    ("before", "named", "shown"),
    [
        ("READING", None, None),
        ("READING", "SIGNED", "SIGNED"),
        ("QUEUED", "SIGNED", "SIGNED"),
        (None, "SIGNED", "SIGNED"),
    ],
)
def test_a_named_code_is_shown_from_wherever_and_without_one_none_that_disagrees_stays(before, named, shown):
    task = a_task("RUNNING", task_type="PAPER", business_status=before, remembered_status=before)
    columns = correct_task(Stated("SUCCEEDED", named), task, PAPERS, NOW).task
    assert (columns["business_status"], columns["remembered_status"]) == (shown, shown)


@pytest.mark.parametrize(
    ("named", "code"), [("UNREADABLE", "UNKNOWN_BUSINESS_STATUS"), ("READING", "STATUS_NOT_REACHABLE")]
)
def test_a_code_has_to_be_a_tasks_and_agree(named, code):
    with pytest.raises(DomainError, match=code):
        correct_task(Stated("SUCCEEDED", named), a_task("RUNNING", task_type="PAPER"), PAPERS, NOW)


@pytest.mark.parametrize("after", ENDS)
def test_nobody_is_waited_for_at_an_end(after):
    task = a_task("RUNNING", requires_action=True)
    columns = correct_task(Stated(after), task, GENERIC_SET, NOW).task
    assert (columns["requires_action"], columns["actions"]) == (False, [])


@pytest.mark.parametrize(("policy", "retryable", "lifecycle"), list(product(POLICIES, (True, False), Lifecycle)))
def test_a_failure_tells_a_live_task_what_the_policy_says_and_an_ended_one_nothing(policy, retryable, lifecycle):
    step = Step(lifecycle_status="RUNNING", failure_policy=policy, attempt=1, max_attempts=2)
    task = a_task(lifecycle.value)
    correction = by_step(step, task, Stated("FAILED", failure_code="LOST", retryable=retryable))
    if lifecycle not in LIVE:
        assert correction.task == {}
        return
    waits = {"WAIT_FOR_USER": "WAITING_USER_ACTION", "RETRY_THEN_FAIL_TASK": "RETRY_WAIT" if retryable else None}
    waiting = waits.get(policy) if lifecycle == "RUNNING" else None
    assert correction.task.get("business_status") == waiting
    assert (correction.task["failure_code"], correction.task["failed_step_id"]) == ("LOST", "s1")
    assert ("requires_action" in correction.task) is (policy == "WAIT_FOR_USER")
    optional = policy == "CONTINUE_WITH_WARNING"
    assert correction.step.get("health_reason") == ("OPTIONAL_STEP_FAILED" if optional else None)


def test_a_failure_that_was_none_is_forgotten_while_another_still_waits():
    failed = Step(lifecycle_status="FAILED", failure_policy="WAIT_FOR_USER", error_code="LOST")
    other = Step(step_id="s2", lifecycle_status="FAILED", failure_policy="WAIT_FOR_USER", error_code="TORN")
    waiting = {"business_status": "WAITING_USER_ACTION", "remembered_status": "RUNNING", "requires_action": True}
    task = a_task("RUNNING", failure_code="LOST", failed_step_id="s1", **waiting)
    told = by_step(failed, task, Stated("SUCCEEDED"), [other]).task
    assert (told["business_status"], told["failure_code"]) == ("WAITING_USER_ACTION", None)
    assert "requires_action" not in told
    told = by_step(failed, task, Stated("SUCCEEDED")).task
    assert (told["business_status"], told["requires_action"]) == ("RUNNING", False)


def test_old_and_new_are_whole():
    correction = by_step(Step(lifecycle_status="RUNNING"), a_task("RUNNING"), Stated("FAILED", failure_code="LOST"))
    assert correction.old.keys() == correction.new.keys()
    assert (correction.old["errorCode"], correction.new["errorCode"]) == (None, "LOST")
    assert (correction.old["failureCode"], correction.new["failureCode"]) == (None, "LOST")
    assert correction.new["lifecycleStatus"] == "RUNNING"


def test_a_step_that_was_never_activated_can_not_be_corrected():
    with pytest.raises(DomainError, match="ILLEGAL_TRANSITION"):
        by_step(Step(execution_id=None), a_task("RUNNING"), Stated("FAILED"))


def test_words_for_users_are_redacted():
    stated = Stated("FAILED", failure_code="LOST", failure_message="token=abc123def")
    assert "abc123def" not in str(correct_task(stated, a_task("RUNNING"), GENERIC_SET, NOW))
    assert "abc123def" not in str(by_step(Step(lifecycle_status="RUNNING"), a_task("RUNNING"), stated))


@pytest.mark.parametrize("reason", ["NO_HEARTBEAT", "NO_PROGRESS", "NOT_STARTED", "OVER_TIME", None])
def test_what_is_fenced_is_not_watched(reason):
    health = {None: "HEALTHY", "NO_HEARTBEAT": "STALE"}.get(reason, "DEGRADED")
    columns = fenced_columns(Step(lifecycle_status="RUNNING", health=health, health_reason=reason), NOW)
    assert columns == ({} if reason is None else columns | {"health": "HEALTHY", "health_reason": None})
