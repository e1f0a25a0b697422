"""S12: oversized, deep, broken and hostile bodies get a clear refusal, soon, and change nothing."""

import gzip
import json

import pytest

from tests.support.api import fresh
from tests.support.unchanged import unchanged

MIB = 1024 * 1024
# Generous for a busy machine, and far below what a quadratic parser would take for a mebibyte on each path.
pytestmark = pytest.mark.timeout(60, func_only=True)

PATHS = ("/workflows", "/task-events", "/task-events:batch", "/tasks/tsk_000_X/steps/s1:activate")


def nested(depth, inside=b"1"):
    """An object with arrays in it, so deep in all."""
    return b'{"a":' + b"[" * (depth - 1) + inside + b"]" * (depth - 1) + b"}"


MALFORMED = {
    "33 deep": nested(33),
    "10,000 deep": nested(10_000),
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "never closed": b"[" * 500_000,
    "only closed": b"{" + b"}" * 500_000,
    "half a string": b'{"a": "' + b"x" * 1000,
    "backslashes": b'{"a": "' + b"\\" * (MIB - 9) + b'"}',
    "latin-1": '{"title": "é"}'.encode("latin-1"),
    "utf-16": '{"title": "x"}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "overlong": b'{"a": "\xc0\x80"}',
    "raw surrogate": b'{"a": "\xed\xa0\x80"}',
    "half a pair": b'{"a": "\\ud800"}',
    "half a pair in a name": b'{"\\udc00": 1}',
    "NUL byte": b'{"a": "\x00"}',
    "NUL body": b"\x00" * 1000,
    "member twice": b'{"a": 1, "a": 1}',
    "member twice inside": b'{"a": [{"b": 1, "\\u0062": 2}]}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": -Infinity}',
    "single quotes": b"{'a': 1}",
    "comment": b"{} // really",
    "two values": b"{}{}",
    "null": b"null",
    "list": b"[]",
    "text": b'"x"',
    "number": b"1",
    "spaces": b"   ",
    "numbers with letters": b'{"a": 0x10}',
}
INVALID = {
    "32 deep": nested(32),
    "a million digits": b'{"a": ' + b"9" * 1_000_000 + b"}",
    "a huge exponent": b'{"a": 1e999999999}',
    "60,000 members": json.dumps({f"k{number}": 0 for number in range(60_000)}).encode(),
    "a long name": b'{"' + b"n" * (MIB - 100) + b'": 1}',
    "slashes in names": b'{"' + b"~/" * 100_000 + b'": 1}',
    "prototype": b'{"__proto__": {"admin": true}, "constructor": 1}',
    "an escape a character": b'{"a": "' + b"\\u0041" * 150_000 + b'"}',
}


def sent(api, path, body, **headers):
    """The answer to a raw body."""
    return api.post(path, raw=body, headers=headers)


@pytest.mark.accepts("S12")
@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_json_object_is_malformed(carol, name):
    """Not UTF-8, not JSON, too deep, ambiguous or no object: 400, with a word of why and not a word of the body."""
    with unchanged():
        for path in PATHS:
            problem = sent(carol.api, path, MALFORMED[name]).refused(400, "MALFORMED_BODY")
            assert len(problem["detail"]) < 200


@pytest.mark.accepts("S12")
@pytest.mark.parametrize("name", INVALID)
def test_json_with_hostile_members_is_refused_member_by_member(carol, name):
    """Sound JSON with absurd members is refused for them, with a bounded answer."""
    with unchanged():
        for path in PATHS[:2]:
            answer = sent(carol.api, path, INVALID[name])
            assert (answer.status, answer.code) in {(400, "INVALID_FIELD"), (400, "UNKNOWN_FIELD")}
            assert 1 <= len(answer.body["errors"]) <= 50
            assert len(json.dumps(answer.body)) < 50_000


@pytest.mark.accepts("S12")
def test_a_body_has_a_mebibyte_at_most(carol):
    """One byte more is 413, whatever it holds; exactly a mebibyte is read."""
    with unchanged():
        for path in PATHS:
            sent(carol.api, path, b"x" * (MIB + 1)).refused(413, "BODY_TOO_LARGE")
            sent(carol.api, path, b"{" + b" " * (2 * MIB) + b"}").refused(413, "BODY_TOO_LARGE")
            padded = b"{" + b" " * (MIB - 2) + b"}"
            assert sent(carol.api, path, padded).status != 413


@pytest.mark.accepts("S12")
def test_what_unpacks_beyond_its_bound_is_refused(carol):
    """A packed batch may unpack to eight mebibytes; a bomb is given up there, and broken streams are malformed."""
    packed = {"Content-Encoding": "gzip"}
    path = "/task-events:batch"
    with unchanged():
        sent(carol.api, path, gzip.compress(b" " * (64 * MIB)), **packed).refused(413, "BODY_TOO_LARGE")
        sent(carol.api, path, gzip.compress(b" " * (8 * MIB + 1)), **packed).refused(413, "BODY_TOO_LARGE")
        sent(carol.api, path, gzip.compress(b"{}")[:-4], **packed).refused(400, "MALFORMED_BODY")
        sent(carol.api, path, gzip.compress(b"{}") * 2, **packed).refused(400, "MALFORMED_BODY")
        sent(carol.api, path, b"{}", **packed).refused(400, "MALFORMED_BODY")
        sent(carol.api, path, b"{}", **{"Content-Encoding": "br"}).refused(415, "UNSUPPORTED_MEDIA_TYPE")
        sent(carol.api, "/task-events", gzip.compress(b"{}"), **packed).refused(415, "UNSUPPORTED_MEDIA_TYPE")
    event = {"eventId": fresh(), "eventType": "TASK_COMPLETED", "taskId": carol.task()["taskId"], "taskAttempt": 1}
    full = json.dumps({"events": [event]}).encode().ljust(8 * MIB)
    assert sent(carol.api, path, gzip.compress(full), **packed).ok()["results"][0]["accepted"] is True


@pytest.mark.accepts("S12")
def test_a_batch_has_bounds_too(carol):
    """No event, too many, or something else than objects: the whole batch is refused; one bad object is its own."""
    path = "/task-events:batch"
    with unchanged():
        carol.api.post(path, {"events": [{}] * 501}).refused(413, "BATCH_TOO_LARGE")
        for events in ([], {}, "x", [[]], [None], [{}, 1]):
            carol.api.post(path, {"events": events}).refused(400, "INVALID_FIELD")
        results = carol.api.post(path, {"events": [{}, {"eventId": "a\x00"}, {"eventId": "fine"}]}).ok()["results"]
    assert [result["eventId"] for result in results] == [None, None, "fine"]
    assert {result["error"]["code"] for result in results} == {"INVALID_FIELD"}


@pytest.mark.accepts("S12")
@pytest.mark.parametrize("text", ["\x00", "a\x00b", "\x1b[2J", "\x7f", "\x85"], ids=ascii)
def test_control_characters_are_invalid_wherever_text_is_taken(carol, text):
    """NUL and its kind are refused in titles, messages, labels, data and paths, and named by where they stand."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    data = {"schema": "generic.progress.v1"}
    cases = {
        "/message": {"message": text},
        "/phaseLabel": {"phaseLabel": text},
        "/progress/unit": {"progress": {"current": 1, "unit": text}},
        "/data/schema": {"data": {"schema": text, "value": {}}},
        "/data/value/a": {"data": {**data, "value": {"a": text}}},
        "/data/value": {"data": {**data, "value": {text: 1}}},
    }
    with unchanged():
        for pointer, members in cases.items():
            problem = worker.send(worker.progress_event(**members)).refused(400, "INVALID_FIELD")
            assert [error["pointer"] for error in problem["errors"]] == [pointer]
        carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": text}).refused(400, "INVALID_FIELD")
        carol.api.get("/tasks/tsk%00").refused(404, "TASK_NOT_FOUND")
        carol.api.get("/events/evt%00").refused(404, "EVENT_NOT_FOUND")
        carol.api.put(f"/tasks/{task_id}/external-refs/a%00/1").refused(400, "INVALID_FIELD")
        carol.api.get("/tasks:lookup?refType=a%00&refValue=1").refused(400, "INVALID_FIELD")
