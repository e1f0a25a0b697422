"""H10: of several reasons the worst is told, of several steps the worst counts, and the task's end ends it all."""

import pytest

from taskstatus.models import Step
from tests.support.beats import beat, verdicts
from tests.support.cast import step_body
from tests.support.projected import notices
from tests.support.reconciling import changed, due, health, health_log, time_passes

LIMIT = 1_000
PATIENT = 100 * LIMIT
FINE = ("HEALTHY", None)
STUCK, LATE, LONG = (("DEGRADED", reason) for reason in ("NO_PROGRESS", "NOT_STARTED", "OVER_TIME"))
SILENT = ("STALE", "NO_HEARTBEAT")


@pytest.mark.accepts("H10")
def test_a_reason_that_gets_worse_is_told_and_what_is_less_is_not(carol):
    """Over its time, then stuck as well, then silent; then back: each step of it one version."""
    body = step_body(noProgressSeconds=2 * LIMIT, heartbeatTimeoutSeconds=3 * LIMIT)
    worker = carol.worker(carol.task(body, maxDurationSeconds=LIMIT)["taskId"])
    worker.started()
    for expected in (LONG, STUCK, SILENT):
        time_passes(LIMIT)
        assert (changed(), changed()) == (1, 0)
        assert health(worker) == expected
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert health(worker) == STUCK  # alive, and where it was
    assert (changed(), due()) == (0, 0)
    worker.progress(7)
    assert changed() == 1
    assert health(worker) == LONG
    told = [(event.health, event.health_reason) for event in health_log(worker)]
    assert told == [LONG, STUCK, SILENT, STUCK, LONG]
    assert [notice["type"] for notice in notices(worker.context["taskId"])] == ["TASK_STALE", "TASK_RECOVERED"]


@pytest.mark.accepts("H10")
def test_a_task_is_as_its_worst_step(carol):
    """One step is late, another stuck, a third fine; each shows its own, the task the worst."""
    bodies = [
        step_body("s1", startDeadlineSeconds=LIMIT),
        step_body("s2", noProgressSeconds=LIMIT, heartbeatTimeoutSeconds=PATIENT),
        step_body("s3", heartbeatTimeoutSeconds=PATIENT),
    ]
    task_id = carol.task(*bodies)["taskId"]
    late, stuck, _ = [carol.worker(task_id, name) for name in ("s1", "s2", "s3")]
    stuck.started()
    time_passes(LIMIT)
    assert changed() == 2
    detail = carol.detail(task_id)
    assert [(step["health"], step["healthReason"]) for step in detail["steps"]] == [LATE, STUCK, FINE]
    assert (detail["health"], detail["healthReason"]) == LATE
    late.started()
    detail = carol.detail(task_id)
    assert (detail["health"], detail["healthReason"]) == STUCK


@pytest.mark.accepts("H10")
def test_when_the_task_ends_no_clock_runs_on(carol):
    """Health stays as it was; nothing is due any more, whatever was running or waiting."""
    bodies = [step_body("s1", noProgressSeconds=LIMIT), step_body("s2", startDeadlineSeconds=LIMIT)]
    task_id = carol.task(*bodies, maxDurationSeconds=LIMIT)["taskId"]
    carol.worker(task_id, "s1").started()
    carol.worker(task_id, "s2")
    carol.end(task_id, "TASK_CANCELLED")
    time_passes(PATIENT)
    assert (due(), changed()) == (0, 0)
    assert not Step.objects.filter(health_due_at__isnull=False).exists()
