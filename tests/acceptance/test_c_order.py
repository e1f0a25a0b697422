"""C16: what is old never overwrites what is new, and says that it is old."""

import pytest

from tests.support.api import fresh
from tests.support.cast import error_body, step_body
from tests.support.definitions import define, operation
from tests.support.unchanged import unchanged

ERROR = error_body(retryable=True)


def reports_of(worker):
    """One report of every kind that the worker could still send, all of them with numbers never used."""
    return [
        worker.event("STEP_STARTED"),
        worker.progress_event(current=9),
        worker.event("STEP_COMPLETED"),
        worker.event("STEP_FAILED", error=ERROR),
        worker.event("STEP_CANCELLED"),
        {**worker.event("STEP_HEARTBEAT"), "sourceSeq": None, "heartbeatSeq": 9},
    ]


@pytest.mark.accepts("C16")
@pytest.mark.parametrize("last", [2, 3])
@pytest.mark.parametrize("event_type", ["STEP_STARTED", "STEP_PROGRESS", "STEP_COMPLETED", "STEP_FAILED"])
def test_a_source_sequence_that_was_reached_is_stale(carol, event_type, last):
    """An equal or lower number changes nothing, be the event legal or not, and is told the present state."""
    worker = carol.running()
    current = worker.progress(current=5, sourceSeq=3)
    members = {"STEP_PROGRESS": {"progressSeq": 7}, "STEP_FAILED": {"error": ERROR}}.get(event_type, {})
    with unchanged():
        receipt = worker.report(event_type, **members | {"sourceSeq": last}).stale("STALE_SEQUENCE")
    for name in ("taskVersion", "stepVersion", "lifecycleStatus", "stepLifecycleStatus", "epoch"):
        assert receipt[name] == current[name]


@pytest.mark.accepts("C16")
def test_an_old_progress_is_stale_by_its_own_sequence(carol):
    """A late progress doesn't turn the bar back, though its sourceSeq is new."""
    worker = carol.running()
    worker.progress(current=8, progressSeq=5)
    with unchanged():
        for old in (4, 5):
            worker.send(worker.progress_event(current=2, progressSeq=old)).stale("STALE_PROGRESS")
    assert carol.detail(worker.context["taskId"])["progress"]["current"] == 8


@pytest.mark.accepts("C16")
def test_a_superseded_attempt_is_stale(carol):
    """Once another attempt of the step took over, whatever the fenced one says is stale, by token and by handle."""
    old = carol.running()
    carol.activate(old.context["taskId"], supersede=True)
    with unchanged():
        for body in reports_of(old):
            old.send(body).stale("STALE_EXECUTION")


@pytest.mark.accepts("C16")
def test_an_attempt_of_the_task_that_has_gone_by_is_stale(carol):
    """After the task was opened again, its earlier executions and words about the earlier attempt are stale."""
    old = carol.running()
    task_id = old.context["taskId"]
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    with unchanged():
        for body in reports_of(old):
            old.send(body).stale("STALE_ATTEMPT")
        for event_type, members in (
            ("TASK_STATUS_CHANGED", {"businessStatus": "RUNNING"}),
            ("TASK_COMPLETED", {}),
            ("TASK_FAILED", {"error": ERROR}),
            ("TASK_CANCELLED", {}),
        ):
            carol.report(event_type, task_id, taskAttempt=1, **members).stale("STALE_ATTEMPT")
            carol.report(event_type, task_id, taskAttempt=3, **members).refused(403, "ATTEMPT_MISMATCH")


@pytest.mark.accepts("C16")
def test_an_ended_step_tells_old_from_too_late(carol):
    """Of an ended step an old number is stale, and a new one meets the end."""
    worker = carol.running()
    worker.completed()
    with unchanged():
        worker.report("STEP_CANCELLED", sourceSeq=2).stale("STALE_SEQUENCE")
        worker.report("STEP_CANCELLED").refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C16")
def test_an_operation_may_want_every_number_in_turn(carol):
    """Under CONTIGUOUS a number that jumps is refused, the first one included, and the right one still counts."""
    define(operations=[operation("OPS.RUN", sequencePolicy="CONTIGUOUS", producerPattern="worker-a")])
    worker = carol.worker(carol.task(step_body())["taskId"])
    with unchanged():
        worker.report("STEP_STARTED", sourceSeq=2).refused(409, "SEQUENCE_GAP")
    worker.started(sourceSeq=1)
    with unchanged():
        problem = worker.report("STEP_COMPLETED", sourceSeq=3).refused(409, "SEQUENCE_GAP")
        worker.report("STEP_COMPLETED", sourceSeq=1).stale("STALE_SEQUENCE")
    assert problem["current"] == {"sourceSeq": "1"}
    worker.completed(sourceSeq=2)


@pytest.mark.accepts("C16")
def test_a_beat_renews_only_with_a_newer_number_and_never_makes_a_version(carol):
    """A lower heartbeatSeq is stale, the same one a duplicate; neither they nor a new one are events."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    version = carol.detail(task_id)["version"]

    def beat(seq):
        return worker.send({"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": seq})

    first = beat(5).ok()
    assert (first["accepted"], first["duplicate"], first["taskVersion"]) == (True, False, version)
    with unchanged():
        beat(4).stale("STALE_SEQUENCE")
        assert beat(5).ok()["duplicate"] is True
    assert beat(6).ok()["duplicate"] is False
    assert carol.detail(task_id)["version"] == version
