"""Wrong addresses, parameters and headers on every path: refused, and nothing is written."""

import pytest

from tests.support.callers import Calls, guarded
from tests.support.full_bodies import FULL_BODIES
from tests.support.unchanged import unchanged

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]

SPOILT = (
    "{}%00",
    "%00",
    "{}%0A",
    "{}%20",
    "%20{}",
    "{}%C3%A9",
    "%F0%9F%98%80",
    "x" * 3000,
)
FREE = {"principalId", "refType", "refValue"}
JUDGED = FREE | {"principalType"}
# A lease that isn't there is given back like any other.
LENIENT = {"lease"}
TOKENS = (
    None,
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic YTpi",
    "Bearer x y",
    "Bearer \u00e9",
    "Bearer a.b.c",
    "Bearer " + "x" * 100_000,
    "Bearer eyJhbGciOiJub25lIn0.e30.",
    "Bearer {token}x",
    "bearer {token}, Bearer {token}",
)
NAMES = [operation.name for operation in guarded()]
PLACES = [
    (operation.name, parameter["name"])
    for operation in guarded()
    for parameter in operation.described.get("parameters", ())
    if parameter["in"] == "path" and parameter["name"] not in LENIENT
]


@pytest.fixture
def calls():
    """Calls with right addresses and credentials to every path."""
    return Calls.prepared()


@pytest.mark.parametrize(("name", "parameter"), PLACES)
def test_a_wrong_part_of_the_address(calls, name, parameter):
    right = calls.values[parameter]
    spoilt = {text.format(right) for text in SPOILT} | {right.swapcase()} - {right}
    if parameter in FREE:
        spoilt.discard(right.swapcase())
    if parameter == "refValue":  # it may hold slashes, but no line feed even leads to it
        spoilt.discard(f"{right}%0A")
    if parameter not in ("refType", "refValue"):  # where bytes that are no UTF-8 are read as the text %FF
        spoilt |= {"%FF", "%ED%A0%80"}
    body = right_body(name)
    with unchanged():
        answers = {text: calls.send(name, path={parameter: text}, body=body) for text in sorted(spoilt)}
    for text, answer in answers.items():
        if parameter in JUDGED:
            assert (answer.status, answer.code) == (400, "INVALID_FIELD"), (text, answer.body)
            assert [error["pointer"] for error in answer.body["errors"]] == [f"/{parameter}"]
        else:
            assert answer.status == 404, (text, answer.body)


@pytest.mark.parametrize(("name", "parameter"), PLACES)
def test_an_address_without_a_part_leads_nowhere(calls, name, parameter):
    with unchanged():
        answer = calls.send(name, path={parameter: ""}, body=right_body(name), foreseen=False)
    assert answer.code in {"PATH_NOT_FOUND", "METHOD_NOT_ALLOWED"}


@pytest.mark.parametrize("name", NAMES)
def test_a_credential_that_proves_nothing(calls, name):
    body = right_body(name)
    sent = [token and token.format(token=calls.services.token) for token in TOKENS]
    with unchanged():
        answers = [calls.send(name, body=body, token=token) for token in sent]
    assert {answer.status for answer in answers} == {401}
    assert {answer.code for answer in answers} == {"TOKEN_MISSING", "TOKEN_INVALID"}


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_in_another_form_is_not_to_be_had(calls, name):
    with unchanged():
        answer = calls.send(name, body=right_body(name), headers={"Accept": "text/html"})
    assert (answer.status, answer.code) == (406, "NOT_ACCEPTABLE")


@pytest.mark.parametrize("accept", ["", ";;;", "*", "a/b/c", "*/*;q=x", "application/json;" * 500, "\u00e9/\u00e9"])
def test_an_accept_header_that_is_nonsense_is_no_harm(calls, accept):
    assert calls.send("getTask", headers={"Accept": accept}).status in {200, 406}


@pytest.mark.parametrize("tag", ["", "x", '"', "W/", "x" * 5000, "\u00e9", '"task-version-999.1"'])
def test_a_tag_that_names_no_version_gets_the_task(calls, tag):
    assert calls.send("getTask", headers={"If-None-Match": tag}).status == 200


def test_any_version_is_not_modified(calls):
    assert calls.send("getTask", headers={"If-None-Match": "*"}).status == 304


@pytest.mark.parametrize("key", ["", "x", "evt-1 ", "EVT-1", "evt-1,evt-1", "\u00e9", "x" * 5000])
def test_an_idempotency_key_that_is_not_the_event_id(calls, key):
    body = {"eventId": "evt-1", "eventType": "STEP_COMPLETED", "sourceSeq": 9}
    with unchanged():
        answer = calls.send("reportEvent", body=body, headers={"Idempotency-Key": key})
    assert (answer.status, answer.code) == (400, "IDEMPOTENCY_KEY_MISMATCH")


def right_body(name):
    """A body that is right in itself, or none."""
    return FULL_BODIES[name][1][0] if name in FULL_BODIES else None
