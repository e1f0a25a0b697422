"""Who plays in the tests: a coordinator and workers of tenant acme, made through the API, never through rows."""

from dataclasses import dataclass, field
from typing import Any

from tests.support.api import Answer, Api, fresh, service_api

ALICE, BOB, MALLORY = "alice", "bob", "mallory"


@dataclass
class Worker:
    """A worker with one execution, numbering its own reports; `handle=True` reports by handle, else by token."""

    context: dict[str, Any]
    handle: bool = False
    source_seq: int = 0
    progress_seq: int = 0
    api: Api = field(init=False)

    def __post_init__(self) -> None:
        producer = self.context["producerId"]
        by_handle = service_api(producer, "worker", scope=self.context["authorityScope"])
        self.api = by_handle if self.handle else Api(self.context["executionToken"])

    def event(self, event_type: str, **members: Any) -> dict[str, Any]:
        """The next event of this execution, as a body."""
        self.source_seq += 1
        body = {"eventId": fresh(), "eventType": event_type, "sourceSeq": self.source_seq, **members}
        if self.handle:
            body["executionHandle"] = self.context["executionHandle"]
        return body

    def send(self, body: dict[str, Any], **options: Any) -> Answer:
        """Report a body as it is."""
        return self.api.post("/task-events", body, **options)

    def report(self, event_type: str, **members: Any) -> Answer:
        """Report the next event."""
        return self.send(self.event(event_type, **members))

    def started(self, **members: Any) -> dict[str, Any]:
        """Report the start; it has to be accepted."""
        return self.report("STEP_STARTED", **members).accepted()

    def progress_event(self, current: int = 1, total: int = 10, **members: Any) -> dict[str, Any]:
        """The next progress, as a body."""
        self.progress_seq += 1
        progress = {"current": current, "total": total, "unit": "page"}
        members = {"progressSeq": self.progress_seq, "progress": progress, **members}
        return self.event("STEP_PROGRESS", **members)

    def progress(self, current: int = 1, total: int = 10, **members: Any) -> dict[str, Any]:
        """Report progress; it has to be accepted."""
        return self.send(self.progress_event(current, total, **members)).accepted()

    def completed(self, **members: Any) -> dict[str, Any]:
        """Report success; it has to be accepted."""
        return self.report("STEP_COMPLETED", **members).accepted()

    def failed(self, *, retryable: bool = False, code: str = "BROKEN", **members: Any) -> dict[str, Any]:
        """Report failure; it has to be accepted."""
        error = {"category": "DEPENDENCY", "code": code, "retryable": retryable, "userMessage": "It broke."}
        return self.report("STEP_FAILED", error=error, **members).accepted()


@dataclass
class Coordinator:
    """A coordinator, also of role business, with shorthand for what tests need all the time."""

    api: Api

    def workflow(self, *tasks: dict[str, Any], **members: Any) -> dict[str, Any]:
        """Create a workflow for Alice with these tasks; the answer's body."""
        body = {
            "clientWorkflowKey": fresh("wf"),
            "ownerId": ALICE,
            "title": "Handle the papers",
            "initialTasks": list(tasks),
            **members,
        }
        return self.api.post("/workflows", body).ok()

    def task(self, *steps: dict[str, Any], **members: Any) -> dict[str, Any]:
        """Create a workflow with one task of these known steps; `{workflowId, taskId, …}` of the task."""
        created = self.workflow(task_body(*steps, **members))
        return {"workflowId": created["workflowId"], **created["tasks"][0]}

    def activate(self, task_id: str, step_id: str = "s1", **members: Any) -> dict[str, Any]:
        """Activate a step for producer `worker-a`, unless another is named; the ExecutionContext."""
        members.setdefault("producerId", "worker-a")
        return self.api.post(f"/tasks/{task_id}/steps/{step_id}:activate", members).ok()

    def worker(self, task_id: str, step_id: str = "s1", *, handle: bool = False, **members: Any) -> Worker:
        """A worker with the step's fresh execution."""
        return Worker(self.activate(task_id, step_id, **members), handle=handle)

    def running(self, **members: Any) -> Worker:
        """A worker that started the only step, `s1` of operation OPS.RUN, of a new task."""
        worker = self.worker(self.task(step_body(), **members)["taskId"])
        worker.started()
        return worker

    def report(self, event_type: str, task_id: str, **members: Any) -> Answer:
        """Report a task event of the first attempt, unless another is named."""
        body = {"eventId": fresh(), "eventType": event_type, "taskId": task_id, "taskAttempt": 1, **members}
        return self.api.post("/task-events", body)

    def end(self, task_id: str, event_type: str = "TASK_COMPLETED", **members: Any) -> dict[str, Any]:
        """End the task; it has to be accepted."""
        if event_type == "TASK_FAILED":
            members.setdefault("error", error_body())
        return self.report(event_type, task_id, **members).accepted()

    def detail(self, task_id: str) -> dict[str, Any]:
        """The task's detail."""
        return self.api.get(f"/tasks/{task_id}").ok()


def coordinator(tenant: str = "acme", scope: str = "content-platform", name: str = "coordinator") -> Coordinator:
    """A coordinator of this tenant and scope."""
    return Coordinator(service_api(name, "coordinator", "business", tenant=tenant, scope=scope))


def task_body(*steps: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The envelope of a task with these known steps."""
    return {"clientTaskKey": fresh("task"), "title": "Parse the contract", "knownSteps": list(steps), **members}


def step_body(step_id: str = "s1", operation_code: str = "OPS.RUN", **members: Any) -> dict[str, Any]:
    """A known step."""
    return {"stepId": step_id, "operationCode": operation_code, **members}


def error_body(**members: Any) -> dict[str, Any]:
    """A structured error."""
    return {"category": "SYSTEM", "code": "BROKEN", "retryable": False, "userMessage": "It broke.", **members}
