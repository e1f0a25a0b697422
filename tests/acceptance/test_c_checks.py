"""C05, C14, C16: the checks of a report have one order, and the first that fails is the answer."""

import pytest

from tests.support.api import Api, fresh, service_api
from tests.support.cast import Worker, step_body
from tests.support.definitions import WORKER_EVENTS, define, operation
from tests.support.unchanged import unchanged

# Each member is wrong for a check of its own; so is the eventId of another report.
ALL_WRONG = {
    "oops": 1,
    "eventType": "STEP_CANCELLED",
    "stepId": "s9",
    "sourceSeq": 1,
    "businessStatus": "NO_SUCH",
    "data": {"schema": "no.such.v1", "value": {}},
}


@pytest.mark.accepts("C05")
@pytest.mark.accepts("C14")
@pytest.mark.accepts("C16")
def test_what_is_wrong_in_every_way_is_refused_for_the_first_each_time(carol):
    """Shape, credential, context, type, eventId, attempt, sequence, lifecycle, status, data: mended one by one."""
    define(operations=[operation(allowedEventTypes=[e for e in WORKER_EVENTS if e != "STEP_CANCELLED"])])
    old = carol.running()
    known = old.progress_event()
    old.send(known).accepted()
    new = carol.worker(old.context["taskId"], supersede=True)
    new.started()
    worker = service_api("worker-a", "worker")
    body = {**ALL_WRONG, "eventId": known["eventId"]}
    key = {"Idempotency-Key": "another"}

    def refused(api, status, code, headers=None):
        with unchanged():
            api.post("/task-events", body, headers=headers).refused(status, code)

    refused(Api(None), 400, "UNKNOWN_FIELD", key)
    del body["oops"]
    refused(Api(None), 401, "TOKEN_MISSING", key)
    refused(service_api("worker-a", "business"), 403, "ROLE_REQUIRED", key)
    refused(worker, 400, "IDEMPOTENCY_KEY_MISMATCH", key)
    refused(worker, 401, "TOKEN_MISSING")
    body["executionHandle"] = "exh_000_" + "A" * 32
    refused(worker, 401, "TOKEN_INVALID")
    body["executionHandle"] = old.context["executionHandle"]
    refused(worker, 404, "STEP_NOT_REGISTERED")
    body["stepId"] = "s1"
    refused(worker, 403, "EVENT_TYPE_NOT_ALLOWED")
    body["eventType"] = "STEP_STARTED"
    refused(worker, 409, "EVENT_ID_REUSED")
    body["eventId"] = fresh()
    with unchanged():
        worker.post("/task-events", body).stale("STALE_EXECUTION")
        body["executionHandle"] = new.context["executionHandle"]
        worker.post("/task-events", body).stale("STALE_SEQUENCE")
    body["sourceSeq"] = 2
    refused(worker, 409, "ILLEGAL_TRANSITION")
    body["eventType"] = "STEP_COMPLETED"
    refused(worker, 422, "UNKNOWN_BUSINESS_STATUS")
    body["businessStatus"] = "SUCCEEDED"
    refused(worker, 422, "SCHEMA_NOT_ALLOWED")
    del body["data"]
    worker.post("/task-events", body, headers={"Idempotency-Key": body["eventId"]}).accepted()


@pytest.mark.accepts("C05")
def test_a_token_says_all_that_a_report_leaves_out(carol):
    """An execution is known by its credential alone; the receipt tells which one it was."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    for hand in (worker, Worker(worker.context, handle=True, source_seq=1)):
        event_type = "STEP_STARTED" if hand is worker else "STEP_COMPLETED"
        receipt = hand.report(event_type).accepted()
        for member in ("workflowId", "taskId", "stepId", "executionId", "operationCode"):
            assert receipt[member] == worker.context[member]
