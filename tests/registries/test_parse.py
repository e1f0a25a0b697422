"""The form of a file: each fault is named with its path and its row, and all of them at once."""

from typing import Any

import pytest

from registries.exchange.parse import parse_definitions
from registries.problems import DefinitionsRefusedError
from tests.registries.support import file, operation, schema, status, status_set


def problems(**rows: Any) -> list[str]:
    return [str(problem) for problem in parse_definitions(file(**rows)).problems]


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ({"apiVersion": "task-status/v2"}, "apiVersion: must be 'task-status/v1'"),
        ({"tenant": None}, "tenant: is missing; add it"),
        ({"tenant": "a b"}, "tenant: has characters that are not allowed here; it must match"),
        ({"authorityScope": ""}, "authorityScope: has characters that are not allowed here; it must match"),
        ({"tenant": 3}, "tenant: must be text"),
        ({"kind": "x"}, "kind: is no member of definitions; take it out, or correct its name"),
        ({"dataSchemas": {"x": 1}}, "dataSchemas: must be a list"),
    ],
)
def test_the_header_is_judged_first(header, complaint):
    with pytest.raises(DefinitionsRefusedError) as refusal:
        parse_definitions(file(**header))
    assert complaint in str(refusal.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"3", b"text"])
def test_what_is_no_map_is_refused(content):
    with pytest.raises(DefinitionsRefusedError, match="must be a map of members"):
        parse_definitions(content)


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ({"operations": [operation(polcy=1)]}, "operations[0].polcy (DOCUMENT.PARSE v1): is no member"),
        (
            {"sets": [status_set(statuses=[status("A", lifecycl="X")])]},
            "statusSets[0].statuses[0].lifecycl (DOCUMENT_PROCESS v1, A): is no member",
        ),
        ({"schemas": [schema(state="published")]}, "dataSchemas[0].state (document.parsed.v1): is no member"),
        (
            {"operations": [operation(errors=[{"code": "E", "text": {}}])]},
            "operations[0].errors[0].text (DOCUMENT.PARSE v1, E): is no member",
        ),
        ({"operations": [None]}, "operations[0]: must be a map"),
        ({"operations": [operation(version=0)]}, "operations[0].version"),
        ({"operations": [operation(version=True)]}, "operations[0].version"),
        ({"operations": [operation(version="1")]}, "operations[0].version"),
        ({"operations": [operation(version=1.0)]}, "operations[0].version"),
        ({"operations": [operation(version=2**31)]}, "operations[0].version"),
        ({"operations": [operation(code="document.parse")]}, "operations[0].code"),
        ({"operations": [operation(code="1A")]}, "operations[0].code"),
        ({"operations": [operation(code="A" * 129)]}, "operations[0].code"),
        ({"operations": [operation(code="A\n")]}, "operations[0].code"),
        ({"operations": [operation(state="live")]}, "operations[0].state"),
        ({"operations": [operation(producerPattern="a b")]}, "operations[0].producerPattern"),
        ({"operations": [operation(allowedEventTypes=["STEP_DONE"])]}, "operations[0].allowedEventTypes[0]"),
        ({"operations": [operation(allowedEventTypes="STEP_STARTED")]}, "operations[0].allowedEventTypes"),
        ({"operations": [operation(failurePolicy="RETRY")]}, "operations[0].failurePolicy"),
        ({"operations": [operation(sequencePolicy="LOOSE")]}, "operations[0].sequencePolicy"),
        ({"operations": [operation(maxAttempts=0)]}, "operations[0].maxAttempts"),
        ({"operations": [operation(heartbeatIntervalSeconds=3601)]}, "operations[0].heartbeatIntervalSeconds"),
        ({"operations": [operation(noProgressSeconds=0)]}, "operations[0].noProgressSeconds"),
        ({"operations": [operation(progressMinIntervalSeconds=0.05)]}, "operations[0].progressMinInterval"),
        ({"operations": [operation(progressMinIntervalSeconds=61)]}, "operations[0].progressMinInterval"),
        ({"operations": [operation(policyExecutor="*")]}, "operations[0].policyExecutor"),
        ({"operations": [operation(generic="yes")]}, "operations[0].generic"),
        ({"operations": [operation(displayName={"not a tag": "x"})]}, "operations[0].displayName.not a tag"),
        ({"operations": [operation(displayName={"en": "a\u0007"})]}, "operations[0].displayName.en"),
        ({"operations": [operation(displayName={"en": "x" * 256})]}, "operations[0].displayName.en"),
        (
            {"operations": [operation(errors=[{"code": "E", "userMessage": {"en": ""}}])]},
            "operations[0].errors[0].userMessage.en",
        ),
        ({"sets": [status_set(taskType="doc")]}, "statusSets[0].taskType"),
        ({"sets": [status_set(taskDataSchemas=["x"])]}, "statusSets[0].taskDataSchemas[0]"),
        ({"sets": [status_set(statuses=[status("A", appliesTo=[])])]}, "statuses[0].appliesTo"),
        ({"sets": [status_set(statuses=[status("A", appliesTo=["ALL"])])]}, "statuses[0].appliesTo[0]"),
        ({"sets": [status_set(statuses=[status("A", "DONE")])]}, "statuses[0].lifecycle"),
        ({"sets": [status_set(statuses=[status("A", severity="BAD")])]}, "statuses[0].severity"),
        ({"sets": [status_set(statuses=[status("A", order="1")])]}, "statuses[0].order"),
        ({"sets": [status_set(statuses=[status("A", allowedFrom=["@any"])])]}, "statuses[0].allowedFrom[0]"),
        ({"sets": [status_set(statuses=[status("A" * 65)])]}, "statuses[0].code"),
        ({"schemas": [schema(name="document.parsed")]}, "dataSchemas[0].name"),
        ({"schemas": [schema(name="document.parsed.v0")]}, "dataSchemas[0].name"),
        ({"schemas": [schema(name="x" * 127 + ".v1")]}, "dataSchemas[0].name"),
        ({"schemas": [schema(schema=True)]}, "dataSchemas[0].schema"),
        ({"schemas": [schema(views={"EVERYBODY": []})]}, "dataSchemas[0].views.EVERYBODY"),
        ({"schemas": [schema(masks={"pageCount": "BLUR"})]}, "dataSchemas[0].masks.pageCount"),
        ({"schemas": [schema(maxBytes="4096")]}, "dataSchemas[0].maxBytes"),
    ],
)
def test_a_fault_of_form_is_named_with_its_path(rows, complaint):
    found = problems(**rows)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("member", "row", "required"),
    [
        ("dataSchemas", schema(), ["name", "schema"]),
        ("statusSets", status_set(), ["taskType", "version", "state"]),
        (
            "operations",
            operation(),
            ["code", "version", "state", "producerPattern", "allowedEventTypes", "failurePolicy"],
        ),
    ],
)
def test_what_is_required_is_missed(member, row, required):
    found = parse_definitions(file(**{member: [{}]})).problems
    assert {problem.path for problem in found} >= {f"{member}[0].{name}" for name in required}
    for name in required:
        without = {key: value for key, value in row.items() if key != name}
        (problem,) = parse_definitions(file(**{member: [without]})).problems
        assert (problem.path, problem.message) == (f"{member}[0].{name}", "is missing; add it")


@pytest.mark.parametrize("name", ["code", "appliesTo", "lifecycle"])
def test_what_a_status_requires_is_missed(name):
    without = {key: value for key, value in status("A").items() if key != name}
    (found,) = problems(sets=[status_set(statuses=[without])])
    assert f"statusSets[0].statuses[0].{name}" in found
    assert "is missing; add it" in found


def test_the_faults_of_all_rows_are_told_at_once():
    found = problems(
        schemas=[schema(name="x")],
        sets=[status_set(version=0), status_set(state="x", statuses=[status("a"), status("B", "X")])],
        operations=[operation(code="x"), {}],
    )
    assert len(found) == 1 + 1 + 3 + 1 + 6


def test_defaults_are_filled_in():
    parsed = parse_definitions(
        file(
            schemas=[schema()],
            sets=[status_set(statuses=[status("A"), status("B", "FAILED")])],
            operations=[operation()],
        )
    )
    data_schema, sets, operations = (placed.item.model_dump(by_alias=True) for placed in parsed.rows)
    assert data_schema["maxBytes"] == 4096
    assert (data_schema["views"], data_schema["masks"]) == ({}, {})
    assert [status["terminal"] for status in sets["statuses"]] == [False, True]
    assert sets["statuses"][0] == {
        "code": "A",
        "appliesTo": ["TASK"],
        "displayName": {"en": "A"},
        "lifecycle": "RUNNING",
        "terminal": False,
        "severity": "INFO",
        "order": 0,
        "initial": False,
        "allowedFrom": [],
        "presentation": {},
    }
    assert operations == {
        "code": "DOCUMENT.PARSE",
        "taskTypePattern": "*",
        "version": 1,
        "state": "published",
        "displayName": {"en": "DOCUMENT.PARSE"},
        "producerPattern": "document-parser",
        "allowedEventTypes": sorted(operations["allowedEventTypes"]),
        "allowedDataSchemas": {},
        "failurePolicy": "FAIL_TASK",
        "maxAttempts": 3,
        "heartbeatIntervalSeconds": 15,
        "heartbeatTimeoutSeconds": 60,
        "noProgressSeconds": None,
        "startDeadlineSeconds": None,
        "sequencePolicy": "GAPS_ALLOWED",
        "policyExecutor": None,
        "progressMinIntervalSeconds": 1.0,
        "staleEscalationSeconds": None,
        "errors": [],
        "generic": False,
    }


def test_null_means_absent():
    parsed = parse_definitions(
        file(operations=[operation(displayName=None, errors=None, heartbeatIntervalSeconds=None)])
    )
    assert not parsed.problems
    assert parsed.rows[0].item.content() == parse_definitions(file(operations=[operation()])).rows[0].item.content()
