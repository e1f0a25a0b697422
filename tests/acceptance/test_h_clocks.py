"""H10: NO_PROGRESS, NOT_STARTED and OVER_TIME appear and clear by their rules (ruling 15)."""

import pytest

from tests.faults.reports import keep_the_next_progress
from tests.support.api import fresh
from tests.support.beats import beat, verdicts
from tests.support.cast import step_body
from tests.support.projected import messages, notices
from tests.support.reconciling import changed, due, health, health_log, time_passes
from tests.support.unchanged import stored

LIMIT = 1_000
PATIENT = 100 * LIMIT
FINE = ("HEALTHY", None)
STUCK, LATE, LONG = (("DEGRADED", reason) for reason in ("NO_PROGRESS", "NOT_STARTED", "OVER_TIME"))
SILENT = ("STALE", "NO_HEARTBEAT")


def waiting(carol, task=None, **step):
    """A worker whose execution was activated and has not begun; its silence counts late unless members say more."""
    body = step_body(**{"heartbeatTimeoutSeconds": PATIENT, **step})
    return carol.worker(carol.task(body, **(task or {}))["taskId"])


def working(carol, task=None, **step):
    """A worker that has begun."""
    worker = waiting(carol, task, **step)
    worker.started()
    return worker


@pytest.mark.accepts("H10")
def test_who_is_alive_and_gets_nowhere_is_stuck(carol):
    """Once, as DEGRADED with its reason, under one version; nobody is alarmed, and beats change nothing about it."""
    worker = working(carol, noProgressSeconds=LIMIT)
    time_passes(LIMIT / 2)
    assert changed() == 0
    time_passes(LIMIT / 2)
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert changed() == 1
    assert health(worker) == STUCK
    after = stored()
    assert (changed(), due()) == (0, 0)
    assert stored() == after
    assert verdicts(beat(worker, 2)) == ["ACCEPTED"]
    assert health(worker) == STUCK
    (event,) = health_log(worker)
    assert (event.health, event.health_reason) == STUCK
    assert notices(worker.context["taskId"]) == []
    assert messages("task.summary", worker.context["taskId"])[-1]["task"]["healthReason"] == "NO_PROGRESS"


MOVES = {
    "a greater number": {"current": 2},
    "a lower number": {"current": 0},
    "another total": {"total": 11},
    "another phase": {"phaseCode": "NEXT"},
    "other data": {"data": {"schema": "generic.progress.v1", "value": {"page": 2}}},
}


@pytest.mark.accepts("H10")
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_whatever_is_new_about_progress_ends_being_stuck_with_the_report_itself(carol, move):
    """The report is the version; the limit counts from it anew."""
    first = {"phaseCode": "FIRST", "data": {"schema": "generic.progress.v1", "value": {"page": 1}}}
    worker = working(carol, noProgressSeconds=LIMIT)
    worker.progress(**first)
    time_passes(LIMIT)
    assert changed() == 1
    assert worker.progress(**{**first, **move})["reason"] is None
    assert health(worker) == FINE
    assert len(health_log(worker)) == 1
    time_passes(LIMIT / 2)
    assert (changed(), due()) == (0, 0)
    time_passes(LIMIT / 2)
    assert changed() == 1


@pytest.mark.accepts("H10")
def test_the_same_progress_again_is_no_progress(carol):
    """Neither before the limit nor after it, in as many versions as it likes."""
    worker = working(carol, noProgressSeconds=LIMIT)
    same = {"phaseCode": "READ", "data": {"schema": "generic.progress.v1", "value": {"page": 1}}}
    worker.progress(3, **same)
    time_passes(LIMIT / 2)
    assert worker.progress(3, **same)["reason"] is None
    time_passes(LIMIT / 2)
    assert changed() == 1
    assert worker.progress(3, **same, message="Still at it")["reason"] is None
    assert health(worker) == STUCK
    assert (changed(), due()) == (0, 0)


@pytest.mark.accepts("H10", "C33")
@pytest.mark.parametrize(("current", "expected"), [(2, FINE), (1, STUCK)], ids=["news", "the same"])
def test_progress_that_is_no_version_yet_counts_if_it_brings_news(carol, current, expected):
    """It is kept, not shown, and the reconciler knows it; it is not asked again before its clock runs out."""
    worker = working(carol, noProgressSeconds=LIMIT)
    worker.progress(1)
    time_passes(LIMIT)
    keep_the_next_progress(worker)
    assert worker.progress(current)["reason"] == "COALESCED"
    changed()
    assert (health(worker), due()) == (expected, 0)


@pytest.mark.accepts("H10", "C33")
def test_progress_that_is_no_version_yet_counts_after_a_silence_too(carol):
    """Alive again, and known to have moved: the beat says healthy, and not stuck."""
    worker = working(carol, noProgressSeconds=LIMIT)
    worker.progress(1)
    time_passes(LIMIT)
    keep_the_next_progress(worker)
    assert worker.progress(2)["reason"] == "COALESCED"
    time_passes(PATIENT)
    assert changed() == 1
    assert health(worker) == SILENT
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert health(worker) == FINE


@pytest.mark.accepts("H10")
def test_who_does_not_begin_in_time_is_late_until_it_begins(carol):
    """The deadline runs from activation, before which nobody was asked to begin."""
    worker = waiting(carol, startDeadlineSeconds=LIMIT)
    unasked = carol.task(step_body(startDeadlineSeconds=LIMIT))["taskId"]
    time_passes(LIMIT)
    assert (changed(), changed(), due()) == (1, 0, 0)
    assert health(worker) == LATE
    assert carol.detail(unasked)["health"] == "HEALTHY"
    assert notices(worker.context["taskId"]) == []
    worker.started()
    assert health(worker) == FINE
    assert len(health_log(worker)) == 1


@pytest.mark.accepts("H10")
def test_who_fails_or_is_replaced_without_having_begun_is_late_no_more(carol):
    """An end clears it; a new attempt has a deadline of its own."""
    failing, replaced = (waiting(carol, startDeadlineSeconds=LIMIT, failurePolicy="WAIT_FOR_USER") for _ in range(2))
    time_passes(LIMIT)
    assert changed() == 2
    failing.failed()
    new = carol.worker(replaced.context["taskId"], supersede=True)
    assert [health(worker) for worker in (failing, new)] == [FINE] * 2
    assert changed() == 0
    time_passes(LIMIT)
    assert changed() == 1
    assert health(new) == LATE


@pytest.mark.accepts("H10")
def test_a_task_that_takes_too_long_is_over_time_until_its_step_ends(carol):
    """No report of a step that goes on can help that; it is no alarm, and the task's lifecycle stays."""
    worker = working(carol, {"maxDurationSeconds": LIMIT})
    time_passes(LIMIT)
    assert (changed(), changed(), due()) == (1, 0, 0)
    worker.progress(5)
    assert health(worker) == LONG
    assert (changed(), due()) == (0, 0)
    worker.completed()
    assert health(worker) == FINE
    assert carol.detail(worker.context["taskId"])["lifecycleStatus"] == "RUNNING"
    assert changed() == 0


@pytest.mark.accepts("H10")
def test_a_task_that_is_tried_anew_has_its_time_anew(carol):
    """Its attempt begins when a step of it does; what ran in the attempt before is not looked at again."""
    worker = working(carol, {"maxDurationSeconds": LIMIT}, noProgressSeconds=LIMIT)
    task_id = worker.context["taskId"]
    time_passes(LIMIT)
    assert changed() == 1
    carol.end(task_id, "TASK_FAILED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    assert health(worker) == FINE
    time_passes(LIMIT)
    assert (changed(), due()) == (0, 0)
    carol.worker(task_id).started()
    assert changed() == 0
    time_passes(LIMIT)
    assert changed() == 1
