"""No statement of the write path reads a table whole, and each index serves the query that it is named for."""

import pytest
from django.db.models.functions import Now

from taskstatus.identity.principals import User
from taskstatus.models import ExecutionLease
from taskstatus.queries.access import owned_tasks
from taskstatus.services.flush_progress import flush_progress
from tests.faults.scenarios import SCENARIOS
from tests.support.api import service_api
from tests.support.beats import beat, verdicts
from tests.support.cast import Coordinator, coordinator, step_body, task_body
from tests.support.plans import Statement, analyze, capturing

pytestmark = pytest.mark.django_db(transaction=True)

TASKS, STEPS, OWNERS = 40, 10, 8


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


@pytest.fixture
def crowded(carol: Coordinator) -> None:
    """Rows enough that an index is worth its use: tasks with steps, each with a running execution."""
    steps = [step_body(f"s{number}") for number in range(STEPS)]
    created = carol.workflow(*[task_body(*steps, ownerId=f"owner-{number % OWNERS}") for number in range(TASKS)])
    workers = [carol.worker(task["taskId"], "s0", handle=True) for task in created["tasks"]]
    starts = {"events": [worker.event("STEP_STARTED") for worker in workers]}
    service_api("worker-a", "worker").post("/task-events:batch", starts).ok()
    analyze("task", "task_step", "task_execution_lease", "task_execution_handle", "task_event_dedup")


@pytest.mark.usefixtures("crowded")
def test_no_statement_of_a_use_case_reads_a_table_whole(carol):
    scans: dict[str, list[str]] = {}
    for scenario in SCENARIOS:
        request = scenario.prepare(carol)
        with capturing() as statements:
            request().ok()
        assert statements
        scans |= {f"{scenario}: {statement.sql}": tables for statement in statements if (tables := statement.scanned())}
    assert scans == {}


@pytest.mark.usefixtures("row_locks", "crowded")
def test_steps_of_tasks_are_found_by_their_index(carol):
    worker = carol.running()
    with capturing() as statements:
        worker.completed()
    steps = next(s for s in statements if s.sql.startswith("SELECT `task_step`"))
    assert steps.access("task_step")["key"] in {"task_step_current_idx", "task_step_attempt_uk"}
    assert int(steps.access("task_step")["rows"]) <= STEPS


@pytest.mark.usefixtures("row_locks", "crowded")
def test_each_index_serves_the_query_that_it_is_named_for():
    overdue = ExecutionLease.objects.filter(deadline_at__lte=Now()).order_by("deadline_at", "execution")
    owned = owned_tasks(User("acme", "owner-1", frozenset(), frozenset(), "session"))
    with capturing() as statements:
        flush_progress(max_steps=1)
        assert list(overdue.values_list("execution_id", "task_id")[:100]) == []
        assert len(owned.order_by("-updated_at", "-id")[:3]) == 3
    due_progress, leases, list_of_owner = statements
    assert_served(due_progress, "task_step", "task_step_flush_idx")
    assert_served(leases, "task_execution_lease", "lease_deadline_idx")
    assert int(leases.access("task_execution_lease")["rows"]) <= 1
    assert_served(list_of_owner, "task", "task_owner_updated_idx")


@pytest.mark.usefixtures("row_locks", "crowded")
@pytest.mark.accepts("H01")
def test_the_executions_of_beats_are_found_by_their_keys(carol):
    beats = [beat(carol.running()) for _ in range(20)]
    with capturing() as statements:
        assert verdicts(*beats) == ["ACCEPTED"] * 20
    _clock, reading, renewal = statements
    for statement, tables in ((reading, ["task", "task_step", "task_execution_lease"]), (renewal, ["t"])):
        for table in tables:
            access = statement.access(table)
            assert access["type"] in {"range", "eq_ref"}, statement.plan()
            assert int(access["rows"]) <= 32, statement.plan()


def assert_served(statement: Statement, table: str, index: str) -> None:
    """The statement reads the table by this index, whose order is its own: nothing is sorted."""
    access = statement.access(table)
    assert access["key"] == index, statement.plan()
    assert "filesort" not in (access["extra"] or ""), statement.plan()
