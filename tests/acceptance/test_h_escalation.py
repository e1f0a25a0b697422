"""H10: a silence that lasts is told of once more; what health reporters say and what the service finds go together."""

import pytest

from taskstatus.models import ExecutionLease, Step
from tests.support.api import fresh, service_api
from tests.support.beats import beat, verdicts
from tests.support.cast import step_body
from tests.support.projected import messages, notices
from tests.support.reconciling import changed, health, health_log, shown, silence, time_passes
from tests.support.unchanged import stored

LIMIT = 1_000
FINE, SILENT, STUCK = ("HEALTHY", None), ("STALE", "NO_HEARTBEAT"), ("DEGRADED", "NO_PROGRESS")


@pytest.fixture
def silent(carol):
    """A worker whose execution was found STALE; who waits for it loses patience after a while."""
    worker = carol.worker(carol.task(step_body(staleEscalationSeconds=LIMIT))["taskId"])
    worker.started()
    silence()
    assert changed() == 1
    return worker


def levels(worker):
    """Type and level of every notice, oldest first."""
    return [(notice["type"], notice["level"]) for notice in notices(worker.context["taskId"])]


def reported(worker, source_seq, word, reason=None, **members):
    """What a health reporter is answered."""
    body = {
        "eventId": fresh(),
        "eventType": "STEP_HEALTH_CHANGED",
        "executionId": worker.context["executionId"],
        "sourceSeq": source_seq,
        "health": word,
        **({"healthReason": reason} if reason else {}),
        **members,
    }
    return service_api("watchdog", "health").post("/task-events", body)


def agrees():
    """Whether the only step is STALE just where its lease has no end, and what the step is looked at for."""
    step, lease = Step.objects.get(), ExecutionLease.objects.get()
    assert (step.health == "STALE") is (lease.deadline_at is None)
    return step.health_due_at is not None


@pytest.mark.accepts("H10")
def test_a_long_silence_is_told_of_once_more_and_louder(silent):
    """One event and one version whose health is what it was, with an ERROR; never a third."""
    time_passes(LIMIT / 2)
    assert changed() == 0
    time_passes(LIMIT / 2)
    since = shown(silent)[1]["staleSince"]
    assert changed() == 1
    after = stored()
    assert changed() == 0
    assert stored() == after
    assert levels(silent) == [("TASK_STALE", "WARNING"), ("TASK_STALE", "ERROR")]
    first, second = health_log(silent)
    assert (second.health, second.health_reason, second.task_version) == (*SILENT, first.task_version + 1)
    assert health(silent) == SILENT
    assert shown(silent)[1]["staleSince"] == since
    detail = messages("task.detail", silent.context["taskId"])[-1]
    assert detail["triggerEvent"]["eventType"] == "STEP_HEALTH_CHANGED"


@pytest.mark.accepts("H10", "H04")
def test_after_an_escalation_a_beat_brings_it_back_and_the_next_silence_has_its_own(silent):
    """Patience begins anew with every silence."""
    time_passes(LIMIT)
    assert changed() == 1
    assert verdicts(beat(silent)) == ["ACCEPTED"]
    assert health(silent) == FINE
    silence()
    assert (changed(), changed()) == (1, 0)
    time_passes(LIMIT)
    assert (changed(), changed()) == (1, 0)
    silent_and_loud = [("TASK_STALE", "WARNING"), ("TASK_STALE", "ERROR")]
    assert levels(silent) == [*silent_and_loud, ("TASK_RECOVERED", "INFO"), *silent_and_loud]


@pytest.mark.accepts("H10")
@pytest.mark.parametrize("end", ["TASK_FAILED", None], ids=["ended", "replaced"])
def test_nobody_is_told_again_of_what_is_over(carol, silent, end):
    """An ended task, or an execution that another took over, is not escalated."""
    if end:
        carol.end(silent.context["taskId"], end)
    else:
        carol.worker(silent.context["taskId"], supersede=True)
    time_passes(LIMIT)
    assert changed() == 0


@pytest.mark.accepts("H10")
def test_without_a_limit_nobody_loses_patience(carol):
    """Unless definition or step says so, a silence is told of once."""
    worker = carol.running()
    silence()
    assert changed() == 1
    time_passes(100 * LIMIT)
    assert changed() == 0
    assert levels(worker) == [("TASK_STALE", "WARNING")]


@pytest.mark.accepts("H03", "H04")
def test_what_a_health_reporter_finds_is_found_once(carol):
    """STALE by a reporter is one silence for all: the reconciler has nothing to add, and a beat ends it."""
    worker = carol.running()
    reported(worker, 1, "STALE").accepted()
    assert (health(worker), agrees()) == (SILENT, False)
    silence()
    assert changed() == 0
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert (health(worker), agrees()) == (FINE, False)
    assert levels(worker) == [("TASK_STALE", "WARNING"), ("TASK_RECOVERED", "INFO")]
    assert [event.producer_id for event in health_log(worker)] == ["watchdog", "task-status-reconciler"]


@pytest.mark.accepts("H03", "H04")
def test_a_reporters_recovery_gives_the_lease_a_new_end(silent):
    """It vouches for the execution, which then has its whole timeout; after that it is silent again."""
    reported(silent, 1, "HEALTHY").accepted()
    assert (health(silent), agrees()) == (FINE, False)
    assert changed() == 0
    silence()
    assert changed() == 1
    assert (health(silent), agrees()) == (SILENT, True)


@pytest.mark.accepts("H10")
def test_a_reporters_reason_stands_until_something_worse_is_found(carol):
    """The service neither takes it back nor asks again and again whether to."""
    worker = carol.worker(carol.task(step_body(noProgressSeconds=LIMIT, heartbeatTimeoutSeconds=LIMIT))["taskId"])
    worker.started()
    reported(worker, 1, "DEGRADED", "NOT_STARTED").accepted()
    assert (changed(), agrees()) == (0, False)  # what it waits for tells less than what is told
    reported(worker, 2, "DEGRADED", "OVER_TIME").accepted()
    assert (changed(), agrees()) == (0, True)
    time_passes(LIMIT)
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert changed() == 1
    assert (health(worker), agrees()) == (STUCK, False)
    time_passes(LIMIT)
    assert changed() == 1
    assert health(worker) == SILENT


@pytest.mark.accepts("H03")
def test_a_reporter_says_nothing_of_who_does_not_run(carol, silent):
    """Waiting and ended executions have no health to be told of; an old number is stale."""
    waiting = carol.worker(carol.task(step_body())["taskId"])
    reported(waiting, 1, "STALE").refused(409, "ILLEGAL_TRANSITION")
    reported(silent, 5, "HEALTHY").accepted()
    reported(silent, 4, "STALE").stale("STALE_SEQUENCE")
    silent.completed()
    reported(silent, 6, "STALE").refused(409, "TERMINAL_STATE")
    assert health(silent) == FINE
