"""Bulk statements lock their own rows alone, also where a table is so small that reading it whole looks cheaper.

Reading it whole locked rows of other tasks too, and two batches of different tasks could deadlock.
"""

import pytest
from django.db import connection

from tests.support.api import Api, service_api
from tests.support.cast import Coordinator, Worker, coordinator
from tests.support.plans import capturing
from tests.support.rival import rival

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C18"), pytest.mark.usefixtures("row_locks")]

BULK = ("UPDATE JSON_TABLE", "DELETE t FROM JSON_TABLE")


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


@pytest.fixture
def api() -> Api:
    return service_api("worker-a", "worker")


def batch(workers: list[Worker], event_type: str) -> dict[str, object]:
    """A report of each worker, by handle."""
    return {
        "events": [
            worker.event(event_type) | {"executionHandle": worker.context["executionHandle"]} for worker in workers
        ]
    }


def test_the_rows_of_a_bulk_statement_are_found_by_their_key(carol, api):
    workers = [carol.running(), carol.running()]
    with capturing() as statements:
        api.post("/task-events:batch", batch(workers, "STEP_COMPLETED")).ok()
    bulk = [statement for statement in statements if statement.sql.startswith(BULK)]
    assert len(bulk) == 3  # tasks and steps are updated, leases deleted
    for statement in bulk:
        assert (statement.access("t")["type"], statement.access("t")["key"]) == ("eq_ref", "PRIMARY"), statement.sql


def test_a_batch_does_not_wait_for_a_task_that_it_says_nothing_of(carol, api):
    workers = [carol.running() for _ in range(3)]
    stranger = workers.pop(1).context
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION innodb_lock_wait_timeout = 1")
    try:
        with rival() as other:
            other.lock_task(stranger["taskId"])
            other.run("SELECT id FROM task_step WHERE execution_id = %s FOR UPDATE", stranger["executionId"])
            other.run("SELECT * FROM task_execution_lease WHERE execution_id = %s FOR UPDATE", stranger["executionId"])
            items = api.post("/task-events:batch", batch(workers, "STEP_COMPLETED")).ok()["results"]
    finally:
        connection.close()
    assert [item["accepted"] for item in items] == [True, True]
