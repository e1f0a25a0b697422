"""Several reconcilers at once, alone and among beats and reports: each silence is told of once (H07, H05)."""

import random
from collections import Counter
from functools import partial
from typing import Any

import pytest

from taskstatus.models import ExecutionLease, Step, Task, TaskEvent
from tests.support.api import service_api
from tests.support.beats import PATH, beat
from tests.support.cast import Coordinator, Worker, coordinator, step_body, task_body
from tests.support.crews import begun, crew
from tests.support.crowd import together
from tests.support.reconciling import changed, reconciled, silence
from tests.support.screen import Json

pytestmark = pytest.mark.django_db(transaction=True)

TASKS, STEPS, PROCESSES = 60, 5, 2


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def many_steps(carol: Coordinator) -> list[Worker]:
    """Workers with running executions of several steps of each task."""
    names = [f"s{number}" for number in range(STEPS)]
    tasks = carol.workflow(*[task_body(*map(step_body, names)) for _ in range(TASKS)])["tasks"]
    workers = [carol.worker(task["taskId"], name, handle=True) for task in tasks for name in names]
    begun(workers)
    return workers


def told() -> Counter[tuple[str, str]]:
    """How often each execution was told of as STALE."""
    events = TaskEvent.objects.filter(event_type="STEP_HEALTH_CHANGED", health="STALE")
    return Counter(events.values_list("task_id", "execution_id"))


def assert_consistent() -> None:
    """A step is STALE exactly where its lease has no end; every task's log is gapless and ends at its version."""
    leases = ExecutionLease.objects.values_list("execution_id", "deadline_at")
    endless = {execution for execution, deadline in leases if deadline is None}
    assert set(Step.objects.filter(health="STALE").values_list("execution_id", flat=True)) == endless
    for task_id, version in Task.objects.values_list("pk", "version"):
        log = TaskEvent.objects.filter(task_id=task_id).order_by("task_version")
        assert list(log.values_list("task_version", flat=True)) == list(range(1, version + 1))


@pytest.mark.accepts("H07")
def test_two_reconcilers_at_once_find_each_of_three_hundred_once(carol):
    """Whatever each of them finds, together it is all, and nothing twice."""
    workers = many_steps(carol)
    silence()
    passes = together([reconciled] * PROCESSES)
    assert sum(one.changed for one in passes) == TASKS * STEPS
    assert told() == {(w.context["taskId"], w.context["executionId"]): 1 for w in workers}
    assert Step.objects.filter(health="STALE").count() == TASKS * STEPS
    assert_consistent()
    assert changed() == 0


@pytest.mark.accepts("H07")
def test_two_reconcilers_beside_beats_of_the_silent_tell_of_each_once(carol):
    """All that were silent beat again meanwhile: before the verdict, or after it, and never twice."""
    workers = crew(carol, 60)
    silence()
    beats = partial(send_beats, [beat(worker) for worker in workers])
    *passes, _ = together([reconciled, reconciled, beats])
    assert sum(one.changed for one in passes) == len(list(told().elements()))
    assert set(told().values()) <= {1}
    assert not Step.objects.filter(health="STALE").exists()
    assert_consistent()


def send_beats(beats: list[Json]) -> None:
    """Send these beats as one request; each is accepted."""
    answer = service_api("worker-a", "worker").post(PATH, {"heartbeats": beats}).ok()
    assert {item["reason"] for item in answer["results"]} <= {None}


ROUNDS, CREW = 4, 24


@pytest.mark.accepts("H05", "H07")
def test_among_beats_and_reports_every_silence_is_told_of_at_most_once(carol):
    """Rounds in which everybody falls silent, and some beat, report or end while two reconcilers judge."""
    dice, workers = random.Random(7), crew(carol, CREW)
    for number in range(1, ROUNDS + 1):
        silence()
        calls: list[Any] = [reconciled, reconciled]
        beating, reporting = dice.sample(workers, CREW // 2), dice.sample(workers, CREW // 3)
        calls.append(partial(send_some_beats, [beat(worker, number) for worker in beating]))
        calls.append(partial(report, [progress(worker, number) for worker in reporting]))
        *_, ended = dice.sample(workers, 3)
        calls.append(partial(report, [ended.event("STEP_COMPLETED")]))
        together(calls)
        assert_consistent()
        assert_alternating()
    silence()
    left = Step.objects.filter(lifecycle_status="RUNNING", health="HEALTHY").count()
    assert changed() == left
    assert set(Step.objects.filter(lifecycle_status="RUNNING").values_list("health", flat=True)) == {"STALE"}
    assert_consistent()


def progress(worker: Worker, number: int) -> Json:
    """The worker's next progress, of a phase of its own."""
    return worker.progress_event(number, phaseCode=f"ROUND_{number}")


def send_some_beats(beats: list[Json]) -> None:
    """Send these beats as one request, some of which come too late."""
    answer = service_api("worker-a", "worker").post(PATH, {"heartbeats": beats}).ok()
    assert {item["reason"] for item in answer["results"]} <= {None, "TERMINAL_STATE"}


def report(events: list[Json]) -> None:
    """Send these reports as one request, some of which come too late."""
    answer = service_api("worker-a", "worker").post("/task-events:batch", {"events": events}).ok()
    codes = {item["error"]["code"] for item in answer["results"] if "error" in item}
    assert codes <= {"TERMINAL_STATE"}


def assert_alternating() -> None:
    """No task is told of as STALE while it is, nor as healthy again while it is: each has but one step."""
    for task_id in Task.objects.values_list("pk", flat=True):
        before = "HEALTHY"
        for kind, health in (
            TaskEvent.objects.filter(task_id=task_id).order_by("pk").values_list("event_type", "health")
        ):
            assert kind != "STEP_HEALTH_CHANGED" or health != before
            before = health
