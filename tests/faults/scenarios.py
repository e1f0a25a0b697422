"""Each use case that writes, as a request that is ready to be sent."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.db.models import F

from taskstatus.models import Step
from taskstatus.services.flush_progress import flush_progress
from tests.support.api import Answer, fresh, service_api
from tests.support.cast import ALICE, BOB, Coordinator, error_body, step_body, task_body

Request = Callable[[], Answer]


@dataclass(frozen=True)
class Scenario:
    """A request and how many versions it makes, of tasks and of workflows together."""

    prepare: Callable[[Coordinator], Request]
    versions: int = 1

    def __str__(self) -> str:
        return self.prepare.__name__


def create_workflow(carol: Coordinator) -> Request:
    shared = [{"principalType": "USER", "principalId": BOB, "permission": "VIEW"}]
    refs = [{"refType": "ORDER", "refValue": fresh()}]
    tasks = [task_body(step_body(), sharedWith=shared, externalRefs=refs), task_body()]
    body = {"clientWorkflowKey": fresh(), "ownerId": ALICE, "title": "T", "sharedWith": shared, "initialTasks": tasks}
    return partial(carol.api.post, "/workflows", body)


def add_task(carol: Coordinator) -> Request:
    return partial(carol.api.post, f"/workflows/{carol.workflow()['workflowId']}/tasks", task_body(step_body()))


def activate_first(carol: Coordinator) -> Request:
    return _activate(carol, carol.task(step_body())["taskId"])


def activate_next(carol: Coordinator) -> Request:
    worker = carol.running()
    worker.failed(retryable=True)
    return _activate(carol, worker.context["taskId"])


def supersede(carol: Coordinator) -> Request:
    return _activate(carol, carol.running().context["taskId"], supersede=True)


def _activate(carol: Coordinator, task_id: str, **members: object) -> Request:
    body = {"producerId": "worker-a", "commandId": fresh(), **members}
    return partial(carol.api.post, f"/tasks/{task_id}/steps/s1:activate", body)


def register(carol: Coordinator) -> Request:
    body = {"clientStepKey": "page-1", "operationCode": "OPS.RUN", "producerId": "worker-a"}
    return partial(carol.api.post, f"/tasks/{carol.task()['taskId']}/executions:register", body)


def renew(carol: Coordinator) -> Request:
    execution = carol.running().context["executionId"]
    return partial(service_api("worker-a", "worker").post, f"/executions/{execution}:renew")


def report_start(carol: Coordinator) -> Request:
    worker = carol.worker(carol.task(step_body())["taskId"])
    return partial(worker.send, worker.event("STEP_STARTED"))


def report_progress(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, worker.progress_event())


def report_coalesced_progress(carol: Coordinator) -> Request:
    worker = carol.running()
    worker.progress()
    return partial(worker.send, worker.progress_event(current=2))


def report_beat(carol: Coordinator) -> Request:
    worker = carol.running()
    return partial(worker.send, {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1})


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


def retry_task(carol: Coordinator) -> Request:
    task_id = carol.running().context["taskId"]
    carol.end(task_id, "TASK_FAILED")
    return partial(carol.api.post, f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"})


def workflow_event(carol: Coordinator) -> Request:
    body = {"eventId": fresh(), "eventType": "WORKFLOW_COMPLETED"}
    return partial(carol.api.post, f"/workflows/{carol.workflow()['workflowId']}/events", body)


def grant_task(carol: Coordinator) -> Request:
    path = f"/tasks/{carol.task()['taskId']}/grants/USER/{BOB}"
    return partial(carol.api.put, path, {"permission": "VIEW"})


def grant_workflow(carol: Coordinator) -> Request:
    path = f"/workflows/{carol.workflow()['workflowId']}/grants/USER/{BOB}"
    return partial(carol.api.put, path, {"permission": "VIEW"})


def add_external_ref(carol: Coordinator) -> Request:
    return partial(carol.api.put, f"/tasks/{carol.task()['taskId']}/external-refs/ORDER/{fresh()}")


def flush_kept_progress(carol: Coordinator) -> Request:
    worker = carol.running()
    worker.progress()
    worker.progress(current=2)
    Step.objects.filter(pending_flush_at__isnull=False).update(pending_flush_at=F("created_at"))
    return _flushed


def _flushed() -> Answer:
    flush_progress(max_steps=1)
    return Answer(200, {}, {})


SCENARIOS = [
    Scenario(create_workflow, 3),
    Scenario(add_task, 2),
    Scenario(activate_first),
    Scenario(activate_next),
    Scenario(supersede, 2),
    Scenario(register),
    Scenario(renew, 0),
    Scenario(report_start),
    Scenario(report_progress),
    Scenario(report_coalesced_progress, 0),
    Scenario(report_beat, 0),
    Scenario(report_completion),
    Scenario(report_failure),
    Scenario(report_cancellation),
    Scenario(report_health),
    Scenario(report_task_status),
    Scenario(report_task_end),
    Scenario(report_batch, 3),
    Scenario(retry_task),
    Scenario(workflow_event),
    Scenario(grant_task),
    Scenario(grant_workflow),
    Scenario(add_external_ref),
    Scenario(flush_kept_progress),
]
