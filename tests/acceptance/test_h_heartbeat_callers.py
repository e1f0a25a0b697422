"""Who may send heartbeats, how many at once, and how often (protocol 4.4, S07)."""

import gzip
import json

import pytest
from limits import parse

from taskstatus.models import AuditEntry
from tests.support.api import Api, fresh, service_api
from tests.support.beats import PATH, beat, send, verdicts
from tests.support.cast import Worker, step_body
from tests.support.unchanged import unchanged


@pytest.mark.accepts("S07")
def test_only_a_worker_with_a_service_token_sends_beats(carol):
    """No token, an execution token, or another role: refused, and nothing changes."""
    worker = carol.running()
    body = {"heartbeats": [beat(worker)]}
    with unchanged():
        Api(None).post(PATH, body).refused(401, "TOKEN_MISSING")
        worker.api.post(PATH, body).refused(401, "TOKEN_INVALID")
        for role in ("business", "coordinator", "health", "operator", "platform"):
            service_api("worker-a", role).post(PATH, body).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("S05")
@pytest.mark.parametrize("claim", [{"authorityScope": "billing"}, {"tenantId": "umbrella"}], ids=["scope", "tenant"])
def test_the_body_names_no_other_scope_or_tenant(carol, claim):
    """What the credential proves may be repeated and not replaced."""
    worker, api = carol.running(), service_api("worker-a", "worker")
    body = {"heartbeats": [beat(worker)]}
    with unchanged():
        api.post(PATH, {**body, **claim}).refused(403, "SCOPE_MISMATCH")
    own = {"tenantId": "acme", "authorityScope": "content-platform"}
    assert api.post(PATH, {**body, **own}).ok()["results"][0]["accepted"]


@pytest.mark.accepts("S07")
def test_another_producers_credential_is_refused_and_audited_once(carol):
    """A producer that beats with stolen credentials is refused, and stands in the audit once a request."""
    worker = carol.running()
    by_handle = Worker(worker.context, handle=True)
    thief = service_api("thief", "worker")
    with unchanged():
        assert verdicts(beat(worker), beat(by_handle), api=thief) == ["PRODUCER_MISMATCH"] * 2
    (entry,) = AuditEntry.objects.filter(actor="thief")
    assert (entry.outcome, entry.action) == ("PRODUCER_MISMATCH", "POST /internal/v1/task-heartbeats:batch")


@pytest.mark.accepts("S07")
@pytest.mark.usefixtures("rate_clock")
def test_beats_are_limited_per_producer_and_a_batch_counts_as_many_as_it_has(carol, settings):
    """Beats have a limit of their own, which neither batching nor reports get around or use up."""
    producer = fresh("beater")
    worker = carol.worker(carol.task(step_body())["taskId"], producerId=producer)
    worker.started()
    settings.RATE_LIMIT_HEARTBEATS = parse("3/minute")
    api = service_api(producer, "worker")
    send(beat(worker, 1), beat(worker, 2), api=api)
    with unchanged():
        answer = api.post(PATH, {"heartbeats": [beat(worker, 3), beat(worker, 4)]})
        assert answer.refused(429, "RATE_LIMITED")["retryable"] is True
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    worker.progress()
    assert verdicts(beat(worker, 3), api=api) == ["ACCEPTED"]


@pytest.mark.accepts("S12")
@pytest.mark.parametrize(("count", "status"), [(0, 400), (1, 200), (1000, 200), (1001, 413)])
def test_a_batch_has_one_to_a_thousand_beats(carol, count, status):
    """The bounds of a batch, packed by gzip."""
    worker = carol.running()
    packed = gzip.compress(json.dumps({"heartbeats": [beat(worker, n + 1) for n in range(count)]}).encode())
    api = service_api("worker-a", "worker")
    answer = api.call("POST", PATH, raw=packed, headers={"Content-Encoding": "gzip"})
    assert answer.status == status, answer.body
    if status == 200:
        assert [item["accepted"] for item in answer.body["results"]] == [True] * count
    else:
        assert answer.code == {400: "INVALID_FIELD", 413: "BATCH_TOO_LARGE"}[status]


@pytest.mark.accepts("S12")
@pytest.mark.parametrize("sent", [("executionToken", "executionHandle"), ()], ids=["both", "neither"])
def test_a_beat_is_proven_by_exactly_one_of_token_and_handle(carol, sent):
    """Both and neither are wrong members, named by their pointer."""
    worker = carol.running()
    proofs = {name: worker.context[name] if name in sent else None for name in ("executionToken", "executionHandle")}
    body = {"heartbeats": [beat(worker), beat(worker, 2, **proofs)]}
    with unchanged():
        problem = service_api("worker-a", "worker").post(PATH, body).refused(400, "INVALID_FIELD")
    pointer = "/heartbeats/1/" + (sent or ("executionToken",))[-1]
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
