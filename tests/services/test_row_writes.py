"""Rows are written by one statement: only what changed, only over what was read, and as the ORM would."""

from datetime import UTC, datetime

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from taskstatus.models import EventDedup, Task
from taskstatus.services.new_rows import new_row
from taskstatus.services.row_book import RowBook
from taskstatus.services.unit_of_work import ConcurrentChangeError
from taskstatus.services.writes import Writes
from tests.support.cast import coordinator, step_body
from tests.support.writes import insert_rows

pytestmark = pytest.mark.django_db(transaction=True)

COLUMNS = ("version", "title", "actions", "requires_action", "cancel_requested_at", "duration_ms")
NOON = datetime(2026, 1, 1, 12, 0, 0, 123456, UTC)


def new_tasks(number):
    ids = [coordinator().task(step_body())["taskId"] for _ in range(number)]
    return list(Task.objects.filter(pk__in=ids).order_by("pk"))


def book_of(tasks):
    book = RowBook(COLUMNS, "version")
    for task in tasks:
        book.add(task)
    return book


def flush(book):
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        writes = Writes()
        book.write(writes)
        writes.send()
    return [query["sql"] for query in queries]


@pytest.mark.parametrize("number", [1, 2])
def test_values_of_every_kind_arrive(number):
    tasks = new_tasks(number)
    book = book_of(tasks)
    for task in tasks:
        task.version += 1
        task.title, task.actions, task.requires_action = "Größer 🚀 \\ %s", ["ASK", "é"], True
        task.cancel_requested_at, task.duration_ms = NOON, 2**63 - 1
    assert len(flush(book)) == 1
    for task in tasks:
        stored = Task.objects.get(pk=task.pk)
        assert [getattr(stored, name) for name in COLUMNS] == [getattr(task, name) for name in COLUMNS]


@pytest.mark.parametrize("number", [1, 2])
def test_columns_that_no_row_changed_are_left_out(number):
    tasks = new_tasks(number)
    book = book_of(tasks)
    for task in tasks:
        task.title = "Another"
    (statement,) = flush(book)
    assert "title" in statement
    assert "actions" not in statement


def test_rows_that_did_not_change_are_not_written():
    first, second = new_tasks(2)
    book = book_of([first, second])
    second.title = second.title
    assert flush(book) == []


@pytest.mark.parametrize("number", [1, 2])
def test_a_row_that_another_changed_is_not_overwritten(number):
    tasks = new_tasks(number)
    book = book_of(tasks)
    for task in tasks:
        task.title = "Mine"
    Task.objects.filter(pk=tasks[-1].pk).update(version=7)
    with pytest.raises(ConcurrentChangeError):
        flush(book)
    assert "Mine" not in Task.objects.values_list("title", flat=True)


def test_inserted_rows_are_as_the_orm_would_have_written_them():
    rows = [dedup(f"event-{number}") for number in range(3)]
    insert_rows(rows)
    dedup("by-the-orm").save()
    *ours, theirs = EventDedup.objects.order_by("pk").values()
    assert [row["event_id"] for row in ours] == ["event-0", "event-1", "event-2"]
    assert all({**row, "id": 0, "event_id": ""} == {**theirs, "id": 0, "event_id": ""} for row in ours)


def test_more_rows_than_one_statement_takes_parameters_for_are_written_too():
    insert_rows([dedup(f"event-{number}") for number in range(300)])
    assert EventDedup.objects.count() == 300


def dedup(event_id):
    return EventDedup(
        tenant_id="acme",
        event_id=event_id,
        authority_scope="papers",
        producer_id="worker",
        aggregate_id="tsk_1",
        payload_hash="0" * 64,
        result={"reason": None, "title": "é \\ %s 🚀"},
        created_at=NOON,
    )


def test_a_new_row_is_what_its_model_makes_of_the_same_columns():
    columns = {"tenant_id": "acme", "event_id": "e1", "result": {"accepted": True}, "created_at": NOON}
    made, row = EventDedup(**columns), new_row(EventDedup, **columns)
    assert {**vars(row), "_state": None} == {**vars(made), "_state": None}
    assert (vars(row._state), row.pk) == (vars(made._state), None)
    assert new_row(EventDedup) is not new_row(EventDedup)


def test_a_new_row_takes_no_column_that_its_model_lacks():
    with pytest.raises(TypeError, match=r"EventDedup has no \['tenant'\]"):
        new_row(EventDedup, tenant="acme")


def test_a_model_with_a_default_of_its_own_for_each_row_is_made_by_django():
    with pytest.raises(TypeError, match="Task has a default"):
        new_row(Task)
