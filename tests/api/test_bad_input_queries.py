"""Every query parameter of every path, wrong in every way: refused with its name."""

from urllib.parse import urlencode

import pytest

from tests.support.bad_values import fits_text, wrong_texts
from tests.support.callers import QUERY, Calls, guarded, right_query

pytestmark = [pytest.mark.django_db, pytest.mark.accepts("S12")]

SEEDS = {
    **QUERY,
    "lifecycleStatus": "RUNNING",
    "health": "HEALTHY",
    "taskType": "DOCUMENT",
    "productId": "contracts",
    "workflowId": "wfl_1",
    "batchId": "batch-1",
    "parentTaskId": "tsk_1",
    "q": "contract",
    "updatedAfter": "2026-09-21T07:10:18Z",
}
SINGLE = {"limit", "cursor", "q", "updatedAfter", "afterTaskVersion", "olderThanSeconds"}
NUMBERS = ("", "x", "0x1", "1.5", "1e2", "+1", " 1", "1 ", "٣", "-1", "01", "9" * 19, "9" * 30, "\x00", "true")
CURSORS = ("", "x", "é", "\x00", "x" * 513, "AAAA", "eyJ9", "bnVsbA", "W10", "{}")
NO_UTF8 = (b"\xff", b"contr\xc3(act", b"\xed\xa0\x80")
READS = [operation for operation in guarded() if operation.method == "GET"]
PARAMETERS = [
    (operation, parameter)
    for operation in READS
    for parameter in operation.described.get("parameters", ())
    if parameter["in"] == "query"
]


@pytest.fixture
def calls():
    """Calls with right addresses and credentials to every path."""
    return Calls.prepared()


@pytest.mark.parametrize("operation", READS, ids=lambda operation: operation.name)
def test_a_parameter_that_is_unknown(calls, operation):
    others = urlencode({name: value for name, value in SEEDS.items() if f"{name}=" in right_query(operation)})
    for name in ("verbose", "%00", "", "x" * 3000, "%FF", "limit%5B%5D", "LIMIT"):
        answer = calls.send(operation.name, query=f"{others}&{name}=1")
        assert (answer.status, answer.code) == (400, "UNKNOWN_FIELD"), (name, answer.body)


@pytest.mark.parametrize(
    ("operation", "parameter"), PARAMETERS, ids=lambda part: part.name if hasattr(part, "name") else part["name"]
)
def test_a_parameter_that_is_wrong(calls, operation, parameter):
    name, several = parameter["name"], parameter["schema"]["type"] == "array"
    others = {known: value for known, value in QUERY.items() if f"{known}=" in right_query(operation) and known != name}
    faults = []
    for value in wrong_for(parameter):
        answer = calls.send(operation.name, query=urlencode({**others, name: value}, doseq=True))
        named = {error["pointer"] for error in answer.body.get("errors", ())}
        if answer.code != "INVALID_FIELD" or not named & {f"/{name}", f"/{name}/0"}:
            faults.append(f"{value!r}: {answer.status} {answer.body}")
    assert not faults, "\n".join(faults)
    assert several or parameter.get("required") or name in SINGLE


def wrong_for(parameter):
    """Wrong values of a parameter, among them two where it takes one, and too many."""
    schema, name = parameter["schema"], parameter["name"]
    if schema["type"] == "array":
        return [*NO_UTF8, *wrong_texts(schema["items"], SEEDS[name]), [SEEDS[name]] * 51]
    if schema["type"] == "integer":
        return [*NO_UTF8, *(text for text in NUMBERS if not in_range(schema, text)), ["1", "1"]]
    texts = CURSORS if name == "cursor" else wrong_texts(schema, SEEDS[name])
    none = [] if not parameter.get("required") else [[]]
    return [*NO_UTF8, *texts, ["1", "2"], *none]


def in_range(schema, text):
    """Whether an integer parameter takes this text."""
    digits = text.isascii() and text.isdigit() and str(int(text)) == text
    return digits and schema.get("minimum", 0) <= int(text) <= schema.get("maximum", 2**63 - 1)


def test_the_seeds_are_right():
    for _, parameter in PARAMETERS:
        schema = parameter["schema"].get("items", parameter["schema"])
        if schema["type"] == "string" and parameter["name"] != "cursor":
            assert fits_text(schema, SEEDS[parameter["name"]])
