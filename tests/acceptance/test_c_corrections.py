"""C30: an operator's correction is on record, and what it fenced can't undo it (source design 4.2, ruling 16)."""

from itertools import product

import pytest

from taskstatus.models import AuditEntry, ExecutionLease, Step, Task, TaskEvent
from tests.faults.reports import keep_the_next_progress
from tests.support.api import fresh, service_api, user_api
from tests.support.beats import beat, verdicts
from tests.support.cast import ALICE, error_body, step_body
from tests.support.corrections import REASON, correct
from tests.support.projected import messages, notices
from tests.support.unchanged import unchanged

ENDS = ("SUCCEEDED", "FAILED", "CANCELLED")
PAIRS = [(before, after) for before, after in product(("PENDING", "RUNNING", *ENDS), ENDS) if before != after]
LEADING_TO = {"SUCCEEDED": "TASK_COMPLETED", "FAILED": "TASK_FAILED", "CANCELLED": "TASK_CANCELLED"}
STEP_LEADING_TO = {"SUCCEEDED": "STEP_COMPLETED", "FAILED": "STEP_FAILED", "CANCELLED": "STEP_CANCELLED"}
WORKER_EVENTS = {
    "STEP_STARTED": {},
    "STEP_PROGRESS": {"progressSeq": 9, "progress": {"current": 9, "total": 10, "unit": "page"}},
    "STEP_COMPLETED": {},
    "STEP_FAILED": {"error": error_body()},
    "STEP_CANCELLED": {},
}


def a_task(carol, lifecycle):
    """A task with one activated step, brought to this lifecycle."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    if lifecycle != "PENDING":
        worker.started()
    if lifecycle in ENDS:
        carol.end(worker.context["taskId"], LEADING_TO[lifecycle])
    return worker


def a_step(carol, lifecycle):
    """A worker whose step was brought to this lifecycle, in a task that goes on."""
    worker = a_task(carol, "PENDING" if lifecycle == "PENDING" else "RUNNING")
    if lifecycle in ENDS:
        worker.report(STEP_LEADING_TO[lifecycle], **WORKER_EVENTS[STEP_LEADING_TO[lifecycle]]).accepted()
    return worker


@pytest.mark.accepts("C30")
@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_task_is_corrected_from_any_state_to_any_other_end(carol, before, after):
    """The new end is a version of its own, with an event, a notice and an audit entry that say what it was before."""
    task_id = a_task(carol, before).context["taskId"]
    old = carol.detail(task_id)
    version = correct(task_id, after)
    new = carol.detail(task_id)
    assert (version, new["lifecycleStatus"], new["version"]) == (int(old["version"]) + 1, after, str(version))
    (event,) = TaskEvent.objects.filter(task_id=task_id, event_type="TASK_CORRECTED")
    assert (event.task_version, event.lifecycle_status) == (version, after)
    assert [event.payload[name]["lifecycleStatus"] for name in ("old", "new")] == [before, after]
    audit = AuditEntry.objects.get(action="CORRECT_TASK", object_id=task_id)
    assert (audit.actor, audit.outcome, audit.detail["reason"]) == ("olga", "DONE", REASON)
    assert (audit.detail["old"], audit.detail["new"]) == (event.payload["old"], event.payload["new"])
    (told,) = (told for told in notices(task_id) if told["type"] == "TASK_CORRECTED")
    assert (told["id"], told["level"]) == (f"{task_id}:{version}", "INFO")


@pytest.mark.accepts("C30")
@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_step_is_corrected_from_any_state_to_any_other_end(carol, before, after):
    """The task keeps its lifecycle: ending it stays with the coordinator."""
    worker = a_step(carol, before)
    task_id = worker.context["taskId"]
    lifecycle = carol.detail(task_id)["lifecycleStatus"]
    version = correct(task_id, after, stepId="s1")
    new = carol.detail(task_id)
    assert (new["lifecycleStatus"], new["steps"][0]["lifecycleStatus"]) == (lifecycle, after)
    event = TaskEvent.objects.get(task_id=task_id, event_type="TASK_CORRECTED")
    assert (event.task_version, event.step_id, event.step_lifecycle_status) == (version, "s1", after)
    assert [event.payload[name]["stepLifecycleStatus"] for name in ("old", "new")] == [before, after]
    audit = AuditEntry.objects.get(action="CORRECT_STEP", object_id=task_id)
    assert (audit.actor, audit.detail["reason"]) == ("olga", REASON)
    assert audit.detail["executionId"] == worker.context["executionId"]


@pytest.mark.accepts("C30", "C19")
@pytest.mark.parametrize("by_handle", [False, True], ids=["token", "handle"])
@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
@pytest.mark.parametrize("after", ENDS)
def test_what_was_fenced_changes_nothing_any_more(carol, after, step_id, by_handle):
    """Each event, a beat and `:renew` get a final answer; whatever the worker sends, the correction stands."""
    worker = carol.worker(carol.task(step_body())["taskId"], handle=by_handle)
    worker.started()
    correct(worker.context["taskId"], after, stepId=step_id)
    assert not ExecutionLease.objects.exists()
    with unchanged():
        for event_type, members in WORKER_EVENTS.items():
            worker.report(event_type, **members).refused(409, "TERMINAL_STATE")
        worker.send(worker.event("STEP_HEARTBEAT", sourceSeq=None, heartbeatSeq=7)).refused(409, "TERMINAL_STATE")
        assert verdicts(beat(worker, 8)) == ["TERMINAL_STATE"]
        health = {"eventType": "STEP_HEALTH_CHANGED", "health": "HEALTHY", "sourceSeq": 1, "eventId": fresh()}
        health["executionId"] = worker.context["executionId"]
        service_api("doctor", "health").post("/task-events", health).refused(409, "TERMINAL_STATE")
        renew = f"/executions/{worker.context['executionId']}:renew"
        service_api("worker-a", "worker").post(renew).refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C30")
@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_what_was_fenced_registers_no_child_any_more(carol, step_id):
    """The token of an execution that a correction ended makes no new one."""
    policy = {"allowedParentOperations": ["*"], "allowedChildOperations": ["*"]}
    worker = carol.worker(carol.task(step_body(), dynamicRegistrationPolicy=policy)["taskId"])
    worker.started()
    task_id = worker.context["taskId"]
    child = {"clientStepKey": "page-1", "operationCode": "OPS.RUN", "producerId": "worker-a"}
    register = f"/tasks/{task_id}/executions:register"
    first = worker.api.post(register, child).ok()
    correct(task_id, "FAILED", stepId=first["stepId"])
    correct(task_id, "CANCELLED", stepId=step_id)
    with unchanged():
        worker.api.post(register, {**child, "clientStepKey": "page-2"}).refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C30", "C19")
@pytest.mark.parametrize("after", ENDS)
def test_no_task_event_leaves_a_corrected_end(carol, after):
    """What a correction stated is as final as what a coordinator reports."""
    task_id = a_task(carol, "RUNNING").context["taskId"]
    correct(task_id, after)
    events = {"TASK_STATUS_CHANGED": {"businessStatus": "RUNNING"}, "TASK_FAILED": {"error": error_body()}}
    with unchanged():
        for event_type in ("TASK_STATUS_CHANGED", "TASK_COMPLETED", "TASK_FAILED", "TASK_CANCELLED"):
            carol.report(event_type, task_id, **events.get(event_type, {})).refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C30", "C01")
@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_what_was_accepted_before_still_gets_its_first_receipt(carol, step_id):
    """A worker whose answer was lost asks again, as after any end; an earlier sequence is stale."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    body = worker.event("STEP_STARTED")
    first = worker.send(body).accepted()
    correct(worker.context["taskId"], "FAILED", stepId=step_id)
    with unchanged():
        assert worker.send(body).accepted() == {**first, "duplicate": True}
        worker.send({**body, "eventId": fresh()}).stale("STALE_SEQUENCE")


@pytest.mark.accepts("C30", "C33")
@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_progress_that_waited_is_taken_in(carol, step_id):
    """It is shown with the correction's version, and sent again it is stale: nothing is left to be flushed."""
    worker = carol.running()
    worker.progress(current=1)
    keep_the_next_progress(worker)
    body = worker.progress_event(current=7)
    assert worker.send(body).accepted()["reason"] == "COALESCED"
    correct(worker.context["taskId"], "CANCELLED", stepId=step_id)
    assert carol.detail(worker.context["taskId"])["steps"][0]["progress"]["current"] == 7
    assert Step.objects.get().pending_flush_at is None
    with unchanged():
        worker.send(body).stale("STALE_SEQUENCE")


@pytest.mark.accepts("C30", "C26")
def test_after_a_correction_the_coordinator_goes_on(carol):
    """A hanging step that was ended by hand is activated anew; a task so ended is opened by `:retry`."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    correct(task_id, "FAILED", stepId="s1")
    carol.end(task_id, "TASK_FAILED")
    retry = f"/tasks/{task_id}:retry"
    assert carol.api.post(retry, {"eventId": fresh(), "reason": "again"}).ok()["taskAttempt"] == 2
    second = carol.worker(task_id)
    second.started()
    correct(task_id, "SUCCEEDED")
    assert carol.api.post(retry, {"eventId": fresh(), "reason": "again"}).ok()["taskAttempt"] == 3
    with unchanged():
        second.report("STEP_COMPLETED").stale("STALE_ATTEMPT")
        worker.report("STEP_COMPLETED").stale("STALE_ATTEMPT")


@pytest.mark.accepts("C30")
def test_a_corrected_steps_next_attempt_is_another_execution(carol):
    """The coordinator opens it as after any end, and what the first one still says is stale."""
    first = carol.worker(carol.task(step_body(operationCode="OPS.RUN"))["taskId"])
    first.started()
    task_id = first.context["taskId"]
    correct(task_id, "FAILED", stepId="s1")
    second = carol.worker(task_id)
    assert second.context["stepAttempt"] == 2
    with unchanged():
        first.report("STEP_COMPLETED").stale("STALE_EXECUTION")
        assert verdicts(beat(first)) == ["STALE_EXECUTION"]


@pytest.mark.accepts("C30", "C15")
@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_users_read_that_it_was_corrected_and_not_by_whom_or_why(carol, step_id):
    """Operator and reason are for the audit; timeline and messages carry the state, and the failure's own words."""
    task_id = a_task(carol, "RUNNING").context["taskId"]
    words = {"failureCode": "LOST", "failureMessage": "The pages were lost. See /var/log/worker.log"}
    correct(task_id, "FAILED", stepId=step_id, **words)
    alice = user_api(ALICE)
    timeline = alice.get(f"/tasks/{task_id}/events").ok()["items"]
    told = [timeline, alice.get(f"/tasks/{task_id}").ok(), messages("task.summary", task_id)]
    told += [messages("task.detail", task_id), alice.get(f"/tasks/{task_id}/attempts").ok()]
    for part in told:
        assert "olga" not in str(part)
        assert "burned down" not in str(part)
        assert "/var/log" not in str(part)
    assert (timeline[-1]["eventType"], timeline[-1]["producerId"]) == ("TASK_CORRECTED", "task-status-admin")
    assert timeline[-1]["error"]["code"] == "LOST"
    assert timeline[-1]["error"]["userMessage"].startswith("The pages were lost.")
    assert told[1]["failure"]["code"] == "LOST"


@pytest.mark.accepts("C30", "C29")
def test_the_end_of_what_had_ended_stays_when_it_was(carol):
    """A correction says what the end was, and not when: times and durations of an end stay; a live task ends now."""
    task_id = a_task(carol, "FAILED").context["taskId"]
    old = carol.detail(task_id)
    correct(task_id, "SUCCEEDED")
    new = carol.detail(task_id)
    for name in ("finishedAt", "durationMs", "queueDurationMs", "totalDurationMs"):
        assert (new[name] is not None, new[name]) == (True, old[name])
    never_started = a_task(carol, "PENDING").context["taskId"]
    correct(never_started, "CANCELLED")
    ended = carol.detail(never_started)
    assert (ended["startedAt"], ended["durationMs"], ended["queueDurationMs"]) == (None, None, None)
    assert ended["finishedAt"] == ended["updatedAt"]
    assert ended["totalDurationMs"] >= 0


@pytest.mark.accepts("C30")
def test_the_workflows_counts_follow(carol):
    """The task is counted by its corrected state, at each correction anew."""
    worker = a_task(carol, "RUNNING")
    correct(worker.context["taskId"], "FAILED")
    counts = carol.api.get(f"/workflows/{worker.context['workflowId']}").ok()["counts"]["lifecycleStatus"]
    assert (counts["RUNNING"], counts["FAILED"]) == (0, 1)
    correct(worker.context["taskId"], "SUCCEEDED")
    counts = carol.api.get(f"/workflows/{worker.context['workflowId']}").ok()["counts"]["lifecycleStatus"]
    assert (counts["SUCCEEDED"], counts["FAILED"]) == (1, 0)
    assert Task.objects.get().failure_code is None
