"""What is bound to a definition is counted, by index and up to a limit."""

import pytest

from registries.kinds import DefinitionRow
from registries.models import DataSchemaDefinition, OperationDefinition, StatusDefinitionSet
from registries.uses import use_counts
from taskstatus.queries import definition_uses
from taskstatus.queries.definition_uses import uses_of
from tests.support.cast import coordinator, step_body
from tests.support.definitions import define, operation, status, status_set
from tests.support.plans import analyze, capturing

pytestmark = pytest.mark.django_db(transaction=True)

CODES = (
    status("NEW", "PENDING", "TASK", initial=True),
    status("READ", "SUCCEEDED", "TASK", allowedFrom=["NEW"]),
)


@pytest.fixture
def rows() -> list[DefinitionRow]:
    """Two versions of a set and of an operation, and a schema that the second operation names."""
    schema = {"name": "pages.v1", "schema": {"properties": {"pages": {"type": "integer"}}}}
    named = {"STEP_COMPLETED": ["pages.v1"]}
    define(
        schemas=[schema],
        sets=[status_set(*CODES), status_set(*CODES, version=2)],
        operations=[operation(), operation(version=2, allowedDataSchemas=named)],
    )
    sets = StatusDefinitionSet.objects.select_related("scope").order_by("version")
    return [*sets, *OperationDefinition.objects.order_by("version"), DataSchemaDefinition.objects.get()]


def counts(rows: list[DefinitionRow]) -> list[str]:
    return [str(use) for use in uses_of(rows)]


def test_tasks_and_executions_are_counted_by_what_they_are_bound_to(rows):
    carol = coordinator()
    for version in (1, 1, 2):
        task = carol.task(
            step_body(operationDefinitionVersion=version), taskType="PAPER", statusDefinitionVersion=version
        )
        carol.activate(task["taskId"])
    carol.task(step_body())
    assert counts(rows) == ["2", "1", "2", "2", "0"]


def test_another_scope_has_its_own(rows):
    define(sets=[status_set(*CODES)], scope="other")
    coordinator(scope="other").task(taskType="PAPER")
    assert counts(rows)[:2] == ["0", "0"]


def test_counting_stops(rows, monkeypatch):
    monkeypatch.setattr(definition_uses, "MOST_COUNTED", 2)
    carol = coordinator()
    for _ in range(2):
        carol.task(taskType="PAPER")
    assert counts(rows)[1] == "2"
    carol.task(taskType="PAPER")
    assert counts(rows)[1] == "2+"


def test_nothing_to_count_asks_nothing(rows, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert counts([]) == []
        assert counts(rows[-1:]) == ["0"]
    with django_assert_num_queries(1):
        counts(rows)


@pytest.mark.usefixtures("row_locks")
def test_the_indexes_serve_it(rows):
    carol = coordinator()
    carol.workflow(
        *[{"clientTaskKey": str(n), "title": "t", "taskType": "PAPER", "knownSteps": [step_body()]} for n in range(40)]
    )
    analyze("task", "task_step")
    with capturing() as statements:
        uses_of(rows)
    (statement,) = statements
    assert statement.access("task")["key"] == "task_bound_set_idx"
    assert statement.access("task_step")["key"] == "task_step_operation_idx"


def test_a_schema_is_needed_by_the_definitions_of_its_scope_that_name_it(rows):
    schema = rows[-1]
    assert isinstance(schema, DataSchemaDefinition)
    define(sets=[status_set(*CODES, version=3, taskDataSchemas=["pages.v1"])])
    define(schemas=[{"name": "pages.v1", "schema": {}}], scope="other")
    alone = DataSchemaDefinition.objects.get(scope__authority_scope="other")
    assert use_counts([schema, alone]) == [2, 0]
