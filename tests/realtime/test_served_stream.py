"""The native stream as it is served: gunicorn, two workers, real connections (R14, R18)."""

from contextlib import closing

import pytest
import requests

from tests.realtime.rows import outgoing, put
from tests.realtime.served import ServedStream
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator, step_body
from tests.support.server import serving
from tests.support.waiting import PATIENCE_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as started:
        yield started


def streams_of_every_worker(server, api):
    """One stream for each of the two workers, as the kernel spreads connections: some more than two, to be sure."""
    return [ServedStream.open(server.port, api) for _ in range(8)]


@pytest.mark.accepts("R14")
def test_a_report_reaches_streams_of_every_worker_and_each_resumes_at_any(server):
    alice = user_api(ALICE)
    streams = streams_of_every_worker(server, alice)
    headers = streams[0].response.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
    task = coordinator().task(step_body())
    cursors = []
    for stream in streams:
        created = stream.event("message")
        assert task["workflowId"] == created.body["workflowId"]
        cursors.append(created.id)
        stream.close()
    coordinator().end(task["taskId"])
    for cursor in cursors:
        with closing(ServedStream.open(server.port, alice, cursor)) as stream:
            while "task" not in (body := stream.event("message").body) or body["taskVersion"] == "1":
                pass
            assert body["task"]["lifecycleStatus"] == "SUCCEEDED"


@pytest.mark.accepts("R13")
def test_a_watch_set_holds_for_streams_of_every_worker(server):
    alice, carol = user_api(ALICE), coordinator()
    task = carol.task(step_body())["taskId"]
    streams = streams_of_every_worker(server, alice)
    url = f"http://127.0.0.1:{server.port}/api/v1/me/task-watch-set"
    put_set = requests.put(
        url, json={"taskIds": [task]}, headers={"Authorization": f"Bearer {alice.token}"}, timeout=PATIENCE_SECONDS
    )
    assert put_set.json()["taskIds"] == [task]
    carol.end(task)
    for stream in streams:
        kinds = {stream.event("message").body["kind"] for _ in range(2)}
        assert kinds == {"task.summary", "task.detail"}
        stream.close()


@pytest.mark.accepts("R18")
def test_a_client_that_reads_nothing_is_ended_and_comes_back_to_everything(server):
    alice, numbers = user_api(ALICE), range(1_000)
    put()  # from an empty table's place to the next row it may be too far to be told
    with closing(ServedStream.open(server.port, alice, buffer_bytes=4_096)) as stream:
        last = stream.event("heartbeat").id
        for start in range(0, len(numbers), 100):
            put(*[numbered(number) for number in numbers[start : start + 100]])
        heard, last = read_to_the_end(stream, last, set(numbers))
    assert heard < set(numbers)
    while heard < set(numbers):  # what is new meanwhile may be too much for it again
        with closing(ServedStream.open(server.port, alice, last)) as again:
            more, last = read_to_the_end(again, last, set(numbers) - heard)
        heard |= more


def numbered(number):
    """A large message with a number."""
    return outgoing(payload=f'{{"n":{number},"pad":"{"x" * 8_000}"}}')


def read_to_the_end(stream, last, missing):
    """The numbers that arrive until the stream ends, or until none is missing; and the last id."""
    heard = set()
    while not heard >= missing and (event := stream.event()) is not None:
        assert event.name != "reset", event
        last = event.id
        if event.name == "message":
            heard.add(event.body["n"])
    return heard, last


def test_sigterm_ends_streams_at_once_and_the_workers_within_their_grace(server):
    with closing(ServedStream.open(server.port, user_api(ALICE))) as stream:
        stream.event("heartbeat")
        server.terminate()
        assert stream.event() is None
        assert server.wait(PATIENCE_SECONDS) == 0
    eventually(lambda: not server.processes(), what="the end of all processes")
    assert "SIGKILL" not in server.said(), "a worker outlived its grace"
