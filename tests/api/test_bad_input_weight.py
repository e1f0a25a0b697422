"""What a hostile body costs is bounded by what it is made of, not only by its bytes (S12)."""

import gzip
import json
import tracemalloc

import pytest

from taskstatus.api.bodies import MAX_PARTS, MAX_UNPACKED_BYTES
from tests.support.api import service_api

# Each fills the 8 MiB that a batch may unpack to with parts as small as there are.
HEAVY = {"lists": b"[],", "objects": b'{"":{}},', "texts": b'"ab",', "numbers": b"1.5,"}
ALLOWED_MB = 40


@pytest.mark.accepts("S12")
@pytest.mark.parametrize("part", HEAVY.values(), ids=HEAVY)
def test_a_small_packed_body_of_countless_parts_is_refused_before_it_is_parsed(part):
    heavy = b'{"events":[' + part * ((MAX_UNPACKED_BYTES - 20) // len(part)) + b"{}]}"
    packed = gzip.compress(heavy)
    api = service_api("worker-a", "worker")
    api.post("/task-events:batch", {})  # what a process loads with its first call is no part of this one's cost
    tracemalloc.start()
    refused = api.call("POST", "/task-events:batch", raw=packed, headers={"Content-Encoding": "gzip"})
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (refused.status, refused.code) == (413, "BODY_TOO_LARGE")
    assert peak_bytes < ALLOWED_MB * 1024 * 1024


def test_a_full_batch_of_large_events_stays_far_below_the_bound():
    data = {"schema": "document.parse.completed.v2", "value": {f"member{n}": n for n in range(200)}}
    event = {
        "eventId": "e" * 64,
        "eventType": "STEP_PROGRESS",
        "message": "Well, then: done, done. " * 80,
        "data": data,
    }
    body = json.dumps({"events": [event] * 500}).encode()
    assert sum(map(body.count, (b"{", b"[", b":", b","))) < MAX_PARTS / 2
