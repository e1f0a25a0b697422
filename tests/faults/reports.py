"""Reports of every kind, each as a request that is ready to be sent."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from taskstatus.models import Step
from taskstatus.services.flush_progress import flush_progress
from tests.support.api import Answer, fresh, service_api
from tests.support.beats import PATH, beat
from tests.support.cast import Coordinator, Worker, error_body, step_body
from tests.support.reconciling import reconciled, silence, time_passes

Request = Callable[[], Answer]


def report_start(carol: Coordinator) -> Request:
    worker = carol.worker(carol.task(step_body())["taskId"])
    return partial(worker.send, worker.event("STEP_STARTED"))


def report_progress(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, worker.progress_event())


def report_coalesced_progress(carol: Coordinator) -> Request:
    worker = with_progress_of_this_moment(carol)
    return partial(worker.send, worker.progress_event(current=2))


def with_progress_of_this_moment(carol: Coordinator) -> Worker:
    """A worker whose next progress is coalesced with its last, however slowly the test runs."""
    worker = carol.running()
    worker.progress()
    keep_the_next_progress(worker)
    return worker


def keep_the_next_progress(worker: Worker) -> None:
    """Let the progress that was shown last be of this moment, for some minutes."""
    Step.objects.filter(execution_id=worker.context["executionId"]).update(
        progress_versioned_at=Now() + timedelta(minutes=5)
    )


def report_beat(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1})


def renew_lease(carol: Coordinator) -> Request:
    return partial(service_api("worker-a", "worker").post, PATH, {"heartbeats": [beat(carol.running())]})


def renew_leases(carol: Coordinator) -> Request:
    beats = [beat(carol.running()) for _ in range(3)]
    return partial(service_api("worker-a", "worker").post, PATH, {"heartbeats": beats})


def report_completion(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, worker.event("STEP_COMPLETED"))


def report_failure(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, worker.event("STEP_FAILED", error=error_body()))


def report_cancellation(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, worker.event("STEP_CANCELLED"))


def report_health(carol: Coordinator) -> Request:
    execution = carol.running().context["executionId"]
    body = {"eventId": fresh(), "eventType": "STEP_HEALTH_CHANGED", "executionId": execution, "sourceSeq": 1}
    return partial(
        service_api("reconciler", "health").post,
        "/task-events",
        {**body, "health": "STALE", "healthReason": "NO_HEARTBEAT"},
    )


def report_task_status(carol: Coordinator) -> Request:
    return _task_event(carol, carol.task()["taskId"], "TASK_STATUS_CHANGED", businessStatus="RUNNING")


def report_task_end(carol: Coordinator) -> Request:
    return _task_event(carol, carol.running().context["taskId"], "TASK_FAILED", error=error_body())


def _task_event(carol: Coordinator, task_id: str, kind: str, **members: object) -> Request:
    body = {"eventId": fresh(), "eventType": kind, "taskId": task_id, "taskAttempt": 1, **members}
    return partial(carol.api.post, "/task-events", body)


def report_batch(carol: Coordinator) -> Request:
    workers = [carol.running(), carol.running(), carol.running()]
    events = [worker.event("STEP_COMPLETED") for worker in workers]
    for worker, event in zip(workers, events, strict=True):
        event["executionHandle"] = worker.context["executionHandle"]
    return partial(service_api("worker-a", "worker").post, "/task-events:batch", {"events": events})


def flush_kept_progress(carol: Coordinator) -> Request:
    with_progress_of_this_moment(carol).progress(current=2)
    Step.objects.filter(pending_flush_at__isnull=False).update(pending_flush_at=F("created_at"))
    return _flushed


def _flushed() -> Answer:
    flush_progress(max_steps=1)
    return Answer(200, {}, {})


def find_silence(carol: Coordinator) -> Request:
    names = ("s1", "s2", "s3")
    task_id = carol.task(*map(step_body, names))["taskId"]
    workers = [carol.worker(task_id, name) for name in names]
    for worker in workers:
        worker.started()
    silence(workers[0])
    return _judged


def find_being_stuck_and_late(carol: Coordinator) -> Request:
    limits: dict[str, Any] = {"noProgressSeconds": 30, "startDeadlineSeconds": 30, "heartbeatTimeoutSeconds": 3600}
    task_id = carol.task(step_body(**limits), step_body("s2", **limits))["taskId"]
    worker = carol.worker(task_id)
    worker.started()
    carol.worker(task_id, "s2")
    silence(worker)
    return _judged


def escalate_a_silence(carol: Coordinator) -> Request:
    worker = carol.worker(carol.task(step_body(staleEscalationSeconds=30))["taskId"])
    worker.started()
    silence(worker)
    _judged()
    time_passes(30, worker)
    return _judged


def _judged() -> Answer:
    if reconciled().failed:
        return Answer(500, {"code": "INTERNAL_ERROR"}, {})
    return Answer(200, {}, {})


def a_silent_worker(carol: Coordinator) -> Worker:
    """A worker whose execution was found STALE."""
    worker = carol.running()
    silence(worker)
    _judged()
    return worker


def revive_by_beats(carol: Coordinator) -> Request:
    beats = [beat(a_silent_worker(carol)) for _ in range(2)]
    return partial(service_api("worker-a", "worker").post, PATH, {"heartbeats": beats})


def revive_by_an_event(carol: Coordinator) -> Request:
    worker = a_silent_worker(carol)
    return partial(worker.send, {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1})


def revive_by_progress(carol: Coordinator) -> Request:
    worker = a_silent_worker(carol)
    return partial(worker.send, worker.progress_event())
