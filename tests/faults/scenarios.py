"""Each use case that writes, as a request that is ready to be sent."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.faults import corrections, reports
from tests.faults.reports import Request
from tests.support.api import fresh, service_api, user_api
from tests.support.cast import ALICE, BOB, Coordinator, step_body, task_body


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


def retry_task(carol: Coordinator) -> Request:
    task_id = carol.running().context["taskId"]
    carol.end(task_id, "TASK_FAILED")
    return partial(carol.api.post, f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"})


def request_cancel(carol: Coordinator) -> Request:
    path = f"/tasks/{carol.running().context['taskId']}:requestCancel"
    return partial(user_api(ALICE).post, path, {"reason": "Wrong file."})


def classify_task(carol: Coordinator) -> Request:
    # Sent again it meets its own version, and finds nothing to change.
    headers = {"If-Match": '"task-version-1", "task-version-2"'}
    path = f"/tasks/{carol.task(step_body())['taskId']}/classification"
    return partial(carol.api.call, "PATCH", path, {"taskType": "PAPER", "productId": "contracts"}, headers=headers)


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


SCENARIOS = [
    Scenario(create_workflow, 3),
    Scenario(add_task, 2),
    Scenario(activate_first),
    Scenario(activate_next),
    Scenario(supersede, 2),
    Scenario(register),
    Scenario(renew, 0),
    Scenario(reports.report_start),
    Scenario(reports.report_progress),
    Scenario(reports.report_coalesced_progress, 0),
    Scenario(reports.report_beat, 0),
    Scenario(reports.renew_lease, 0),
    Scenario(reports.renew_leases, 0),
    Scenario(reports.report_completion),
    Scenario(reports.report_failure),
    Scenario(reports.report_cancellation),
    Scenario(reports.report_health),
    Scenario(reports.report_task_status),
    Scenario(reports.report_task_end),
    Scenario(reports.report_batch, 3),
    Scenario(retry_task),
    Scenario(request_cancel),
    Scenario(classify_task),
    Scenario(workflow_event),
    Scenario(grant_task),
    Scenario(grant_workflow),
    Scenario(add_external_ref),
    Scenario(reports.flush_kept_progress),
    Scenario(reports.find_silence, 3),
    Scenario(reports.find_being_stuck_and_late, 2),
    Scenario(reports.escalate_a_silence),
    Scenario(reports.revive_by_beats, 2),
    Scenario(reports.revive_by_an_event),
    Scenario(reports.revive_by_progress),
    Scenario(corrections.correct_a_task),
    Scenario(corrections.correct_a_step),
]
