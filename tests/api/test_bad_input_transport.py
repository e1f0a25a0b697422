"""How a body comes: its type, its encoding, its length; wrong ones are refused on every path that takes a body."""

import gzip
import io

import pytest

from tests.support.bad_bodies import members
from tests.support.callers import Calls
from tests.support.full_bodies import FULL_BODIES
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]

TYPES = (
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "x",
    "/",
    "",
)
ENCODINGS = ("br", "deflate", "gzip, gzip", "GZIP2", "compress", "x")
TAKING_GZIP = frozenset({"reportEvents", "renewLeases"})
NEEDING = [name for name, (kind, bodies) in FULL_BODIES.items() if any(m.required for m in members(kind, bodies[0]))]


@pytest.fixture
def calls():
    """Calls with right addresses and credentials to every path."""
    return Calls.prepared()


@pytest.mark.parametrize("name", FULL_BODIES)
def test_only_json_in_a_known_encoding_is_read(calls, name):
    with unchanged():
        answers = [calls.send(name, raw=b"{}", content_type=kind) for kind in TYPES]
        answers += [calls.send(name, raw=b"{}", headers={"Content-Encoding": encoding}) for encoding in ENCODINGS]
        if name not in TAKING_GZIP:
            packed = gzip.compress(b"{}")
            answers.append(calls.send(name, raw=packed, headers={"Content-Encoding": "gzip"}))
    assert {(answer.status, answer.code) for answer in answers} == {(415, "UNSUPPORTED_MEDIA_TYPE")}


@pytest.mark.parametrize("name", NEEDING)
def test_an_empty_body_lacks_what_is_required(calls, name):
    kind, bodies = FULL_BODIES[name]
    required = {member.pointer for member in members(kind, bodies[0]) if member.required and len(member.path) == 1}
    with unchanged():
        answers = [calls.send(name), calls.send(name, raw=b"{}"), calls.send(name, content_type="")]
    for answer in answers:
        assert answer.code == "INVALID_FIELD"
        assert {error["pointer"] for error in answer.body["errors"]} >= required


@pytest.mark.parametrize("name", FULL_BODIES)
def test_a_body_sent_in_chunks_is_read_and_bounded(calls, name):
    with unchanged():
        large = chunked(calls, name, b'{"title":"' + b"x" * 2 * 1024 * 1024 + b'"}')
        broken = chunked(calls, name, b'{"title":')
    assert (large.status, large.code) == (413, "BODY_TOO_LARGE")
    assert (broken.status, broken.code) == (400, "MALFORMED_BODY")


@pytest.mark.parametrize("length", ["-1", "x", "3", "99999999999999999999", "1e3", "٣"])
def test_a_length_that_is_wrong_is_no_harm(calls, length):
    with unchanged():
        answer = calls.send("retryTask", raw=b'{"eventId":"e","reason":"r"}', environ={"CONTENT_LENGTH": length})
    assert answer.code in {"INVALID_FIELD", "BODY_TOO_LARGE", "MALFORMED_BODY"}


def chunked(calls, name, body):
    """Call with a body whose length the server doesn't know."""
    coming = {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": "", "wsgi.input": io.BytesIO(body)}
    return calls.send(name, environ={"CONTENT_TYPE": "application/json", **coming})
