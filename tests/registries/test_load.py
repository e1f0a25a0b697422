"""Loading a file: all or nothing, as often as one likes, and what is published stays as it is."""

from pathlib import Path

import pytest

from registries.exchange.load import load_definitions
from registries.models import (
    DataSchemaDefinition,
    DefinitionScope,
    OperationDefinition,
    StatusDefinitionSet,
)
from tests.registries.support import (
    MODELS,
    SCOPE,
    TENANT,
    all_rows,
    changes,
    file,
    load,
    operation,
    refusals,
    schema,
    status,
    status_set,
    statuses,
)

WORKED_EXAMPLE = Path(__file__).parents[2] / "examples" / "definitions" / "worked_example.yaml"

pytestmark = pytest.mark.django_db


def test_a_file_becomes_rows():
    load(
        schemas=[schema()],
        sets=[status_set(taskDataSchemas=["document.parsed.v1"])],
        operations=[operation(errors=[{"code": "E", "userMessage": {"en": "Try again."}, "actions": ["RETRY"]}])],
    )
    scope = DefinitionScope.objects.get()
    assert (scope.tenant_id, scope.authority_scope) == (TENANT, SCOPE)
    row = OperationDefinition.objects.get()
    assert (row.code, row.task_type_pattern, row.version, row.state) == ("DOCUMENT.PARSE", "*", 1, "published")
    assert row.errors == [{"code": "E", "user_message": {"en": "Try again."}, "actions": ["RETRY"]}]
    assert row.published_at is not None
    assert row.retired_at is None
    stored = StatusDefinitionSet.objects.get()
    assert [(code.code, code.terminal) for code in stored.statuses.order_by("pk")] == [
        ("QUEUED", False),
        ("PARSING", False),
        ("DONE", True),
    ]
    assert stored.task_data_schemas == ["document.parsed.v1"]
    assert DataSchemaDefinition.objects.get().state == "published"


def test_the_same_file_twice_changes_nothing():
    content = WORKED_EXAMPLE.read_bytes()
    load_definitions(content)
    before = all_rows()
    report = load_definitions(content)
    assert {step.change for step in report.steps} == {"unchanged"}
    assert all_rows() == before


def test_order_and_spelled_out_defaults_make_no_difference():
    load(sets=[status_set()], operations=[operation()])
    spelled = operation(
        maxAttempts=3,
        progressMinIntervalSeconds=1,
        displayName={"en": "DOCUMENT.PARSE"},
        noProgressSeconds=None,
        allowedEventTypes=["STEP_STARTED", *operation()["allowedEventTypes"]],
    )
    codes = [code | {"order": 0, "severity": "INFO"} for code in reversed(statuses())]
    assert changes(sets=[status_set(statuses=codes)], operations=[spelled]) == {"unchanged": 2}


def test_a_new_version_stands_beside_the_old_one():
    load(operations=[operation()])
    assert changes(operations=[operation(version=2, maxAttempts=5)]) == {"created": 1}
    assert OperationDefinition.objects.count() == 2


def test_what_a_file_leaves_out_stays_as_it_is():
    load(sets=[status_set()], operations=[operation()], schemas=[schema()])
    before = all_rows()
    load()
    assert all_rows() == before


def test_schemas_may_come_from_the_file_the_registry_or_the_service():
    names = ["document.parsed.v1", "generic.progress.v1"]
    row = operation(allowedDataSchemas={"STEP_COMPLETED": names})
    assert "names document.parsed.v1, which is neither" in refusals(file(operations=[row]))[0]
    assert changes(schemas=[schema()], operations=[row]) == {"created": 2}
    assert changes(operations=[row | {"version": 2}]) == {"created": 1}


def test_a_schema_of_another_scope_is_not_known():
    load(schemas=[schema()])
    other = file(operations=[operation(allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]})], tenant="other")
    assert len(refusals(other)) == 1


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (
            {"operations": [operation(), operation(maxAttempts=1)]},
            "operations[1] (DOCUMENT.PARSE v1): is defined already by operations[0]",
        ),
        ({"sets": [status_set(), status_set()]}, "statusSets[1] (DOCUMENT_PROCESS v1): is defined already"),
        ({"schemas": [schema(), schema()]}, "dataSchemas[1] (document.parsed.v1): is defined already"),
    ],
)
def test_one_definition_twice_in_a_file_is_refused(rows, complaint):
    (found,) = refusals(file(**rows))
    assert complaint in found


def test_one_code_may_stand_under_several_patterns_and_versions():
    rows = [operation(), operation(version=2), operation(taskTypePattern="DOCUMENT_*")]
    assert changes(operations=rows) == {"created": 3}


def test_everything_wrong_is_told_at_once_and_nothing_is_written():
    content = file(
        schemas=[schema(), schema(name="bad.v1", schema={"type": "text"})],
        sets=[status_set(statuses=statuses()[1:]), status_set(version=2)],
        operations=[operation(heartbeatTimeoutSeconds=1), operation("x"), operation(version=2)],
    )
    found = refusals(content)
    assert [problem.split(" ")[0] for problem in found] == [
        "operations[1].code",
        "dataSchemas[1].schema.type",
        "statusSets[0].statuses",
        "statusSets[0].statuses[0].allowedFrom",
        "statusSets[0].statuses[0].allowedFrom",
        "statusSets[0].statuses[1].allowedFrom",
        "operations[0].heartbeatTimeoutSeconds",
    ]
    assert all_rows() == []


def test_a_failure_half_way_leaves_nothing(monkeypatch):
    def fail(self: OperationDefinition, **_options: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(OperationDefinition, "save", fail)
    with pytest.raises(RuntimeError):
        load(schemas=[schema()], sets=[status_set()], operations=[operation()])
    assert not any(model.objects.exists() for model in MODELS if model is not DefinitionScope)


def test_codes_that_differ_in_one_byte_are_two():
    rows = [operation("A.B"), operation("A.B_")]
    assert changes(operations=rows, sets=[status_set(taskType="T"), status_set(taskType="T.")]) == {"created": 4}


def test_a_code_may_mean_one_thing_for_tasks_and_another_for_steps():
    codes = [
        *statuses(),
        status("PARSED", allowedFrom=["PARSING"]),
        status("PARSED", "SUCCEEDED", appliesTo=["STEP"]),
        status("END", "FAILED", allowedFrom=["PARSED"]),
    ]
    assert changes(sets=[status_set(statuses=codes)]) == {"created": 1}
    assert changes(sets=[status_set(statuses=codes)]) == {"unchanged": 1}
