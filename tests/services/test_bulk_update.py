"""Many rows written by one statement: every kind of column keeps every value, and a moved guard stops all of it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.test.utils import CaptureQueriesContext

from taskstatus.models import ExecutionLease, Step, Task
from taskstatus.services.unit_of_work import ConcurrentChangeError
from tests.support.cast import coordinator, step_body, task_body
from tests.support.writes import delete_rows, update_rows

pytestmark = pytest.mark.django_db

TEXTS = [
    "plain", "it's", 'say "hi"', "back\\slash \\n \\u0041", "%s %(name)s %%", "tab\tand\nline", "排队中", "👩‍🚀🏳️‍🌈",
    "مرحبا", "e\u0301é", "null", "NULL", "true", "0", "1e5", "-0", '{"a": 1}', "[1]", "\ud7ff\ufffd", " around ",
    "`t`;--", "字" * 255,
]  # fmt: skip
JSON_VALUES = [
    {},
    [],
    "text",
    0,
    {"quote": "a \"b\" 'c' \\ /", "排": "👩‍🚀", "nested": [1, 2.5, -1, None, True, {"k": []}]},
    {"big": 2**63 - 1, "small": -(2**63) + 1, "e": 1e300},
    {"like": "\\u0041 %s \t\n"},
]
MOMENTS = [
    datetime(2026, 9, 21, 7, 10, 18, 1, tzinfo=UTC),
    datetime(2026, 9, 21, 7, 10, 18, 999_999, tzinfo=UTC),
    datetime(2999, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
]
NUMBERS = [0, 1, 2**31, 2**53 + 1, 2**63 - 1]
# One column of each kind.
VALUES = [
    (Task, "title", TEXTS),
    (Task, "failure_message", [None, *TEXTS]),
    (Task, "product_id", [None, "A0._-", "a", "A", " ", "é", "null"]),
    (Task, "actions", JSON_VALUES),
    (Task, "summary_data", [None, *JSON_VALUES]),
    (Task, "sensitive", [True, False]),
    (Task, "cancel_requested_at", [None, *MOMENTS]),
    (Task, "refusal_count", NUMBERS),
    (Step, "message", [None, "", "x" * 70_000, *TEXTS]),
    (Step, "error_retryable", [None, True, False]),
    (Step, "last_heartbeat_seq", NUMBERS),
    (Step, "depth", NUMBERS),
]


def rows_of(model, number):
    """So many tasks, or as many steps with one each, made through the service."""
    coordinator().workflow(*[task_body(step_body()) for _ in range(number)])
    return list(model.objects.order_by("pk"))


@pytest.mark.parametrize(("model", "column", "values"), VALUES, ids=[f"{m.__name__}.{c}" for m, c, _ in VALUES])
def test_a_column_keeps_each_value_to_the_last_byte(model, column, values):
    rows = rows_of(model, len(values))
    for row, value in zip(rows, values, strict=True):
        setattr(row, column, value)
    update_rows(rows, (column,), "version", [row.version for row in rows])
    assert list(model.objects.order_by("pk").values_list(column, flat=True)) == values


def test_a_moment_in_another_zone_is_stored_as_the_same_moment():
    (task,) = rows_of(Task, 1)
    task.cancel_requested_at = datetime(2026, 9, 21, 9, 10, 18, tzinfo=timezone(timedelta(hours=2)))
    update_rows([task], ("cancel_requested_at",), "version", [task.version])
    task.refresh_from_db()
    assert task.cancel_requested_at == datetime(2026, 9, 21, 7, 10, 18, tzinfo=UTC)


def test_a_value_that_does_not_fit_is_an_error_and_never_cut_or_dropped():
    (task,) = rows_of(Task, 1)
    task.failure_code = "X" * 129
    if connection.vendor == "sqlite":
        pytest.skip("SQLite's columns have no length")
    with pytest.raises(DatabaseError), transaction.atomic():
        update_rows([task], ("failure_code",), "version", [task.version])


def test_all_rows_are_one_statement_and_others_stay_as_they_are():
    rows = rows_of(Task, 5)
    for row in rows[:4]:
        row.version += 1
        row.title = f"New {row.version}"
    with CaptureQueriesContext(connection) as queries:
        update_rows(rows[:4], ("version", "title"), "version", [row.version - 1 for row in rows[:4]])
    assert len(queries) == 1
    stored = list(Task.objects.order_by("pk").values_list("version", "title"))
    assert stored == [(2, "New 2")] * 4 + [(1, rows[4].title)]


def test_no_rows_are_no_statement():
    with CaptureQueriesContext(connection) as queries:
        update_rows([], ("version",), "version", [])
        delete_rows(ExecutionLease, [])
    assert len(queries) == 0


@pytest.mark.parametrize("moved", [[0], [2], [0, 1, 2]])
def test_a_row_that_moved_under_us_stops_the_whole_use_case(moved):
    rows = rows_of(Task, 3)
    guards = [row.version + (number in moved) for number, row in enumerate(rows)]
    with pytest.raises(ConcurrentChangeError, match=f"{3 - len(moved)} of 3 rows of task "):
        update_rows(rows, ("title",), "version", guards)


def test_a_row_that_is_gone_stops_it_too():
    (task,) = rows_of(Task, 1)
    gone = Task(id="tsk_000_GONE", version=1)
    with pytest.raises(ConcurrentChangeError):
        update_rows([task, gone], ("title",), "version", [1, 1])


def test_the_same_values_again_count_as_written():
    rows = rows_of(Task, 2)
    for _ in range(2):
        update_rows(rows, ("title", "sensitive"), "version", [1, 1])


def test_a_relation_is_written_by_its_key():
    (first,) = rows_of(Task, 1)
    second = rows_of(Task, 1)[1]
    second.workflow = first.workflow
    update_rows([second], ("workflow",), "version", [1])
    second.refresh_from_db()
    assert second.workflow_id == first.workflow_id


def test_only_the_named_rows_are_deleted():
    carol = coordinator()
    workers = [carol.running() for _ in range(3)]
    first, second, third = (worker.context["executionId"] for worker in workers)
    delete_rows(ExecutionLease, [first, third, "exe_000_GONE"])
    assert list(ExecutionLease.objects.values_list("pk", flat=True)) == [second]
