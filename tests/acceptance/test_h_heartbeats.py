"""H01, H02, H09: a beat renews its execution's lease and nothing else, and its answer is a control channel."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from taskstatus.domain.timestamps import parse_rfc3339
from taskstatus.models import ExecutionHandle, ExecutionLease, Step, Task
from taskstatus.services.revoke_credentials import revoke_credentials
from tests.support.api import fresh, service_api
from tests.support.beats import beat, results, send, verdicts
from tests.support.cast import Worker, step_body
from tests.support.resigned import resigned
from tests.support.unchanged import stored, unchanged

LEASES = "task_execution_lease"


def lease(worker):
    """The lease of the worker's execution."""
    return ExecutionLease.objects.get(pk=worker.context["executionId"])


def age(worker, seconds):
    """Let the last sign of life, and with it the deadline, be so many seconds older."""
    row = lease(worker)
    older = {name: getattr(row, name) - timedelta(seconds=seconds) for name in ("last_heartbeat_at", "deadline_at")}
    ExecutionLease.objects.filter(pk=row.pk).update(**older)


@pytest.mark.accepts("H01")
@pytest.mark.parametrize("handle", [False, True], ids=["token", "handle"])
def test_a_beat_renews_its_lease_and_changes_nothing_else(carol, handle):
    """Of all tables the beat changes the lease, and in it number, moment and deadline."""
    worker = carol.running()
    worker.handle = handle
    age(worker, 30)
    before = stored()
    assert verdicts(beat(worker, 5, observedAt="2026-09-21T09:10:45.120+02:00")) == ["ACCEPTED"]
    after = stored()
    assert [table for table in before if before[table] != after[table]] == [LEASES]
    ((old,), (new,)) = before[LEASES], after[LEASES]
    assert new["heartbeat_seq"] == 5
    assert new["last_heartbeat_at"] > old["last_heartbeat_at"]
    assert new["deadline_at"] == new["last_heartbeat_at"] + timedelta(seconds=60)


@pytest.mark.accepts("H09")
def test_the_answer_says_until_when_and_how_often_and_whether_to_stop(carol):
    """The reply carries leaseUntil, nextIntervalSeconds, cancelRequested and superseded, by the time of receipt."""
    worker = carol.running()
    age(worker, 30)
    answer = send(beat(worker))
    received = parse_rfc3339(answer["receivedAt"])
    assert answer["results"] == [
        {
            "executionId": worker.context["executionId"],
            "accepted": True,
            "duplicate": False,
            "health": "HEALTHY",
            "reason": None,
            "leaseUntil": answer["results"][0]["leaseUntil"],
            "nextIntervalSeconds": 15,
            "cancelRequested": False,
            "superseded": False,
        }
    ]
    assert parse_rfc3339(answer["results"][0]["leaseUntil"]) == received + timedelta(seconds=60)
    assert answer["epoch"] == worker.context["epoch"]


@pytest.mark.accepts("H09")
def test_a_worker_hears_that_cancelling_was_asked_for_and_how_its_execution_is_seen(carol):
    """A wish to cancel and the health that others see reach the worker with its next beat, which still counts."""
    worker = carol.running()
    Task.objects.update(cancel_requested_at=Now())
    Step.objects.update(health="DEGRADED", health_reason="OVER_TIME")
    (item,) = results(beat(worker))
    assert (item["accepted"], item["cancelRequested"], item["health"]) == (True, True, "DEGRADED")


@pytest.mark.accepts("H09")
def test_the_superseded_hears_that_it_was_and_nothing_to_beat_for(carol):
    """An execution whose place was taken is told so; the one that took it is renewed."""
    old = carol.running()
    new = carol.worker(old.context["taskId"], supersede=True)
    new.started()
    late, current = results(beat(old), beat(new))
    assert (late["reason"], late["superseded"]) == ("STALE_EXECUTION", True)
    assert late["leaseUntil"] is late["nextIntervalSeconds"] is None
    assert (current["accepted"], current["superseded"]) == (True, False)


@pytest.mark.accepts("H02")
def test_old_attempts_ended_steps_and_ended_tasks_are_not_renewed(carol):
    """Each of them is refused by its own reason, and so is what has not begun."""
    superseded, ended, retried, of_ended_task = (carol.running() for _ in range(4))
    carol.worker(superseded.context["taskId"], supersede=True)
    ended.completed()
    for worker in (retried, of_ended_task):
        carol.end(worker.context["taskId"], "TASK_FAILED")
    again = {"eventId": fresh(), "reason": "again"}
    carol.api.post(f"/tasks/{retried.context['taskId']}:retry", again).ok()
    waiting = carol.worker(carol.task(step_body())["taskId"])
    workers = [superseded, ended, retried, of_ended_task, waiting]
    reasons = ["STALE_EXECUTION", "TERMINAL_STATE", "STALE_ATTEMPT", "TERMINAL_STATE", "NOT_RUNNING"]
    with unchanged():
        assert verdicts(*map(beat, workers)) == reasons


@pytest.mark.accepts("H02")
def test_numbers_are_compared_within_a_batch_too(carol):
    """One execution that beats many times in one request is judged beat by beat, up to the largest number."""
    worker = carol.running()
    numbers = [3, 3, 2, 2**63 - 1, 4, 2**63 - 1]
    verdict = ["ACCEPTED", "DUPLICATE", "STALE_SEQUENCE", "ACCEPTED", "STALE_SEQUENCE", "DUPLICATE"]
    assert verdicts(*(beat(worker, number) for number in numbers)) == verdict
    assert lease(worker).heartbeat_seq == 2**63 - 1


@pytest.mark.accepts("H02")
def test_a_lower_number_and_the_same_again_renew_nothing(carol):
    """The same number is a duplicate that counted, a lower one is stale; both hear how the lease stands."""
    worker = carol.running()
    first = send(beat(worker, 7))["results"][0]
    with unchanged():
        same, lower = results(beat(worker, 7), beat(worker, 6))
    assert same == {**first, "duplicate": True}
    assert lower == {**first, "accepted": False, "reason": "STALE_SEQUENCE"}


@pytest.mark.accepts("H02")
def test_reports_and_beats_share_one_count(carol):
    """A beat that was sent as an event and one of a batch are numbered in one row."""
    worker = carol.running()
    body = {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 4}
    worker.send(body).accepted()
    assert verdicts(beat(worker, 3), beat(worker, 4), beat(worker, 5)) == ["STALE_SEQUENCE", "DUPLICATE", "ACCEPTED"]
    worker.send({**body, "eventId": fresh()}).stale("STALE_SEQUENCE")


@pytest.mark.accepts("H02")
def test_the_context_has_to_be_the_executions_own(carol):
    """Another execution, task, step or attempt than the credential proves is refused, and told nothing."""
    worker, other = carol.running(), carol.running()
    theirs = other.context["executionId"]
    with unchanged():
        wrong = [{"executionId": theirs}, {"executionId": "exe_none"}, {"taskId": other.context["taskId"]}]
        wrong += [{"stepId": "s2"}, {"stepAttempt": 2}]
        reasons = ["EXECUTION_NOT_FOUND"] * 4 + ["STALE_ATTEMPT"]
        refused = results(*(beat(worker, **members) for members in wrong))
        assert [item["reason"] for item in refused] == reasons
    assert all(item["health"] is item["leaseUntil"] is item["cancelRequested"] is None for item in refused)
    own = {"taskId": worker.context["taskId"], "stepId": "s1", "stepAttempt": 1}
    assert verdicts(beat(worker, **own)) == ["ACCEPTED"]


@pytest.mark.accepts("H02", "S07")
def test_a_credential_that_proves_nothing_renews_nothing(carol, settings):
    """Forged, foreign, unknown and expired tokens and handles are refused by name."""
    worker = carol.running()
    token, handle = worker.context["executionToken"], worker.context["executionHandle"]
    expired = resigned(token, settings.EXECUTION_TOKEN_KEYS[0][1], exp=1_000_000_000)
    beats = [beat(worker, executionToken=proof) for proof in ("no-token", resigned(token), expired)]
    worker.handle = True
    beats.append(beat(worker, executionHandle=handle[:-1] + ("A" if handle[-1] != "A" else "B")))
    with unchanged():
        assert verdicts(*beats) == ["TOKEN_INVALID", "TOKEN_INVALID", "TOKEN_EXPIRED", "TOKEN_INVALID"]
    ExecutionHandle.objects.update(expires_at=Now() - timedelta(seconds=1))
    with unchanged():
        assert verdicts(beat(worker)) == ["HANDLE_EXPIRED"]


@pytest.mark.accepts("H02")
@pytest.mark.parametrize("handle", [False, True], ids=["token", "handle"])
def test_a_revoked_credential_renews_nothing_and_a_renewed_one_does(carol, handle):
    """A credential of an older generation is worth nothing, also while its execution runs."""
    worker = carol.running()
    worker.handle = handle
    execution = worker.context["executionId"]
    revoke_credentials(execution, "operator")
    with unchanged():
        assert verdicts(beat(worker)) == ["TOKEN_INVALID"]
    worker.context |= service_api("worker-a", "worker").post(f"/executions/{execution}:renew").ok()
    assert verdicts(beat(worker)) == ["ACCEPTED"]


@pytest.mark.accepts("H02")
@pytest.mark.parametrize("stranger", [{"tenant": "umbrella"}, {"scope": "billing"}], ids=["tenant", "scope"])
def test_another_tenant_or_scope_gets_nothing_out_of_a_stolen_credential(carol, stranger):
    """Where tenant or scope differ, the answer tells of the execution what it would tell of none."""
    worker = carol.running()
    by_handle = Worker(worker.context, handle=True)
    thief = service_api("worker-a", "worker", **stranger)
    with unchanged():
        items = results(beat(worker), beat(by_handle), api=thief)
    known = {"executionId": worker.context["executionId"], "accepted": False, "duplicate": False}
    nothing = dict.fromkeys(("health", "leaseUntil", "nextIntervalSeconds", "cancelRequested", "superseded"))
    assert items == [{**known, "reason": "TOKEN_INVALID", **nothing}] * 2


@pytest.mark.accepts("H02")
def test_a_refusal_concerns_no_other_beat(carol):
    """Good beats count beside bad ones, each answered in its place."""
    workers = [carol.running() for _ in range(3)]
    workers[1].completed()
    unproven = beat(workers[0], executionToken="no-token")
    reasons = ["ACCEPTED", "TERMINAL_STATE", "ACCEPTED", "TOKEN_INVALID"]
    assert verdicts(*map(beat, workers), unproven) == reasons


@pytest.mark.accepts("H01")
def test_the_deadline_is_moved_once_in_half_an_interval_and_the_number_always(carol):
    """The interval is 600 s: a deadline that lags by less than 300 s stays as it is, and the beat counts in full."""
    step = step_body(heartbeatIntervalSeconds=600, heartbeatTimeoutSeconds=1800)
    worker = carol.worker(carol.task(step)["taskId"])
    worker.started()
    age(worker, 5)
    before = lease(worker)
    answer = send(beat(worker, 1))
    (item,) = answer["results"]
    after = lease(worker)
    assert (after.heartbeat_seq, after.deadline_at) == (1, before.deadline_at)
    assert after.last_heartbeat_at > before.last_heartbeat_at
    assert parse_rfc3339(item["leaseUntil"]) == parse_rfc3339(answer["receivedAt"]) + timedelta(seconds=1800)
    assert results(beat(worker, 1)) == [{**item, "duplicate": True}]
    age(worker, 3600)
    (item,) = results(beat(worker, 2))
    assert lease(worker).deadline_at > before.deadline_at
    assert parse_rfc3339(item["leaseUntil"]) <= lease(worker).deadline_at


@pytest.mark.accepts("H01")
def test_each_lease_of_a_batch_keeps_to_its_own_agreement(carol):
    """Executions with different timeouts beat together, and each is believed for as long as was agreed."""
    agreed = [(15, 60), (600, 1800), (15, 90), (600, 1800), (15, 60)]
    workers = [with_agreement(carol, *seconds) for seconds in agreed]
    for worker in workers:
        age(worker, 1200)
    answer = send(*map(beat, workers))
    received = parse_rfc3339(answer["receivedAt"])
    until = [parse_rfc3339(item["leaseUntil"]) for item in answer["results"]]
    assert until == [received + timedelta(seconds=timeout) for _, timeout in agreed]
    leases = [lease(worker) for worker in workers]
    stored_until = [row.deadline_at - row.last_heartbeat_at for row in leases]
    assert stored_until == [timedelta(seconds=timeout) for _, timeout in agreed]


def with_agreement(carol, interval, timeout):
    """A worker that runs, and whose lease is as long as its step was planned with."""
    step = step_body(heartbeatIntervalSeconds=interval, heartbeatTimeoutSeconds=timeout)
    worker = carol.worker(carol.task(step)["taskId"])
    worker.started()
    return worker
