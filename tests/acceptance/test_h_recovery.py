"""H04: a sign of life of a STALE execution makes it healthy once, and nothing else does."""

from datetime import timedelta

import pytest

from taskstatus.domain.timestamps import parse_rfc3339
from taskstatus.models import ExecutionLease
from tests.support.api import fresh, service_api
from tests.support.beats import beat, results, verdicts
from tests.support.cast import Worker
from tests.support.projected import messages, notices
from tests.support.reconciling import RECONCILER, TIMEOUT_SECONDS, changed, health, health_log, shown, silence
from tests.support.unchanged import unchanged


def task(worker):
    """The id of the worker's task."""
    return worker.context["taskId"]


def beat_event(worker, heartbeat_seq=1):
    """A beat as an event."""
    body = {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": heartbeat_seq}
    return {**body, "executionHandle": worker.context["executionHandle"]} if worker.handle else body


def by_beat(worker):
    assert verdicts(beat(worker)) == ["ACCEPTED"]


def by_event(worker):
    worker.send(beat_event(worker)).accepted()


def by_progress(worker):
    assert worker.progress()["reason"] is None


def by_end(worker):
    worker.completed()


SIGNS = [by_beat, by_event, by_progress, by_end]


@pytest.mark.accepts("H04")
@pytest.mark.parametrize("sign_of_life", SIGNS)
@pytest.mark.parametrize("handle", [False, True], ids=["token", "handle"])
def test_a_sign_of_life_makes_healthy_once(silent, sign_of_life, handle):
    """By one version with the notice TASK_RECOVERED; a beat's is an event of its own, a report's is the report."""
    worker = Worker(silent.context, handle=handle, source_seq=silent.source_seq)
    before = shown(silent)[0]
    sign_of_life(worker)
    after, step = shown(silent)
    assert int(after["version"]) == int(before["version"]) + 1
    assert health(silent) == ("HEALTHY", None)
    assert step["staleSince"] is None
    assert [notice["type"] for notice in notices(task(silent))][:2] == ["TASK_STALE", "TASK_RECOVERED"]
    assert len(health_log(silent)) == (2 if sign_of_life in (by_beat, by_event) else 1)
    assert changed() == 0


@pytest.mark.accepts("H04")
def test_the_answer_to_the_beat_says_healthy_and_until_when(silent):
    """While it was STALE there was no end to its lease; the beat gives it one, and the owner sees when it was heard."""
    assert ExecutionLease.objects.get().deadline_at is None
    (item,) = results(beat(silent, 3))
    lease, step = ExecutionLease.objects.get(), shown(silent)[1]
    assert (item["health"], item["nextIntervalSeconds"], lease.heartbeat_seq) == ("HEALTHY", 15, 3)
    assert lease.deadline_at == lease.last_heartbeat_at + timedelta(seconds=TIMEOUT_SECONDS)
    assert abs(parse_rfc3339(item["leaseUntil"]) - lease.deadline_at) < timedelta(milliseconds=1)
    assert abs(parse_rfc3339(step["lastHeartbeatAt"]) - lease.last_heartbeat_at) < timedelta(milliseconds=1)


@pytest.mark.accepts("H04")
def test_users_are_told_of_the_recovery(silent):
    """On both channels, under one version; the event is the reconciler's."""
    by_beat(silent)
    summary, detail = messages("task.summary", task(silent))[-1], messages("task.detail", task(silent))[-1]
    assert summary["taskVersion"] == detail["taskVersion"] == str(health_log(silent)[-1].task_version)
    assert (summary["notice"]["type"], summary["notice"]["level"]) == ("TASK_RECOVERED", "INFO")
    assert (summary["task"]["health"], summary["task"]["healthReason"]) == ("HEALTHY", None)
    assert (detail["state"]["steps"][0]["health"], detail["triggerEvent"]["producerId"]) == ("HEALTHY", RECONCILER)


@pytest.mark.accepts("H04")
def test_the_same_and_lower_numbers_make_nothing_healthy(carol):
    """Number 5 was heard before the silence: 5 again is a duplicate, 4 is stale, by either way; 6 is a sign of life."""
    worker = carol.running()
    assert verdicts(beat(worker, 5)) == ["ACCEPTED"]
    silence()
    assert changed() == 1
    with unchanged():
        assert verdicts(beat(worker, 5), beat(worker, 4)) == ["DUPLICATE", "STALE_SEQUENCE"]
        assert worker.send(beat_event(worker, 5)).accepted()["duplicate"] is True
        worker.send(beat_event(worker, 4)).stale("STALE_SEQUENCE")
        worker.send({**worker.progress_event(), "sourceSeq": 1}).stale("STALE_SEQUENCE")
    assert health(worker) == ("STALE", "NO_HEARTBEAT")
    assert verdicts(beat(worker, 6), beat(worker, 6), beat(worker, 5)) == ["ACCEPTED", "DUPLICATE", "STALE_SEQUENCE"]
    assert health(worker) == ("HEALTHY", None)
    assert len(health_log(worker)) == 2


@pytest.mark.accepts("H04")
def test_what_many_beats_in_one_request_say_of_silent_executions_is_one_version_each(carol):
    """Numbers are compared within the request; every execution comes back once, beside others that never left."""
    workers = [carol.running() for _ in range(4)]
    silence(*workers[:3])
    assert changed() == 3
    beats = [beat(workers[place], number) for number in (1, 3, 3, 2) for place in range(4)]
    assert verdicts(*beats) == ["ACCEPTED"] * 8 + ["DUPLICATE"] * 4 + ["STALE_SEQUENCE"] * 4
    assert {lease.heartbeat_seq for lease in ExecutionLease.objects.all()} == {3}
    assert [len(health_log(worker)) for worker in workers] == [2, 2, 2, 0]
    assert {health(worker) for worker in workers} == {("HEALTHY", None)}


@pytest.mark.accepts("H04")
def test_nobody_else_makes_a_silent_execution_healthy(silent):
    """Foreign, forged and unfit credentials prove no life."""
    other = service_api("worker-b", "worker")
    forged = [
        beat(silent, executionToken="no-token"),
        beat(silent, stepAttempt=2),
        beat(silent, executionId="exe_none"),
    ]
    with unchanged():
        assert set(verdicts(*forged)) == {"TOKEN_INVALID", "STALE_ATTEMPT", "EXECUTION_NOT_FOUND"}
        assert verdicts(beat(silent), api=other) == ["PRODUCER_MISMATCH"]
        assert verdicts(beat(silent), api=service_api("worker-a", "worker", tenant="umbrella")) == ["TOKEN_INVALID"]
    assert health(silent) == ("STALE", "NO_HEARTBEAT")


@pytest.mark.accepts("H04")
def test_silence_may_come_and_go_again_and_again(carol):
    """Each time it is told of once, and its end is."""
    worker = carol.running()
    for number in range(1, 4):
        silence()
        assert (changed(), changed()) == (1, 0)
        assert verdicts(beat(worker, number)) == ["ACCEPTED"]
        assert changed() == 0
    assert [event.health for event in health_log(worker)] == ["STALE", "HEALTHY"] * 3
    assert [notice["type"] for notice in notices(task(worker))] == ["TASK_STALE", "TASK_RECOVERED"] * 3
