"""S07: beats and health reports are authenticated and limited per producer, and their violations are audited."""

import logging

import pytest
from limits import parse

from taskstatus.identity.minting import mint_user
from taskstatus.models import AuditEntry, RefusedReport
from tests.support.api import Api, fresh, service_api
from tests.support.beats import PATH, beat, send, verdicts
from tests.support.cast import Worker, step_body
from tests.support.resigned import resigned
from tests.support.unchanged import unchanged

EVENTS = "/task-events"


def says_stale(worker, seq=1, **members):
    """A health reporter's word that the worker is silent."""
    about = {"executionId": worker.context["executionId"], "sourceSeq": seq, "health": "STALE"}
    return {"eventId": fresh(), "eventType": "STEP_HEALTH_CHANGED", **about, **members}


def audited(actor):
    return list(AuditEntry.objects.filter(actor=actor).order_by("pk").values_list("outcome", "action"))


@pytest.fixture
def nurse():
    """A health reporter of its own name."""
    return service_api(fresh("nurse"), "health")


@pytest.mark.accepts("S07")
def test_only_a_proven_health_reporter_speaks_of_health(carol, settings, nurse):
    """No token, a forged, expired or user's one, an execution's own, another role: refused, and nothing changes."""
    worker = carol.running()
    body = says_stale(worker)
    user = mint_user(tenant="acme", user_id="alice", projects=[], roles=[], ttl_seconds=60)
    unproven = {
        None: "TOKEN_MISSING",
        resigned(nurse.token): "TOKEN_INVALID",
        resigned(nurse.token, settings.SERVICE_TOKEN_SECRET, exp=1_000_000_000): "TOKEN_EXPIRED",
        user: "TOKEN_INVALID",
    }
    with unchanged():
        for token, code in unproven.items():
            Api(token).post(EVENTS, body).refused(401, code)
        worker.api.post(EVENTS, body).refused(403, "EVENT_TYPE_NOT_ALLOWED")
        for role in ("business", "coordinator", "operator", "platform"):
            service_api("doctor", role).post(EVENTS, body).refused(403, "ROLE_REQUIRED")
    nurse.post(EVENTS, body).accepted()


@pytest.mark.accepts("S07")
def test_a_worker_declares_neither_itself_nor_others_silent(carol):
    """By handle as by token: its violation stands in the audit and in the task's ledger."""
    worker = Worker(carol.running().context, handle=True)
    own = {**says_stale(worker), "executionHandle": worker.context["executionHandle"]}
    with unchanged():
        worker.send(own).refused(403, "EVENT_TYPE_NOT_ALLOWED")
        worker.send(says_stale(worker)).refused(401, "TOKEN_MISSING")
    assert audited("worker-a") == [("EVENT_TYPE_NOT_ALLOWED", "POST /internal/v1/task-events")]
    assert RefusedReport.objects.get(task_id=worker.context["taskId"]).code == "EVENT_TYPE_NOT_ALLOWED"


@pytest.mark.accepts("S07", "S05")
def test_a_health_reporter_reaches_its_own_tenant_and_scope_and_nothing_but_health(carol, nurse):
    """Elsewhere there is no such execution, and no other event is its to send."""
    worker = carol.running()
    with unchanged():
        for other in ({"tenant": "umbrella"}, {"scope": "billing"}):
            service_api("nurse", "health", **other).post(EVENTS, says_stale(worker)).refused(404, "EXECUTION_NOT_FOUND")
        nurse.post(EVENTS, says_stale(worker, producerId="worker-a")).refused(403, "PRODUCER_MISMATCH")
        body = {
            "eventId": fresh(),
            "eventType": "STEP_COMPLETED",
            "sourceSeq": 2,
            "executionId": worker.context["executionId"],
        }
        nurse.post(EVENTS, body).refused(403, "ROLE_REQUIRED")
        nurse.post(PATH, {"heartbeats": [beat(worker)]}).refused(403, "ROLE_REQUIRED")
        for event_type in ("TASK_COMPLETED", "TASK_CANCELLED"):
            body = {"eventId": fresh(), "eventType": event_type, "taskId": worker.context["taskId"], "taskAttempt": 1}
            nurse.post(EVENTS, body).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_health_reports_are_limited_per_producer_and_a_batch_counts_as_many_as_it_has(carol, settings, nurse):
    """A loud reporter is told when to come again; others, and the worker itself, go on."""
    worker = carol.worker(carol.task(step_body())["taskId"], producerId=fresh("worker"))
    worker.started()
    settings.RATE_LIMIT_REPORTS = parse("3/minute")
    batch = {"events": [says_stale(worker, seq) for seq in (1, 2)]}
    assert [result["accepted"] for result in nurse.post(f"{EVENTS}:batch", batch).ok()["results"]] == [True, True]
    with unchanged():
        answer = nurse.post(f"{EVENTS}:batch", {"events": [says_stale(worker, seq) for seq in (3, 4)]})
        assert answer.refused(429, "RATE_LIMITED")["retryable"] is True
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    nurse.post(EVENTS, says_stale(worker, 5)).accepted()
    nurse.post(EVENTS, says_stale(worker, 6)).refused(429, "RATE_LIMITED")
    service_api(fresh("nurse"), "health").post(EVENTS, says_stale(worker)).accepted()
    worker.progress()


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_a_single_beat_among_the_events_counts_as_a_report(carol, settings):
    """STEP_HEARTBEAT is no way around the limit of reports, nor the batch of beats around its own."""
    worker = carol.worker(carol.task(step_body())["taskId"], producerId=fresh("beater"))
    worker.started()
    settings.RATE_LIMIT_REPORTS, settings.RATE_LIMIT_HEARTBEATS = parse("1/minute"), parse("1/minute")
    worker.api.post(EVENTS, {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1}).accepted()
    with unchanged():
        worker.api.post(EVENTS, {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 2}).refused(
            429, "RATE_LIMITED"
        )
    api = service_api(worker.context["producerId"], "worker")
    assert verdicts(beat(worker, 3), api=api) == ["ACCEPTED"]
    with unchanged():
        api.post(PATH, {"heartbeats": [beat(worker, 4)]}).refused(429, "RATE_LIMITED")


@pytest.mark.accepts("S07")
def test_a_stolen_beat_is_audited_and_the_thiefs_own_go_on(carol):
    """One violation in a batch takes nothing from the others, and is kept once, without any credential."""
    own = carol.worker(carol.task(step_body())["taskId"], producerId="thief")
    own.started()
    victim = carol.running()
    thief = service_api("thief", "worker")
    outcome = verdicts(beat(victim), beat(own), beat(victim, 2), api=thief)
    assert outcome == ["PRODUCER_MISMATCH", "ACCEPTED", "PRODUCER_MISMATCH"]
    assert audited("thief") == [("PRODUCER_MISMATCH", f"POST /internal/v1{PATH}")]


@pytest.mark.accepts("S07")
def test_violations_of_health_reporters_are_audited_and_logged_without_secrets(carol, caplog, nurse):
    """One by one and in batches; neither token nor handle nor payload is kept."""
    worker = carol.running()
    spoofed = says_stale(worker, producerId="worker-a", message="my secret")
    with caplog.at_level(logging.DEBUG):
        nurse.post(EVENTS, spoofed).refused(403, "PRODUCER_MISMATCH")
        batch = nurse.post(f"{EVENTS}:batch", {"events": [spoofed, says_stale(worker)]}).ok()
        send(beat(worker), api=service_api("worker-a", "worker"))
    assert [item["accepted"] for item in batch["results"]] == [False, True]
    (actor,) = set(AuditEntry.objects.exclude(actor="worker-a").values_list("actor", flat=True))
    paths = [f"POST /internal/v1{EVENTS}", f"POST /internal/v1{EVENTS}:batch"]
    assert audited(actor) == [("PRODUCER_MISMATCH", path) for path in paths]
    told = caplog.text + repr([vars(record) for record in caplog.records]) + repr(list(AuditEntry.objects.values()))
    for secret in (nurse.token, worker.context["executionHandle"], worker.context["executionToken"], "my secret"):
        assert secret not in told
