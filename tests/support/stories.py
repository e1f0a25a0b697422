"""What happens in a service over a time, as its coordinators and workers tell it."""

from tests.support.api import fresh
from tests.support.cast import Coordinator, step_body, task_body


def a_story(carol: Coordinator) -> None:
    """Three tasks of two workflows: one goes well, one fails and is tried anew, one is cancelled while it waits."""
    created = carol.workflow(*[task_body(step_body(), step_body("s2"), title=f"T{n}") for n in range(2)])
    good, bad = (task["taskId"] for task in created["tasks"])
    lone = carol.task(step_body(failurePolicy="WAIT_FOR_USER"))["taskId"]
    workers = [carol.worker(task_id) for task_id in (good, bad, lone)]
    for worker in workers:
        worker.started()
    for page in range(1, 4):
        workers[0].progress(page, 3, phaseCode=f"PAGE_{page}")
    workers[2].failed()
    workers[1].failed()
    carol.end(bad, "TASK_FAILED")
    carol.api.post(f"/tasks/{bad}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    again = carol.worker(bad)
    again.started()
    again.completed()
    workers[0].completed()
    carol.end(good)
    carol.end(lone, "TASK_CANCELLED")
    end = {"eventId": fresh(), "eventType": "WORKFLOW_COMPLETED"}
    carol.api.post(f"/workflows/{created['workflowId']}/events", end).ok()
