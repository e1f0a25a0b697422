"""H05: the reconciler decides again under the lock; a beat or an end that came in between wins."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection

from taskstatus.models import ExecutionLease, Step, Task
from tests.support.api import fresh, service_api
from tests.support.beats import beat, verdicts
from tests.support.reconciling import health_log, reconciled, silence
from tests.support.rival import WAIT_SECONDS, after_first, begin, meanwhile, others_at
from tests.support.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H05")]

VERSION_OF_RUNNING = 3
# The reconciler's statements, by words that no other of its statements has.
READING = "`execution_id` IN (", '"execution_id" IN ('
LOCKING, READING_LOCKED = "`db_epoch` FROM `task`", "LEFT OUTER JOIN `task_execution_lease`"
WRITING = "INSERT INTO `task_event_log`"
RENEWAL = "UPDATE JSON_TABLE"


@pytest.fixture
def worker(carol):
    """A worker whose execution has missed its deadline, and whom no reconciler has judged yet."""
    runner = carol.running()
    silence()
    return runner


@pytest.fixture
def pool():
    """A thread for what happens beside the reconciler."""
    with ThreadPoolExecutor(1) as threads:
        yield threads


def beats(worker):
    assert verdicts(beat(worker)) == ["ACCEPTED"]


def beats_by_event(worker):
    worker.send({"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1}).accepted()


def reports(worker):
    assert worker.progress()["reason"] is None


def ends(worker):
    worker.completed()


def is_vouched_for(worker):
    body = {"eventId": fresh(), "eventType": "STEP_HEALTH_CHANGED", "sourceSeq": 1, "health": "HEALTHY"}
    body["executionId"] = worker.context["executionId"]
    service_api("watchdog", "health").post("/task-events", body).accepted()
    beats(worker)


def is_replaced(worker, carol):
    carol.worker(worker.context["taskId"], supersede=True)


def loses_its_task(worker, carol):
    carol.end(worker.context["taskId"], "TASK_CANCELLED")


DEEDS = [beats, beats_by_event, reports, ends]
DEEDS_OF_OTHERS = [is_replaced, loses_its_task]


def versions():
    """The version of the only task."""
    return Task.objects.get().version


def is_believed():
    """Whether the only lease has an end, and its step is healthy."""
    health = Step.objects.get(is_current=True).health
    return (health, ExecutionLease.objects.get().deadline_at is not None) == ("HEALTHY", True)


@pytest.mark.parametrize("deed", DEEDS)
def test_what_a_worker_does_between_reading_and_locking_wins(worker, pool, deed):
    """It was read as overdue, and under the lock it is not any more."""
    before = versions()
    with after_reading(lambda: meanwhile(pool, partial(deed, worker))):
        done = reconciled()
    assert (done.looked_at, done.changed) == (1, 0)
    assert health_log(worker) == []
    assert versions() == before + (deed in (reports, ends))


@pytest.mark.parametrize("deed", DEEDS_OF_OTHERS)
def test_what_others_do_with_it_between_reading_and_locking_wins(carol, worker, pool, deed):
    """Nobody is silent who was replaced, or whose task has ended."""
    with after_reading(lambda: meanwhile(pool, partial(deed, worker, carol))):
        done = reconciled()
    assert (done.looked_at, done.changed) == (1, 0)
    assert health_log(worker) == []
    assert set(Step.objects.values_list("health", flat=True)) == {"HEALTHY"}


def test_what_a_reporter_vouches_for_between_reading_and_locking_is_not_silent(worker, pool):
    """HEALTHY by a reporter is one version, and the beat that comes with it is none."""
    before = versions()
    with after_reading(lambda: meanwhile(pool, partial(is_vouched_for, worker))):
        assert reconciled().changed == 0
    assert [event.health for event in health_log(worker)] == ["HEALTHY"]
    assert versions() == before + 1


def after_reading(act):
    """Act when the reconciler has read what is overdue."""
    return after_first(READING[connection.vendor == "sqlite"], act)


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("moment", [LOCKING, READING_LOCKED], ids=["before the lease is read", "after it"])
def test_a_beat_while_the_reconciler_holds_the_lock_wins(worker, pool, caplog, moment):
    """Beats take no lock of tasks; a verdict by what was read before one can't be written, and is decided again."""
    with after_first(moment, lambda: meanwhile(pool, partial(beats, worker))):
        done = reconciled()
    assert (done.looked_at, done.changed) == (1, 0)
    assert ("use case met CONFLICT" in caplog.text) is (moment == READING_LOCKED)
    assert (health_log(worker), versions(), is_believed()) == ([], VERSION_OF_RUNNING, True)


@pytest.mark.usefixtures("row_locks")
def test_a_beat_that_is_being_written_is_waited_for_and_wins(worker, pool):
    """The reconciler wants the lease that the beat holds, gets it changed, and decides again."""
    judging = []

    def judge_beside():
        judging.append(begin(pool, reconciled))
        eventually(partial(others_at, "UPDATE%`task_execution_lease`"), what="the wait for the lease")

    with after_first(RENEWAL, judge_beside):
        beats(worker)
    assert judging[0].result(WAIT_SECONDS).changed == 0
    assert (health_log(worker), versions(), is_believed()) == ([], VERSION_OF_RUNNING, True)


@pytest.mark.usefixtures("row_locks")
def test_a_beat_that_comes_after_the_verdict_was_written_brings_it_back(worker, pool, caplog):
    """It waits for the lease, finds no end to move, and goes the way of every fact: STALE once, HEALTHY once."""
    beating = []

    def beat_beside():
        beating.append(begin(pool, partial(beats, worker)))
        eventually(partial(others_at, RENEWAL), what="the wait for the lease")

    with after_first(WRITING, beat_beside):
        assert reconciled().changed == 1
    beating[0].result(WAIT_SECONDS)
    assert "use case met CONFLICT" in caplog.text
    assert [event.health for event in health_log(worker)] == ["STALE", "HEALTHY"]
    assert (versions(), is_believed()) == (VERSION_OF_RUNNING + 2, True)


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("deed", [beats_by_event, reports, ends])
def test_a_report_that_holds_the_lock_wins(worker, pool, deed):
    """A pass leaves a task that somebody holds to the next, which reads what the report left behind."""
    with after_first(LOCKING, lambda: meanwhile(pool, reconciled)):
        deed(worker)
    assert reconciled().changed == 0
    assert health_log(worker) == []
    assert set(Step.objects.values_list("health", flat=True)) == {"HEALTHY"}


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("deed", [beats_by_event, reports, ends])
def test_a_report_that_waits_for_the_verdict_brings_it_back(worker, pool, deed):
    """The report was not there yet when the reconciler had the lock: STALE once, and then what the report makes."""
    acting = []

    def act_beside():
        acting.append(begin(pool, partial(deed, worker)))
        eventually(partial(others_at, "FOR UPDATE"), what="the wait for the task")

    with after_first(LOCKING, act_beside):
        assert reconciled().changed == 1
    acting[0].result(WAIT_SECONDS)
    told = [event.health for event in health_log(worker)]
    assert told == (["STALE", "HEALTHY"] if deed is beats_by_event else ["STALE"])
    assert (Step.objects.get().health, versions()) == ("HEALTHY", VERSION_OF_RUNNING + 2)
