"""C11, C17: every execution is a stream of its own, whoever runs it."""

import random

import pytest

from tests.support.api import fresh, service_api
from tests.support.cast import Worker, coordinator, step_body, task_body

TASKS, STEPS = 5, 10


def interleaved(streams, seed):
    """All events in one order that is random, except that each stream's own order is kept."""
    chooser = random.Random(seed)
    waiting = [list(stream) for stream in streams]
    while waiting:
        stream = chooser.choice(waiting)
        yield stream.pop(0)
        waiting = [left for left in waiting if left]


@pytest.mark.accepts("C11")
@pytest.mark.parametrize("by_handle", [True, False], ids=["handles", "tokens"])
def test_fifty_executions_of_one_service_never_mix(carol, by_handle):
    """One service runs fifty executions of five tasks at once; each report lands on its own execution alone."""
    steps = [step_body(f"s{number}") for number in range(STEPS)]
    created = carol.workflow(*(task_body(*steps) for _ in range(TASKS)))
    workers = [
        Worker(carol.activate(task["taskId"], f"s{number}"), handle=by_handle)
        for task in created["tasks"]
        for number in range(STEPS)
    ]
    ends = [(f"PHASE_{i}", i + 1, ("STEP_COMPLETED", "STEP_CANCELLED")[i % 2]) for i in range(len(workers))]
    streams = [
        [
            worker.event("STEP_STARTED"),
            worker.progress_event(current=number, total=100, phaseCode=phase),
            worker.event(end, durationMs=1_000 + number),
        ]
        for worker, (phase, number, end) in zip(workers, ends, strict=True)
    ]
    report_all(workers, streams, by_handle=by_handle)
    seen = {task["taskId"]: carol.detail(task["taskId"]) for task in created["tasks"]}
    for detail in seen.values():
        assert detail["version"] == str(1 + STEPS + 3 * STEPS)
    for worker, (phase, number, end) in zip(workers, ends, strict=True):
        steps_of_task = seen[worker.context["taskId"]]["steps"]
        (step,) = (s for s in steps_of_task if s["executionId"] == worker.context["executionId"])
        lifecycle = "SUCCEEDED" if end == "STEP_COMPLETED" else "CANCELLED"
        assert (step["stepId"], step["lifecycleStatus"]) == (worker.context["stepId"], lifecycle)
        assert (step["phaseCode"], step["progress"]["current"]) == (phase, number)
        assert step["durationMs"] == 1_000 + number


def report_all(workers, streams, *, by_handle):
    """Send every event, in batches by handles, or one by one by tokens; each has to be accepted."""
    if by_handle:
        events = list(interleaved(streams, seed=11))
        results = service_api("worker-a", "worker").post("/task-events:batch", {"events": events}).ok()["results"]
        assert [result["eventId"] for result in results] == [event["eventId"] for event in events]
        assert all(result["accepted"] for result in results), results
        return
    owned = [[(worker, event) for event in stream] for worker, stream in zip(workers, streams, strict=True)]
    for worker, event in interleaved(owned, seed=17):
        receipt = worker.send(event).ok()
        assert (receipt["accepted"], receipt["executionId"]) == (True, worker.context["executionId"])


@pytest.mark.accepts("C17")
def test_one_services_sequence_says_nothing_about_anothers(carol):
    """After service A's number 2, service B's number 1 on the same task is new, and so is A's in another step."""
    task_id = carol.task(step_body("s1"), step_body("s2"), step_body("s3"))["taskId"]
    first = carol.worker(task_id, "s1", producerId="service-a")
    others = [carol.worker(task_id, "s2", producerId="service-b"), carol.worker(task_id, "s3", producerId="service-a")]
    first.started(sourceSeq=1)
    first.progress(sourceSeq=2)
    for other in others:
        assert other.started(sourceSeq=1)["accepted"] is True


@pytest.mark.accepts("C17")
def test_coordinators_and_health_reporters_count_for_themselves(carol):
    """Task events are counted per teller, a health reporter's apart from the worker's, an omitted number not at all."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    change = {"businessStatus": "RUNNING"}
    doctor = service_api("doctor", "health")
    sick = {"eventType": "STEP_HEALTH_CHANGED", "executionId": worker.context["executionId"], "health": "STALE"}
    told = [
        carol.report("TASK_STATUS_CHANGED", task_id, sourceSeq=2, **change),
        coordinator(name="deputy").report("TASK_STATUS_CHANGED", task_id, sourceSeq=1, **change),
        carol.report("TASK_STATUS_CHANGED", task_id, **change),
        doctor.post("/task-events", {"eventId": fresh(), "sourceSeq": 1, **sick}),
        worker.report("STEP_PROGRESS", sourceSeq=2, progressSeq=1),
        carol.report("TASK_STATUS_CHANGED", task_id, sourceSeq=3, **change),
    ]
    assert [answer.ok()["accepted"] for answer in told] == [True] * len(told)
    assert carol.report("TASK_STATUS_CHANGED", task_id, sourceSeq=3, **change).ok()["reason"] == "STALE_SEQUENCE"
