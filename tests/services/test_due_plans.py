"""The reconciler reads what is due by index, in order, without a lock, and in statements whose number is bounded."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from taskstatus.models import ExecutionLease, ServiceOutage, Step
from taskstatus.queries.due_health import ended_outages, overdue_leases, tasks_of_due_steps
from taskstatus.services import reconcile_health as reconciler
from tests.support.cast import Coordinator, coordinator, step_body, task_body
from tests.support.crews import crew
from tests.support.plans import Statement, analyze, capturing
from tests.support.reconciling import outage, reconciled, silence
from tests.support.rival import rival

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H03")]

LEASES, TASKS, STEPS, FEW = 3_000, 40, 25, 5
DUE = {"none": 0, "few": FEW, "all": LEASES}


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def many_leases(due: int) -> None:
    """Leases of which the first so many are overdue; whose they are does not matter to the reading."""
    now = Now()
    late, soon = now - timedelta(seconds=60), now + timedelta(days=1)
    rows = [
        ExecutionLease(
            execution_id=f"exe_{number:08}",
            task_id=f"tsk_{number:08}",
            last_heartbeat_at=late,
            timeout_seconds=60,
            deadline_at=late if number < due else soon,
        )
        for number in range(LEASES)
    ]
    ExecutionLease.objects.bulk_create(rows)
    analyze("task_execution_lease")


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("due", DUE.values(), ids=DUE)
def test_overdue_leases_are_read_by_their_index_however_many_are(due):
    many_leases(due)
    with capturing() as statements:
        assert len(overdue_leases(100)) == min(due, 100)
    assert_by_index(statements, "lease_deadline_idx")


def assert_by_index(statements: list[Statement], index: str) -> None:
    """The first statement reads this index alone, the other, if there is one, rows by their keys; nothing is sorted."""
    for statement, key in zip(statements, [index, "PRIMARY"], strict=False):
        (access,) = statement.plan()
        # MySQL walks the index in its order where nearly all of it is due, and stops at the limit.
        assert (access["type"] in {"range", "index"}, access["key"]) == (True, key), access
        assert "filesort" not in (access["extra"] or ""), access
        assert "FOR UPDATE" not in statement.sql
    assert "Using index" in statements[0].plan()[0]["extra"]


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("due", [0, FEW, TASKS * STEPS], ids=["none", "few", "all"])
def test_due_steps_are_read_by_their_index_however_many_are(carol, due):
    carol.workflow(*[task_body(*[step_body(f"s{number}") for number in range(STEPS)]) for _ in range(TASKS)])
    Step.objects.update(health_due_at=Now() + timedelta(days=1))
    ids = list(Step.objects.values_list("pk", flat=True)[:due])
    Step.objects.filter(pk__in=ids).update(health_due_at=Now() - timedelta(seconds=1))
    analyze("task_step")
    with capturing() as statements:
        assert len(tasks_of_due_steps(100)) == min(due, 100)
    assert_by_index(statements, "task_step_health_due_idx")


@pytest.mark.usefixtures("row_locks")
def test_outages_are_read_by_their_index():
    if not connection.mysql_is_mariadb:
        pytest.skip("MySQL rather reads them whole, being 1,000 at the most")
    ServiceOutage.objects.bulk_create([ServiceOutage(began_at=Now(), ended_at=Now()) for _ in range(500)])
    outage(60, 30)
    outage(20, None)
    analyze("service_outage")
    with capturing() as statements:
        assert len(ended_outages()) == 100
    (reading,) = statements
    access = reading.access("service_outage")
    assert access["key"] == "service_outage_end_idx"
    assert "filesort" not in (access["extra"] or "")


@pytest.mark.usefixtures("impatient")
def test_the_reading_waits_for_nobody(carol):
    workers = crew(carol, 3)
    silence()
    with rival() as other:
        for worker in workers:
            other.lock_task(worker.context["taskId"])
        other.run("SELECT * FROM task_execution_lease FOR UPDATE")
        other.run("SELECT * FROM task_step FOR UPDATE")
        assert len(overdue_leases(10)) == 3
        assert tasks_of_due_steps(10) == []


# begin; own sign, the web's, the lasting outage; note the sign; outages; commit; overdue leases; due steps.
IDLE = 9
# With what is due its rows are read by their keys. Each transaction has the same watch, and: begin; lock the tasks;
# read their steps; update tasks, steps and leases; log, messages; commit.
READING_ROWS, A_TRANSACTION = 1, 7 + 9


@pytest.mark.usefixtures("definitions_at_hand")
def test_a_pass_with_nothing_to_do_asks_few_questions(carol):
    crew(carol, 20)
    reconciled()
    assert len(statements_of_a_pass()) <= IDLE + 1  # one is the test's own


@pytest.mark.usefixtures("definitions_at_hand")
def test_a_pass_costs_what_is_due_and_in_transactions_of_bounded_size(carol, monkeypatch):
    crew(carol, 20)
    reconciled()
    silence(*crew(carol, 30))
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", 10)
    sent = statements_of_a_pass()
    assert Step.objects.filter(health="STALE").count() == 30
    assert len(sent) <= IDLE + 1 + READING_ROWS + 3 * A_TRANSACTION, sent
    assert sum(sql.startswith("COMMIT") for sql in sent) == 1 + 3 * 2


def statements_of_a_pass() -> list[str]:
    """The beginnings of the statements that a pass sends."""
    with CaptureQueriesContext(connection) as captured:
        reconciled()
    return [query["sql"][:60] for query in captured]
