"""Many workers with a running execution each."""

from typing import Any

from tests.support.api import service_api
from tests.support.cast import Coordinator, Worker, step_body, task_body

TASKS_A_WORKFLOW = 50


def crew(carol: Coordinator, number: int, **step: Any) -> list[Worker]:
    """So many workers, each with the only step of a task of its own, reporting by handle; all have begun."""
    workers = []
    for start in range(0, number, TASKS_A_WORKFLOW):
        bodies = [task_body(step_body(**step)) for _ in range(start, min(start + TASKS_A_WORKFLOW, number))]
        created = carol.workflow(*bodies)["tasks"]
        workers += begun([carol.worker(task["taskId"], handle=True) for task in created])
    return workers


def begun(workers: list[Worker]) -> list[Worker]:
    """These workers, having told that they began."""
    starts = {"events": [worker.event("STEP_STARTED") for worker in workers]}
    answer = service_api("worker-a", "worker").post("/task-events:batch", starts).ok()
    assert all(item["accepted"] for item in answer["results"])
    return workers
