"""C12: a handle or token that no longer counts opens nothing."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from taskstatus.services.revoke_credentials import revoke_credentials
from tests.support.api import Api, fresh, service_api
from tests.support.cast import Worker, step_body
from tests.support.unchanged import stored, unchanged

POLICY = {"allowedParentOperations": ["*"], "allowedChildOperations": ["*"]}
EXPIRED = timedelta(seconds=-1)


@pytest.fixture
def hands(carol):
    """One running execution in two hands: reporting by token and by handle."""
    by_token = carol.running(dynamicRegistrationPolicy=POLICY)
    return by_token, Worker(by_token.context, handle=True, source_seq=1)


def renewed(worker, api=None):
    """The worker with the credentials that `:renew` gives."""
    api = api or service_api(worker.context["producerId"], "worker")
    fresh_ones = api.post(f"/executions/{worker.context['executionId']}:renew").ok()
    return Worker({**worker.context, **fresh_ones}, worker.handle, worker.source_seq, worker.progress_seq)


@pytest.mark.accepts("C12")
def test_an_expired_handle_is_refused_even_for_what_was_accepted(carol, settings):
    """After its time a handle answers nothing; the receipt is still to be read, and renewing helps."""
    task_id = carol.task(step_body())["taskId"]
    worker = carol.worker(task_id, handle=True)
    body = worker.event("STEP_STARTED")
    first = worker.send(body).ok()
    settings.EXECUTION_HANDLE_TTL = EXPIRED
    late = Worker(renewed(worker).context, handle=True, source_seq=1)
    with unchanged():
        late.send({**body, "executionHandle": late.context["executionHandle"]}).refused(401, "HANDLE_EXPIRED")
        late.report("STEP_COMPLETED").refused(401, "HANDLE_EXPIRED")
        assert late.api.get(f"/events/{body['eventId']}").ok() == first
    settings.EXECUTION_HANDLE_TTL = timedelta(hours=1)
    renewed(late).completed()


@pytest.mark.accepts("C12")
def test_an_expired_token_is_refused(carol, settings):
    """A token ends at its time, for reports and for registrations alike."""
    settings.EXECUTION_TOKEN_TTL = EXPIRED
    worker = carol.worker(carol.task(step_body(), dynamicRegistrationPolicy=POLICY)["taskId"])
    child = {"clientStepKey": "c", "operationCode": "OPS.RUN", "producerId": "worker-b"}
    with unchanged():
        worker.report("STEP_STARTED").refused(401, "TOKEN_EXPIRED")
        worker.api.post(f"/tasks/{worker.context['taskId']}/executions:register", child).refused(401, "TOKEN_EXPIRED")


@pytest.mark.accepts("C12")
def test_a_revoked_credential_is_refused_and_a_renewed_one_counts(carol, hands):
    """Withdrawn by an operator, token and handle open nothing: no report, no repetition, no registration."""
    by_token, _ = hands
    accepted = by_token.progress_event()
    by_token.send(accepted).ok()
    call_command("revoke_credentials", by_token.context["executionId"], "--actor", "oscar")
    child = {"clientStepKey": "c", "operationCode": "OPS.RUN", "producerId": "worker-b"}
    with unchanged():
        by_token.send(accepted).refused(401, "TOKEN_INVALID")
        for worker in hands:
            worker.report("STEP_COMPLETED", sourceSeq=9).refused(401, "TOKEN_INVALID")
        by_token.api.post(f"/tasks/{by_token.context['taskId']}/executions:register", child).refused(
            401, "TOKEN_INVALID"
        )
    by_token.source_seq = 9
    renewed(by_token).completed()


def handle_of(worker):
    return {"executionHandle": worker.context["executionHandle"]} if worker.handle else {}


@pytest.mark.accepts("C12")
def test_a_revoked_beat_renews_nothing(hands):
    """A heartbeat by a withdrawn credential is refused like any other report."""
    by_token, _ = hands
    revoke_credentials(by_token.context["executionId"], "oscar")
    with unchanged():
        for worker in hands:
            beat = {"eventId": fresh(), "eventType": "STEP_HEARTBEAT", "heartbeatSeq": 1, **handle_of(worker)}
            worker.send(beat).refused(401, "TOKEN_INVALID")


@pytest.mark.accepts("C12")
@pytest.mark.parametrize(
    ("caller", "refusal"),
    [
        ({"producer": "worker-b"}, (403, "PRODUCER_MISMATCH")),
        ({"tenant": "umbrella"}, (401, "TOKEN_INVALID")),
        ({"scope": "billing"}, (401, "TOKEN_INVALID")),
    ],
)
def test_a_handle_in_the_wrong_hands_is_refused(hands, caller, refusal):
    """Another producer is told so; in another tenant or scope the handle is as good as unknown."""
    _, by_handle = hands
    producer = caller.pop("producer", "worker-a")
    thief = service_api(producer, "worker", **caller)
    with unchanged():
        for event_type, members in (("STEP_COMPLETED", {}), ("STEP_HEARTBEAT", {"heartbeatSeq": 5})):
            thief.post("/task-events", by_handle.event(event_type, **members)).refused(*refusal)
        renewing = thief.post(f"/executions/{by_handle.context['executionId']}:renew")
        assert renewing.code == ("PRODUCER_MISMATCH" if refusal[0] == 403 else "EXECUTION_NOT_FOUND")


@pytest.mark.accepts("C12")
def test_a_handle_needs_a_worker_beside_it(hands):
    """A handle is no caller: without a service token, or with one of another role, it counts for nothing."""
    _, by_handle = hands
    body = by_handle.event("STEP_COMPLETED")
    with unchanged():
        Api(None).post("/task-events", body).refused(401, "TOKEN_MISSING")
        service_api("worker-a", "coordinator").post("/task-events", body).refused(403, "ROLE_REQUIRED")


@pytest.mark.accepts("C12")
def test_a_handle_of_an_old_attempt_is_answered_as_stale(carol, hands):
    """Superseded, or of a task attempt gone by, a handle still learns that it is late; it can't be renewed."""
    _, by_handle = hands
    task_id = by_handle.context["taskId"]
    renew = f"/executions/{by_handle.context['executionId']}:renew"
    carol.activate(task_id, supersede=True)
    with unchanged():
        by_handle.report("STEP_COMPLETED").stale("STALE_EXECUTION")
        by_handle.api.post(renew).refused(409, "TERMINAL_STATE")
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    with unchanged():
        by_handle.report("STEP_COMPLETED").stale("STALE_ATTEMPT")
        by_handle.api.post(renew).refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C12")
def test_an_ended_step_retires_its_credentials(hands):
    """After the end both credentials repeat first receipts and refuse everything new; nothing renews them."""
    by_token, by_handle = hands
    end = by_token.event("STEP_COMPLETED")
    first = by_token.send(end).ok()
    with unchanged():
        assert by_handle.send({**end, **handle_of(by_handle)}).ok() == {**first, "duplicate": True}
        for worker in hands:
            worker.report("STEP_CANCELLED", sourceSeq=99).refused(409, "TERMINAL_STATE")
        by_handle.api.post(f"/executions/{by_token.context['executionId']}:renew").refused(409, "TERMINAL_STATE")


@pytest.mark.accepts("C12")
def test_no_credential_is_stored_or_shown_again(carol, hands):
    """Only a handle's hash is kept; neither it nor a token stands in any row or answer about the task."""
    by_token, _ = hands
    kept = repr(stored()) + repr(carol.detail(by_token.context["taskId"]))
    assert by_token.context["executionHandle"] not in kept
    assert by_token.context["executionToken"] not in kept
