"""Drafts change, published definitions are frozen, retired ones stay retired (rulings 41, 42)."""

import pytest

from registries.models import DataSchemaDefinition, DefinitionScope, OperationDefinition, StatusDefinition
from tests.registries.support import (
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

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("first", "then", "complaint"),
    [
        (
            {"operations": [operation()]},
            {"operations": [operation(maxAttempts=4, producerPattern="other")]},
            "is published and frozen, and the file differs in producerPattern, maxAttempts; give the",
        ),
        (
            {"operations": [operation()]},
            {"operations": [operation(maxAttempts=4, state="retired")]},
            "is published and frozen",
        ),
        (
            {"sets": [status_set()]},
            {"sets": [status_set(statuses=[*statuses(), status("LOST", "FAILED", allowedFrom=["*"])])]},
            "statusSets[0] (DOCUMENT_PROCESS v1): is published and frozen, and the file differs in statuses",
        ),
        (
            {"schemas": [schema()]},
            {"schemas": [schema(maxBytes=100)]},
            "dataSchemas[0] (document.parsed.v1): is published and frozen, and the file differs in maxBytes",
        ),
        (
            {"schemas": [schema(schema={"properties": {"a": {"const": 1}}})]},
            {"schemas": [schema(schema={"properties": {"a": {"const": True}}})]},
            "differs in schema",
        ),
        (
            {"operations": [operation()]},
            {"operations": [operation(state="draft")]},
            "operations[0].state (DOCUMENT.PARSE v1): can't go from published back to draft",
        ),
        (
            {"operations": [operation(state="retired")]},
            {"operations": [operation()]},
            "operations[0].state (DOCUMENT.PARSE v1): can't go from retired back to published",
        ),
        (
            {"operations": [operation(state="retired")]},
            {"operations": [operation(maxAttempts=1)]},
            "is retired and frozen",
        ),
    ],
)
def test_what_is_published_is_frozen(first, then, complaint):
    load(**first)
    before = all_rows()
    (found,) = refusals(file(**then))
    assert complaint in found
    assert all_rows() == before


def test_a_published_definition_can_be_retired():
    load(sets=[status_set()], operations=[operation()])
    stamp = DefinitionScope.objects.get().stamp
    assert changes(sets=[status_set(state="retired")], operations=[operation(state="retired")]) == {"retired": 2}
    row = OperationDefinition.objects.get()
    assert row.state == "retired"
    assert row.retired_at >= row.published_at
    assert DefinitionScope.objects.get().stamp != stamp
    assert StatusDefinition.objects.count() == 3
    assert changes(operations=[operation(state="retired")]) == {"unchanged": 1}


def test_a_draft_may_be_changed_and_published():
    load(sets=[status_set(state="draft", statuses=[])], operations=[operation(state="draft")])
    assert changes(sets=[status_set(state="draft", statuses=statuses()[:1])]) == {"updated": 1}
    assert changes(sets=[status_set(state="draft", statuses=statuses()[:1])]) == {"unchanged": 1}
    assert changes(sets=[status_set()], operations=[operation(maxAttempts=7)]) == {"published": 2}
    row = OperationDefinition.objects.get()
    assert (row.state, row.max_attempts) == ("published", 7)
    assert row.published_at is not None
    assert StatusDefinition.objects.count() == 3


def test_publishing_a_draft_keeps_the_rules():
    load(operations=[operation(state="draft", heartbeatTimeoutSeconds=1)])
    (found,) = refusals(file(operations=[operation(heartbeatTimeoutSeconds=1)]))
    assert "operations[0].heartbeatTimeoutSeconds (DOCUMENT.PARSE v1): is 1, under three intervals" in found


def test_what_was_published_under_older_rules_can_still_be_loaded_and_retired():
    load(schemas=[schema()], operations=[operation(allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]})])
    DataSchemaDefinition.objects.all().delete()
    row = operation(allowedDataSchemas={"STEP_COMPLETED": ["document.parsed.v1"]})
    assert changes(operations=[row]) == {"unchanged": 1}
    assert changes(operations=[row | {"state": "retired"}]) == {"retired": 1}
