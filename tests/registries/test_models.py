"""The database repeats what definitions promise, by name."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from registries.models import (
    DataSchemaDefinition,
    DefinitionChange,
    DefinitionScope,
    OperationDefinition,
    StatusDefinition,
)
from tests.registries.support import load, operation, schema, status_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def scope() -> DefinitionScope:
    load(schemas=[schema()], sets=[status_set()], operations=[operation()])
    return DefinitionScope.objects.get()


def refused_by(name: str):
    return pytest.raises(IntegrityError, match=name)


@pytest.mark.parametrize(
    ("model", "values", "constraint"),
    [
        (OperationDefinition, {"state": "live"}, "operation_definition_state_times"),
        (OperationDefinition, {"state": "PUBLISHED"}, "operation_definition_state_times"),
        (OperationDefinition, {"published_at": None}, "operation_definition_state_times"),
        (OperationDefinition, {"state": "retired"}, "operation_definition_state_times"),
        (OperationDefinition, {"state": "draft"}, "operation_definition_state_times"),
        (OperationDefinition, {"retired_at": timezone.now()}, "operation_definition_state_times"),
        (OperationDefinition, {"version": 0}, "operation_definition_counts_from_1"),
        (OperationDefinition, {"max_attempts": 0}, "operation_definition_counts_from_1"),
        (OperationDefinition, {"failure_policy": "fail_task"}, "operation_definition_policy_known"),
        (OperationDefinition, {"sequence_policy": "ANY"}, "operation_definition_sequence_known"),
        (OperationDefinition, {"heartbeat_timeout_seconds": 44}, "operation_definition_three_beats"),
        (OperationDefinition, {"progress_min_interval_seconds": 0.01}, "operation_definition_progress_interval"),
        (DataSchemaDefinition, {"max_bytes": 0}, "data_schema_max_bytes"),
        (DataSchemaDefinition, {"max_bytes": 65_537}, "data_schema_max_bytes"),
        (DefinitionChange, {"digest_before": "0"}, "definition_change_digests_by_action"),
        (DefinitionChange, {"action": "read"}, "definition_change_digests_by_action"),
        (DefinitionChange, {"state": "gone"}, "definition_change_state_known"),
        (DefinitionChange, {"source": "rumour"}, "definition_change_source_known"),
        (StatusDefinition, {"lifecycle": "DONE"}, "status_definition_lifecycle_known"),
        (StatusDefinition, {"severity": "info"}, "status_definition_severity_known"),
        (StatusDefinition, {"applies_to_task": False, "applies_to_step": False}, "status_definition_applies"),
    ],
)
def test_a_row_that_breaks_its_promise_is_refused(scope, model, values, constraint):
    row = model.objects.first()
    with refused_by(constraint), transaction.atomic():
        model.objects.filter(pk=row.pk).update(**values)


def test_a_draft_may_still_break_what_publishing_asks(scope):
    OperationDefinition.objects.create(
        scope=scope, code="A", version=1, failure_policy="FAIL_TASK", heartbeat_timeout_seconds=1
    )


def test_no_definition_stands_twice(scope):
    row = OperationDefinition.objects.get()
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.parametrize("scopes", [(True, True), (True, False), (False, True)])
def test_no_code_means_two_things_for_one_scope(scope, scopes):
    row = StatusDefinition.objects.get(code="PARSING")
    row.pk = None
    row.applies_to_task, row.applies_to_step = scopes
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_a_scope_with_definitions_cannot_be_deleted(scope):
    with pytest.raises(ProtectedError):
        scope.delete()
