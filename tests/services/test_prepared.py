"""A prepared query gives what the ORM's own would give, for any number of ids."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from taskstatus.models import Step, Task
from taskstatus.queries.clock import READINGS
from taskstatus.queries.prepared import Prepared
from tests.support.cast import coordinator, step_body

pytestmark = pytest.mark.django_db(transaction=True)


def tasks_of(ids):
    return Task.objects.filter(pk__in=ids).order_by("pk").select_for_update().annotate(**READINGS)


def steps_of(task_ids, execution_ids):
    return Step.objects.filter(task_id__in=task_ids, execution_id__in=execution_ids).select_related("lease")


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def new_tasks(number):
    anna = coordinator()
    return sorted(anna.task(step_body(), title=f"Task {n}")["taskId"] for n in range(number))


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_it_reads_the_same_rows_in_the_same_order(number):
    ids = new_tasks(number)
    prepared = Prepared(tasks_of)
    with transaction.atomic():
        assert [values(row) for row in prepared.rows(ids)] == [values(row) for row in tasks_of(ids)]


def test_annotations_are_attributes_with_their_own_types():
    ids = new_tasks(1)
    with transaction.atomic():
        (task,) = Prepared(tasks_of).rows(ids)
    assert (task.db_now >= task.created_at, task.db_epoch) == (True, 1)


def test_related_rows_come_along_without_another_query():
    anna = coordinator()
    alive = anna.running()
    waiting = anna.worker(anna.task(step_body())["taskId"])
    workers = (alive, waiting)
    ids = [[w.context["taskId"] for w in workers], [w.context["executionId"] for w in workers]]
    rows = {row.execution_id: row for row in Prepared(steps_of).rows(*ids)}
    with CaptureQueriesContext(connection) as queries:
        assert rows[alive.context["executionId"]].lease.heartbeat_seq == 0
        assert getattr(rows[waiting.context["executionId"]], "lease", None) is None
    assert len(queries) == 0


def test_values_come_as_tuples_in_the_order_named_with_their_own_types():
    ids = new_tasks(2)
    names = ("created_at", "id", "cancel_requested_at", "db_epoch", "db_now", "version")
    with transaction.atomic():
        values, others = Prepared(lambda ids: tasks_of(ids).values_list(*names)).rows(ids)
    assert (values[1], others[1]) == tuple(ids)
    assert values[2:4] == (None, 1)
    assert values[0].utcoffset() == values[4].utcoffset() == timedelta(0)
    assert values[4] >= values[0]
    assert values[5] == Task.objects.get(pk=ids[0]).version


def test_the_orm_is_asked_once_for_lengths_that_are_alike():
    built = []
    prepared = Prepared(lambda ids: built.append(len(ids)) or Task.objects.filter(pk__in=ids))
    for length in (3, 4, 3, 1, 5):
        prepared.rows([f"task-{n}" for n in range(length)])
    assert built == [4, 1, 8]


def test_an_empty_second_list_is_a_shape_too():
    (task_id,) = new_tasks(1)
    assert Prepared(steps_of_any).rows([task_id], [])[0].task_id == task_id


def steps_of_any(task_ids, execution_ids):
    return Step.objects.filter(task_id__in=task_ids) | Step.objects.filter(execution_id__in=execution_ids)
