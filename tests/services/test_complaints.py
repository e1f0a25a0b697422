"""Faults that users of comparable systems reported in public, one test each: here they can't happen."""

import pytest

from outbox.models import OutboxMessage
from taskstatus.models import RefusedReport, TaskEvent
from tests.support.api import fresh, service_api
from tests.support.cast import Worker, coordinator, step_body, task_body
from tests.support.projected import messages
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol():
    return coordinator()


def health(word, worker, source_seq=1):
    body = {"eventId": fresh(), "eventType": "STEP_HEALTH_CHANGED", "sourceSeq": source_seq, "health": word}
    return service_api("watchdog", "health").post(
        "/task-events", {**body, "executionId": worker.context["executionId"]}
    )


def beat(worker, heartbeat_seq):
    body = {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": heartbeat_seq}
    return worker.send(body)


def test_a_workflow_does_not_end_because_its_tasks_have(carol):
    """Parents that were derived by counting children stood at RUNNING for ever, or ended too early."""
    created = carol.workflow(task_body(), task_body())
    for task in created["tasks"]:
        carol.end(task["taskId"])
    path = f"/workflows/{created['workflowId']}"
    assert carol.api.get(path).ok()["lifecycleStatus"] in ("PENDING", "RUNNING")
    ended = carol.api.post(f"{path}/events", {"eventId": fresh(), "eventType": "WORKFLOW_COMPLETED"}).ok()
    assert ended["lifecycleStatus"] == "SUCCEEDED"


def test_the_end_of_every_known_step_is_not_the_end_of_the_task(carol):
    """Streams were closed because all known parts had ended, just before a retry."""
    worker = carol.running()
    assert worker.completed()["lifecycleStatus"] == "RUNNING"
    assert messages("task.summary", worker.context["taskId"])[-1]["task"]["finishedAt"] is None


def test_an_event_that_can_not_be_stored_is_refused_at_the_door(carol):
    """A NUL byte passed the door, failed inside, and its run stood still for ever."""
    worker = carol.running()
    with unchanged():
        worker.send(worker.event("STEP_COMPLETED", message="a\x00b")).refused(400, "INVALID_FIELD")
    assert worker.completed()["stepLifecycleStatus"] == "SUCCEEDED"


def test_a_task_that_stands_still_can_be_explained(carol):
    """Operators were left guessing why nothing moved."""
    worker = carol.running()
    worker.report("STEP_STARTED").refused(409, "ILLEGAL_TRANSITION")
    kept = RefusedReport.objects.get(task_id=worker.context["taskId"])
    assert (kept.code, kept.event_type) == ("ILLEGAL_TRANSITION", "STEP_STARTED")


def test_a_beat_after_the_end_revives_nothing(carol):
    """A beat between completion and the process's exit turned finished runs into crashed ones."""
    worker = carol.running()
    worker.completed()
    with unchanged():
        beat(worker, 1).refused(409, "TERMINAL_STATE")
        health("STALE", worker).refused(409, "TERMINAL_STATE")


def test_a_scan_that_comes_after_the_end_of_the_task_changes_nothing(carol):
    """A monitor failed a run after it had succeeded, by what it had read before."""
    worker = carol.running()
    carol.end(worker.context["taskId"])
    with unchanged():
        health("STALE", worker).refused(409, "TERMINAL_STATE")
    assert carol.detail(worker.context["taskId"])["lifecycleStatus"] == "SUCCEEDED"


def test_health_is_no_lifecycle(carol):
    """A silent worker's task was failed while it went on working."""
    worker = carol.running()
    health("STALE", worker).accepted()
    detail = carol.detail(worker.context["taskId"])
    assert (detail["lifecycleStatus"], detail["health"]) == ("RUNNING", "STALE")
    assert worker.completed()["health"] == "HEALTHY"


def test_an_end_is_never_followed_by_another(carol):
    """A run that users had been told was lost later became completed."""
    worker = carol.running()
    worker.failed()
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED")
    with unchanged():
        worker.report("STEP_COMPLETED").refused(409, "TERMINAL_STATE")
        carol.report("TASK_COMPLETED", task_id).refused(409, "TERMINAL_STATE")


def test_a_restarted_worker_gets_a_new_attempt_and_the_old_one_is_told(carol):
    """A restarted pod's second start was refused, and its run stood at RUNNING for ever."""
    worker = carol.running()
    worker.report("STEP_STARTED").refused(409, "ILLEGAL_TRANSITION")
    task_id = worker.context["taskId"]
    successor = Worker(carol.activate(task_id, supersede=True))
    successor.started()
    worker.report("STEP_PROGRESS", progressSeq=1).stale("STALE_EXECUTION")
    assert successor.completed()["stepLifecycleStatus"] == "SUCCEEDED"


def test_a_refused_beat_says_why(carol):
    """A worker was killed by a 409 to its heartbeat that explained nothing."""
    worker = carol.running()
    assert beat(worker, 5).ok()["accepted"]
    beat(worker, 4).stale("STALE_SEQUENCE")
    assert worker.completed()["accepted"]


def test_a_timeout_of_one_interval_is_not_taken(carol):
    """An interval as long as its timeout failed healthy jobs."""
    body = task_body(step_body(heartbeatIntervalSeconds=30, heartbeatTimeoutSeconds=30))
    answer = carol.api.post(
        "/workflows", {"clientWorkflowKey": fresh(), "ownerId": "a", "title": "T", "initialTasks": [body]}
    )
    answer.refused(400, "INVALID_FIELD")


def test_a_late_start_overwrites_neither_the_end_nor_the_beginning(carol):
    """Late and doubled starts overwrote completions and start times."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    start = worker.event("STEP_STARTED")
    worker.send(start).accepted()
    worker.completed()
    before = carol.detail(worker.context["taskId"])["steps"][0]
    with unchanged():
        assert worker.send(start).ok()["duplicate"]
        worker.send({**start, "eventId": fresh()}).stale("STALE_SEQUENCE")
    after = carol.detail(worker.context["taskId"])["steps"][0]
    assert (after["startedAt"], after["lifecycleStatus"]) == (before["startedAt"], "SUCCEEDED")


def test_the_last_progress_before_a_failure_is_kept(carol):
    """Throttled progress was lost when the work failed right after it."""
    worker = carol.running()
    for page in (1, 2, 3):
        worker.progress(page)
    worker.failed()
    assert carol.detail(worker.context["taskId"])["steps"][0]["progress"]["current"] == 3


def test_progress_is_shown_with_its_age_whether_anything_failed_or_not(carol):
    """Progress was hidden until the work had failed once."""
    worker = carol.running()
    worker.progress(3)
    step = carol.detail(worker.context["taskId"])["steps"][0]
    assert (step["progress"]["current"], step["error"]) == (3, None)
    assert step["progressUpdatedAt"] is not None


def test_beats_are_no_events(carol):
    """Beats kept as events blew up the tables."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    events, sent = TaskEvent.objects.filter(task_id=task_id), OutboxMessage.objects.filter(aggregate_id=task_id)
    before = events.count(), sent.count()
    for number in range(1, 6):
        beat(worker, number).accepted()
    assert (events.count(), sent.count()) == before


def test_an_end_its_error_and_its_duration_are_one_message(carol):
    """The final status and its error were two writes, and readers left between them."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED", durationMs=7)
    (ended,) = [m["task"] for m in messages("task.summary", task_id) if m["task"]["lifecycleStatus"] == "FAILED"]
    assert (ended["failure"]["code"], ended["durationMs"]) == ("BROKEN", 7)
    assert ended["finishedAt"] is not None


def test_two_runs_of_one_step_never_hide_each_other(carol):
    """Overlapping runs under one name hid the one that was stuck."""
    worker = carol.running()
    worker.failed(retryable=True)
    second = carol.worker(worker.context["taskId"])
    assert second.context["executionId"] != worker.context["executionId"]
    second.started()
    worker.report("STEP_COMPLETED").stale("STALE_EXECUTION")
    assert carol.detail(worker.context["taskId"])["steps"][0]["lifecycleStatus"] == "RUNNING"
