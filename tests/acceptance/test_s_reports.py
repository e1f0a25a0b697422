"""S07: reports are authenticated and rate-limited per producer, and violations are audited."""

import logging

import pytest
from limits import parse

from taskstatus.identity.minting import mint_user
from taskstatus.models import AuditEntry, RefusedReport, Task
from tests.support.api import Api, fresh, service_api
from tests.support.cast import step_body
from tests.support.resigned import resigned
from tests.support.unchanged import unchanged

BEAT = {"eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1}


@pytest.mark.accepts("S07")
def test_nothing_is_taken_without_a_proven_caller(carol, settings):
    """No token, a broken, forged, unsigned, expired or user's one: each is refused, and changes nothing."""
    worker = carol.running()
    good = carol.api.token
    user = mint_user(tenant="acme", user_id="alice", projects=[], roles=[], ttl_seconds=60)
    refusals = {
        None: "TOKEN_MISSING",
        "": "TOKEN_INVALID",
        "no-token": "TOKEN_INVALID",
        resigned(good): "TOKEN_INVALID",
        resigned(worker.context["executionToken"]): "TOKEN_INVALID",
        resigned(worker.context["executionToken"], settings.SERVICE_TOKEN_SECRET): "TOKEN_INVALID",
        resigned(good, "", "none"): "TOKEN_INVALID",
        user: "TOKEN_INVALID",
        resigned(good, settings.SERVICE_TOKEN_SECRET, exp=1_000_000_000): "TOKEN_EXPIRED",
    }
    event = {**worker.event("STEP_COMPLETED"), "executionHandle": worker.context["executionHandle"]}
    with unchanged():
        for token, code in refusals.items():
            for path, body in (("/task-events", event), ("/task-events:batch", {"events": [event]})):
                answer = Api(token).post(path, body)
                answer.refused(401, code)
                assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            Api(token).get(f"/tasks/{worker.context['taskId']}").refused(401, code)


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_reports_are_limited_per_producer(carol, settings):
    """Beyond its limit a producer is told when to come again; others, and its other kinds of calls, go on."""
    task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
    loud, quiet = fresh("loud"), fresh("quiet")
    worker, other = carol.worker(task_id, "s1", producerId=loud), carol.worker(task_id, "s2", producerId=quiet)
    settings.RATE_LIMIT_REPORTS = parse("2/minute")
    worker.started()
    worker.progress()
    with unchanged():
        answer = worker.report("STEP_COMPLETED")
        problem = answer.refused(429, "RATE_LIMITED")
        by_service = service_api(loud, "worker").post("/task-events", worker.event("STEP_COMPLETED"))
        by_service.refused(429, "RATE_LIMITED")
    assert problem["retryable"] is True
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    other.started()
    service_api(loud, "worker").post(f"/executions/{worker.context['executionId']}:renew").ok()


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_a_batch_counts_as_many_reports_as_it_has(carol, settings):
    """Batching is no way around the limit."""
    worker = carol.worker(carol.task(step_body())["taskId"], producerId=fresh("batcher"))
    settings.RATE_LIMIT_REPORTS = parse("3/minute")
    events = [{"eventId": fresh(), **BEAT} for _ in range(2)]
    worker.api.post("/task-events:batch", {"events": events}).ok()
    with unchanged():
        worker.api.post("/task-events:batch", {"events": events}).refused(429, "RATE_LIMITED")


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_registrations_are_limited_too(carol, settings):
    """Activating and registering count together, per calling service."""
    settings.RATE_LIMIT_REGISTRATIONS = parse("1/minute")
    task_id = carol.task(step_body())["taskId"]
    busy = service_api(fresh("busy"), "coordinator")
    busy.post(f"/tasks/{task_id}/steps/s1:activate", {"producerId": "worker-a"}).ok()
    with unchanged():
        child = {"clientStepKey": fresh(), "operationCode": "OPS.RUN", "producerId": "worker-a"}
        busy.post(f"/tasks/{task_id}/executions:register", child).refused(429, "RATE_LIMITED")


@pytest.mark.accepts("S07")
def test_violations_are_audited_and_logged_without_secrets(carol, caplog):
    """Who did what he may not do stands in the audit and the log; no token, handle or payload does."""
    worker = carol.running()
    thief = service_api("thief", "worker")
    stolen = {
        **worker.event("STEP_COMPLETED", message="my secret"),
        "executionHandle": worker.context["executionHandle"],
    }
    with caplog.at_level(logging.DEBUG):
        thief.post("/task-events", stolen).refused(403, "PRODUCER_MISMATCH")
        thief.post(f"/executions/{worker.context['executionId']}:renew").refused(403, "PRODUCER_MISMATCH")
        thief.post("/workflows", {"clientWorkflowKey": "k", "ownerId": "o", "title": "T"}).refused(403, "ROLE_REQUIRED")
        batch = thief.post("/task-events:batch", {"events": [stolen]}).ok()
        assert batch["results"][0]["error"]["code"] == "PRODUCER_MISMATCH"
    entries = list(AuditEntry.objects.filter(actor="thief").order_by("pk"))
    codes = ["PRODUCER_MISMATCH", "PRODUCER_MISMATCH", "ROLE_REQUIRED", "PRODUCER_MISMATCH"]
    assert [(e.tenant_id, e.authority_scope, e.outcome) for e in entries] == [
        ("acme", "content-platform", code) for code in codes
    ]
    told = caplog.text + repr([vars(record) for record in caplog.records]) + repr([vars(entry) for entry in entries])
    assert told.count("violation: PRODUCER_MISMATCH") >= 3
    for secret in (thief.token, worker.context["executionHandle"], worker.context["executionToken"], "my secret"):
        assert secret not in told


@pytest.mark.accepts("S07")
def test_a_task_remembers_its_latest_refusals(carol):
    """Refused reports are kept for whoever asks why a task stands still: the latest 200, and how many there were."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    worker.report("STEP_STARTED").refused(409, "ILLEGAL_TRANSITION")
    kept = RefusedReport.objects.get(task_id=task_id)
    assert (kept.code, kept.event_type, kept.producer_id) == ("ILLEGAL_TRANSITION", "STEP_STARTED", "worker-a")
    events = [worker.event("STEP_STARTED") for _ in range(RefusedReport.CAPACITY + 5)]
    worker.api.post("/task-events:batch", {"events": events}).ok()
    rows = RefusedReport.objects.filter(task_id=task_id)
    assert rows.count() == RefusedReport.CAPACITY
    assert set(rows.values_list("event_id", flat=True)) == {e["eventId"] for e in events[5:]}
    assert Task.objects.get(pk=task_id).refusal_count == len(events) + 1
