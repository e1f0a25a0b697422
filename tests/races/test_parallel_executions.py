"""One service that runs fifty executions at once."""

import random
from functools import partial
from typing import Any

import pytest

from taskstatus.models import TaskEvent
from tests.support.api import Api, service_api
from tests.support.cast import Worker, coordinator, step_body, task_body
from tests.support.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)

# An odd number of processes, so that each has executions of both kinds: by handle, by token.
PROCESSES, TASKS, STEPS = 5, 5, 10

Event = dict[str, Any]


@pytest.mark.accepts("C11")
def test_every_event_of_fifty_executions_lands_on_its_own():
    workers = fifty_workers()
    runs = [(worker, a_run(worker, number)) for number, worker in enumerate(workers)]
    shares = [runs[start::PROCESSES] for start in range(PROCESSES)]
    api = service_api("worker-a", "worker")
    together([partial(report_interleaved, api, share) for share in shares])
    carol = coordinator()
    details = {worker.context["taskId"]: carol.detail(worker.context["taskId"]) for worker in workers}
    for number, worker in enumerate(workers):
        context = worker.context
        step = next(s for s in details[context["taskId"]]["steps"] if s["executionId"] == context["executionId"])
        told = (step["stepId"], step["phaseCode"], step["progress"]["current"], step["lifecycleStatus"])
        assert told == (context["stepId"], f"PHASE_{number}", number, "SUCCEEDED")
        log = TaskEvent.objects.filter(execution_id=context["executionId"], source_seq__isnull=False)
        assert list(log.order_by("task_version").values_list("source_seq", flat=True)) == [1, 2, 3]
        assert set(log.values_list("task_id", "step_id", "producer_id")) == {
            (context["taskId"], context["stepId"], "worker-a")
        }


def fifty_workers() -> list[Worker]:
    """Executions of worker-a, by turns on five tasks; half of them report by handle."""
    carol = coordinator()
    steps = [step_body(f"s{number}") for number in range(STEPS)]
    tasks = [task["taskId"] for task in carol.workflow(*[task_body(*steps) for _ in range(TASKS)])["tasks"]]
    places = [(task, f"s{number}") for number in range(STEPS) for task in tasks]
    return [carol.worker(task, step, handle=number % 2 == 0) for number, (task, step) in enumerate(places)]


def report_interleaved(api: Api, runs: list[tuple[Worker, list[Event]]]) -> None:
    """Tell the whole run of each execution, all of them mixed: by handle in one batch, by token one by one."""
    order = random.Random(7).sample([n for n in range(len(runs)) for _ in range(3)], 3 * len(runs))
    turns = [iter(events) for _, events in runs]
    mixed = [(runs[n][0], next(turns[n])) for n in order]
    batch = [event for worker, event in mixed if worker.handle]
    assert all(item["accepted"] for item in api.post("/task-events:batch", {"events": batch}).ok()["results"])
    for worker, event in mixed:
        if not worker.handle:
            assert worker.send(event).ok()["accepted"]


def a_run(worker: Worker, number: int) -> list[Event]:
    """Start, one progress that names the execution's number, end."""
    start = worker.event("STEP_STARTED")
    middle = worker.progress_event(current=number, total=50, phaseCode=f"PHASE_{number}")
    return [start, middle, worker.event("STEP_COMPLETED")]
