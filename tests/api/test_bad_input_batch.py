"""Bad events in a batch are refused one by one; what is wrong with the packing is refused as a whole."""

import gzip
import zlib

import pytest

from tests.support.bad_bodies import BadBody, bad_members, bad_objects, members
from tests.support.bad_values import MALFORMED
from tests.support.callers import Calls
from tests.support.full_bodies import FULL_BODIES
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]

MIB = 1024 * 1024
ITEMS = 400
GOOD = b'{"events":[{}]}'
PACKED = gzip.compress(GOOD)

BADLY_PACKED = {
    "a bomb": (gzip.compress(b'{"events":[' + b" " * 64 * MIB + b"]}"), "BODY_TOO_LARGE"),
    "one byte too many": (gzip.compress(GOOD + b" " * (8 * MIB + 1 - len(GOOD))), "BODY_TOO_LARGE"),
    "more than 1 MiB packed": (gzip.compress(b"x" * 2 * MIB, compresslevel=0), "BODY_TOO_LARGE"),
    "cut short": (PACKED[:-9], MALFORMED),
    "without its checksum": (PACKED[:-8], MALFORMED),
    "with a wrong checksum": (PACKED[:-8] + b"\x00" * 8, MALFORMED),
    "with something after it": (PACKED + b"x", MALFORMED),
    "two streams": (PACKED + PACKED, MALFORMED),
    "not packed": (GOOD, MALFORMED),
    "packed twice": (gzip.compress(PACKED), MALFORMED),
    "zlib's own form": (zlib.compress(GOOD), MALFORMED),
    "an empty body": (b"", MALFORMED),
    "a packed list": (gzip.compress(b"[]"), MALFORMED),
    "packed and 33 deep": (gzip.compress(b'{"events":' + b"[" * 32 + b"]" * 32 + b"}"), MALFORMED),
}


@pytest.fixture
def calls():
    """Calls with right addresses and credentials to every path."""
    return Calls.prepared()


def test_every_bad_event_is_refused_in_its_own_place(calls):
    bad = list(bad_events())
    assert len(bad) > 700
    with unchanged():
        faults = [fault for some in lots(bad) for fault in batch_faults(calls, some)]
    assert not faults, f"{len(faults)} of {len(bad)}:\n" + "\n".join(faults[:40])


@pytest.mark.parametrize(("body", "code"), BADLY_PACKED.values(), ids=BADLY_PACKED)
def test_a_badly_packed_batch_is_refused(calls, body, code):
    with unchanged():
        answer = calls.send("reportEvents", raw=body, headers={"Content-Encoding": "gzip"})
    assert answer.code == code, answer.body


def bad_events():
    """Every bad event that is JSON: what isn't spoils the whole batch."""
    for body in FULL_BODIES["reportEvent"][1]:
        yield from (bad for bad in bad_objects((), body, body) if bad.code != MALFORMED)
        for member in members(FULL_BODIES["reportEvent"][0], body):
            yield from (bad for bad in bad_members(member, body) if bad.code != MALFORMED)


def batch_faults(calls, some: list[BadBody]):
    """What is wrong with the results of a batch of bad events."""
    body = gzip.compress(b'{"events":[' + b",".join(bad.body for bad in some) + b"]}")
    results = calls.send("reportEvents", raw=body, headers={"Content-Encoding": "gzip"}).ok()["results"]
    for bad, result in zip(some, results, strict=True):
        problem = result["error"]
        named = [error["pointer"] for error in problem.get("errors", ())]
        if (problem["code"], result["accepted"]) != (bad.code, False) or bad.pointer not in named:
            yield f"{bad.how}: {problem}"
        if result["eventId"] != readable(bad):
            yield f"{bad.how}: told as {result['eventId']}"


def lots(bad):
    """The bad events in lots that one batch takes."""
    return [bad[start : start + ITEMS] for start in range(0, len(bad), ITEMS)]


def readable(bad: BadBody):
    """The event's own id, unless that is what is wrong."""
    return None if bad.how.startswith("/eventId:") else "evt-1"
