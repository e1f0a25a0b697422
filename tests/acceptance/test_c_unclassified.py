"""C06, C08, C10: what needs no registration works without it, and what needs one never comes by itself."""

import json

import pytest

from outbox.models import OutboxMessage
from taskstatus.models import Step, Task
from tests.support.api import fresh, service_api
from tests.support.cast import ALICE, error_body, step_body
from tests.support.unchanged import unchanged

CHANGED_BY_PROGRESS = {"version", "updatedAt", "elapsedMs", "asOf", "phaseCode", "phaseLabel", "progress", "steps"}
CHANGED_IN_STEP = CHANGED_BY_PROGRESS - {"steps"} | {"progressUpdatedAt", "lastHeartbeatAt"}
MEASURED_AT_READING = {"elapsedMs", "asOf"}


def pushed(channel):
    """The messages on a channel, oldest first."""
    return [json.loads(row.payload) for row in OutboxMessage.objects.filter(channel=channel).order_by("pk")]


def standing(state):
    """A task's state without what only says when it was read."""
    steps = [{k: v for k, v in step.items() if k not in MEASURED_AT_READING} for step in state.get("steps", [])]
    return {k: v for k, v in state.items() if k not in MEASURED_AT_READING} | {"steps": steps}


@pytest.mark.accepts("C06")
def test_a_task_without_type_and_product_lives_a_whole_life(carol):
    """Neither a type nor a product is needed to create, read, push and complete a task."""
    task = carol.task(step_body(), taskType=None, productId=None)
    task_id = task["taskId"]
    worker = carol.worker(task_id)
    worker.started()
    worker.completed(data={"schema": "generic.result.v1", "value": {"pages": 3}})
    carol.end(task_id, data={"schema": "generic.result.v1", "value": {"stored": True}})
    detail = carol.detail(task_id)
    told = {"taskType": None, "productId": None, "statusDefinitionVersion": None, "lifecycleStatus": "SUCCEEDED"}
    assert {name: detail[name] for name in told} == told
    assert detail["businessStatus"] == detail["statusDisplay"]["name"].upper() == "SUCCEEDED"
    assert detail["summaryData"] == {"schema": "generic.result.v1", "value": {"stored": True}}
    summaries = [m for m in pushed(f"task_user:acme/{ALICE}") if m["kind"] == "task.summary"]
    details = pushed(f"task_detail:acme/{task_id}")
    for messages in (summaries, details):
        assert [message["taskVersion"] for message in messages] == ["1", "2", "3", "4", "5"]
    assert [m["task"]["lifecycleStatus"] for m in summaries] == [
        "PENDING",
        "PENDING",
        "RUNNING",
        "RUNNING",
        "SUCCEEDED",
    ]
    assert standing(details[-1]["state"]) == standing(detail)


@pytest.mark.accepts("C08")
def test_no_event_creates_a_step_or_an_execution(carol):
    """A report about a step that was never registered, or never activated, is refused and makes none."""
    task = carol.task(step_body("s1"), step_body("s2"))
    task_id = task["taskId"]
    worker = carol.worker(task_id, "s1")
    worker.started()
    invented = "exe_000_01ARZ3NDEKTSV4RRFFQ69G5FAV"
    by_service = service_api("worker-a", "worker")
    seen = {"eventId": fresh(), "eventType": "STEP_STARTED", "sourceSeq": 1, "taskId": task_id}
    with unchanged():
        worker.report("STEP_STARTED", stepId="s2").refused(404, "STEP_NOT_REGISTERED")
        worker.report("STEP_STARTED", stepId="dyn_new").refused(404, "STEP_NOT_REGISTERED")
        worker.report("STEP_STARTED", executionId=invented).refused(404, "EXECUTION_NOT_FOUND")
        by_service.post("/task-events", {**seen, "stepId": "s2"}).refused(401, "TOKEN_MISSING")
        by_service.post("/task-events", {**seen, "executionHandle": "exh_000_" + "A" * 32}).refused(
            401, "TOKEN_INVALID"
        )
        carol.report("TASK_FAILED", task_id, failedStepId="s9", error=error_body()).refused(404, "STEP_NOT_REGISTERED")
        carol.report("TASK_COMPLETED", "tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV").refused(404, "TASK_NOT_FOUND")
        carol.api.post(f"/tasks/{task_id}/steps/s9:activate", {"producerId": "w"}).refused(404, "STEP_NOT_REGISTERED")
        by_service.post(f"/executions/{invented}:renew").refused(404, "EXECUTION_NOT_FOUND")
    assert (Task.objects.count(), Step.objects.count()) == (1, 2)


@pytest.mark.accepts("C10")
@pytest.mark.parametrize("phase", ["SUCCEEDED", "FAILED", "TASK_COMPLETED", "RETRY_WAIT", "CONTINUE_WITH_WARNING"])
def test_a_phase_is_progress_and_nothing_else(carol, phase):
    """However loud its name, a phase moves no lifecycle, status, severity, health or policy."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    before = carol.detail(task_id)
    worker.progress(phaseCode=phase, phaseLabel="All done!")
    after = carol.detail(task_id)
    assert (after["phaseCode"], after["phaseLabel"], after["steps"][0]["phaseCode"]) == (phase, "All done!", phase)
    assert {name for name in after if after[name] != before[name]} <= CHANGED_BY_PROGRESS
    old, new = before["steps"][0], after["steps"][0]
    assert {name for name in new if new[name] != old[name]} <= CHANGED_IN_STEP
    failed = worker.failed(retryable=True)
    assert (failed["stepLifecycleStatus"], failed["lifecycleStatus"]) == ("FAILED", "RUNNING")
    assert carol.detail(task_id)["steps"][0]["failurePolicy"] == "FAIL_TASK"
