"""The ledger of refused reports (ruling 17) and the audit of violations (S07): what is kept, and what that may cost."""

import logging

import pytest
from django.db import DatabaseError

from taskstatus.models import AuditEntry, RefusedReport, Task
from tests.support.api import service_api
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker():
    """A worker whose execution runs."""
    return coordinator().running()


def again(worker):
    """A second start, which no running step takes."""
    return worker.event("STEP_STARTED")


def ledger(worker):
    task = Task.objects.get(pk=worker.context["taskId"])
    rows = RefusedReport.objects.filter(task_id=task.pk).order_by("slot")
    return task.refusal_count, [(row.slot, row.event_id) for row in rows]


def test_a_refusal_is_kept_with_who_sent_what_and_why(worker):
    event = again(worker)
    worker.send(event).refused(409, "ILLEGAL_TRANSITION")
    row = RefusedReport.objects.get()
    assert (row.task_id, row.execution_id) == (worker.context["taskId"], worker.context["executionId"])
    assert (row.event_id, row.event_type, row.producer_id) == (event["eventId"], "STEP_STARTED", "worker-a")
    assert (row.code, bool(row.detail)) == ("ILLEGAL_TRANSITION", True)


def test_the_ledger_is_a_ring_that_counts_on_beyond_its_size(worker, monkeypatch):
    monkeypatch.setattr(RefusedReport, "CAPACITY", 3)
    events = [again(worker) for _ in range(8)]
    for event in events[:2]:
        worker.send(event)
    worker.api.post("/task-events:batch", {"events": events[2:7]}).ok()
    assert ledger(worker) == (7, [(0, events[6]["eventId"]), (1, events[4]["eventId"]), (2, events[5]["eventId"])])
    worker.send(events[7])
    assert ledger(worker) == (8, [(0, events[6]["eventId"]), (1, events[7]["eventId"]), (2, events[5]["eventId"])])


def test_a_refusal_is_no_version_and_no_event_of_its_task(worker):
    before = coordinator().detail(worker.context["taskId"])["version"]
    worker.send(again(worker)).refused(409, "ILLEGAL_TRANSITION")
    assert coordinator().detail(worker.context["taskId"])["version"] == before


def test_what_is_answered_and_not_refused_is_not_kept(worker):
    first = worker.event("STEP_PROGRESS", progressSeq=1)
    worker.send(first).ok()
    worker.send(first).ok()  # a duplicate
    worker.send({**first, "eventId": "evt-old"}).stale("STALE_SEQUENCE")
    assert ledger(worker) == (0, [])


def test_a_report_that_leads_to_no_task_is_kept_nowhere():
    lost = {"eventId": "e", "eventType": "STEP_CANCELLED", "sourceSeq": 1}
    service_api("worker-a", "worker").post("/task-events", lost).refused(401, "TOKEN_MISSING")
    assert not RefusedReport.objects.exists()


def test_nobody_fills_the_ledger_of_another_tenants_task(worker):
    body = {"eventId": "e", "eventType": "TASK_COMPLETED", "taskId": worker.context["taskId"], "taskAttempt": 1}
    for stranger in (service_api("x", "coordinator", tenant="rival"), service_api("x", "coordinator", scope="other")):
        stranger.post("/task-events", body).refused(404, "TASK_NOT_FOUND")
    assert ledger(worker) == (0, [])


def test_each_refusal_of_a_batch_is_kept_with_its_own_task(worker):
    other = coordinator().running()
    batch = [{**again(each), "executionHandle": each.context["executionHandle"]} for each in (worker, other, worker)]
    service_api("worker-a", "worker").post("/task-events:batch", {"events": batch}).ok()
    assert ledger(worker)[1] == [(0, batch[0]["eventId"]), (1, batch[2]["eventId"])]
    assert ledger(other)[1] == [(0, batch[1]["eventId"])]


def test_a_ledger_that_can_not_be_written_is_our_problem_and_not_the_workers(worker, monkeypatch, caplog):
    def broken(*args, **kwargs):
        raise DatabaseError("out of the blue")

    monkeypatch.setattr(RefusedReport.objects, "bulk_create", broken)
    monkeypatch.setattr(AuditEntry.objects, "bulk_create", broken)
    with caplog.at_level(logging.WARNING):
        batch = [again(worker), worker.event("STEP_COMPLETED"), {**worker.event("STEP_CANCELLED"), "producerId": "x"}]
        answer = worker.api.post("/task-events:batch", {"events": batch}).ok()
    assert [result["accepted"] for result in answer["results"]] == [False, True, False]
    assert "refusals not kept" in caplog.text
    assert "violations not kept" in caplog.text


def test_only_a_violation_is_audited(worker):
    worker.send(again(worker)).refused(409, "ILLEGAL_TRANSITION")
    assert not AuditEntry.objects.exists()
    worker.send({**worker.event("STEP_COMPLETED"), "operationCode": "OPS.OTHER"}).refused(403, "OPERATION_MISMATCH")
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.outcome, entry.tenant_id) == ("worker-a", "OPERATION_MISMATCH", "acme")
