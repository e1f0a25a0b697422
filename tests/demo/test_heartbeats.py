"""The demo's signs of life: beaten together, and never what stops the work, unless a user wants that."""

import threading
import time

import pytest
import requests

from examples.document_pipeline.heartbeats import EARLIEST, Pulse, Sign
from examples.document_pipeline.reporter import Reporter, WorkCancelledError
from examples.document_pipeline.status_client import RefusedError
from tests.support.waiting import PATIENCE_SECONDS, eventually


class Service:
    """A service that answers beats as it is told, and keeps them."""

    def __init__(self, **result):
        self.batches = []
        self.events = []
        self.error = None
        told = {"reason": None, "nextIntervalSeconds": 15, "cancelRequested": False}
        self.result = {**told, **result}

    def post(self, path, body):
        """Take a request."""
        if path == "/task-events":
            self.events.append(body["eventType"])
            return {}
        self.batches.append(body["heartbeats"])
        if self.error is not None:
            raise self.error
        return {"results": [self.result] * len(body["heartbeats"])}


def context(execution_id="e"):
    """The context of an execution that is to beat every 15 s."""
    return {
        "executionId": execution_id,
        "executionHandle": f"handle of {execution_id}",
        "heartbeatIntervalSeconds": 15,
        "sourceSeqStart": 1,
    }


def beating(service):
    """A pulse that beats in the background."""
    pulse = Pulse(service)
    pulse.start()
    return pulse


def send(service, *signs):
    """Beat once for these; the earliest and the latest moment at which they may be due again."""
    before = time.monotonic()
    Pulse(service).send(list(signs))
    seconds = service.result["nextIntervalSeconds"] or 15
    return before + EARLIEST * seconds, time.monotonic() + seconds


def test_executions_beat_together_with_numbers_and_handles_of_their_own():
    service = Service()
    pulse, signs = Pulse(service), [Sign(context(name)) for name in "ab"]
    pulse.send(signs)
    pulse.send(signs)
    first, second = service.batches
    assert first == [{"executionId": name, "heartbeatSeq": 1, "executionHandle": f"handle of {name}"} for name in "ab"]
    assert [beat["heartbeatSeq"] for beat in second] == [2, 2]


def test_the_next_beat_comes_when_the_answer_says_or_a_little_earlier():
    service = Service(nextIntervalSeconds=40)
    signs = [Sign(context(str(number))) for number in range(200)]
    earliest, latest = send(service, *signs)
    moments = {sign.due_at for sign in signs}
    assert all(earliest <= moment <= latest for moment in moments)
    assert max(moments) - min(moments) > 1


@pytest.mark.parametrize(
    "error",
    [requests.ConnectionError("out"), requests.JSONDecodeError("cut", "", 0), RefusedError({"code": "RATE_LIMITED"})],
    ids=["unreachable", "cut short", "refused"],
)
def test_beats_that_get_through_to_nobody_leave_the_work_alone(error):
    service = Service()
    service.error = error
    sign = Sign(context())
    earliest, latest = send(service, sign)
    assert not sign.cancelled.is_set()
    assert earliest <= sign.due_at <= latest


def test_a_refusal_is_no_order_to_stop():
    service = Service(reason="HANDLE_EXPIRED", nextIntervalSeconds=None, cancelRequested=None)
    sign = Sign(context())
    earliest, latest = send(service, sign)
    assert not sign.cancelled.is_set()
    assert earliest <= sign.due_at <= latest


def test_who_begins_beats_at_once_and_who_has_ended_no_more():
    service = Service(nextIntervalSeconds=0.05)
    pulse, sign = beating(service), Sign(context())
    pulse.begin(sign)
    eventually(lambda: len(service.batches) >= 3)
    pulse.end(sign)
    other = Sign(context("other"))
    pulse.begin(other)
    eventually(lambda: [beat["executionId"] for beat in service.batches[-1]] == ["other"])
    pulse.end(other)


def test_an_outage_ends_and_the_beats_go_on():
    service = Service(nextIntervalSeconds=0.05)
    pulse, sign = beating(service), Sign(context())
    pulse.begin(sign)
    eventually(lambda: service.batches)
    service.error = requests.ConnectionError("out")
    beaten = len(service.batches)
    eventually(lambda: len(service.batches) >= beaten + 2)
    service.error = None
    service.result = {**service.result, "cancelRequested": True}
    assert sign.cancelled.wait(PATIENCE_SECONDS)
    pulse.end(sign)


def test_work_stops_in_its_midst_once_a_user_wants_that():
    service = Service()
    reporter = Reporter(service, context(), beating(service))
    reporter.started()
    reporter.take_time(0)
    eventually(lambda: service.batches)
    stopped = threading.Event()

    def work():
        with pytest.raises(WorkCancelledError):
            reporter.take_time(10 * PATIENCE_SECONDS)
        stopped.set()

    threading.Thread(target=work, daemon=True).start()
    other = Pulse(Service(cancelRequested=True))
    other.send([reporter._sign])
    assert stopped.wait(PATIENCE_SECONDS)
    reporter.cancelled()
    reporter.close()
    assert service.events == ["STEP_STARTED", "STEP_CANCELLED"]
