"""Operators' questions go by an index, however many tasks there are, and look at a bounded number of them."""

from datetime import timedelta

import pytest

from registries.actors import Actor
from taskstatus.domain.identifiers import new_id
from taskstatus.domain.lifecycle import Health, Lifecycle
from taskstatus.models import AuditEntry, Task
from taskstatus.queries import task_windows
from taskstatus.queries.task_browser import Wanted, browse_tasks, find_tasks, tenants_with_tasks
from taskstatus.queries.task_file import task_file
from tests.support.cast import coordinator, step_body
from tests.support.corrections import correct
from tests.support.plans import analyze, capturing

pytestmark = pytest.mark.django_db(transaction=True)

TASKS, TENANTS, WORKFLOWS = 1_000, 10, 100
LIFECYCLES = (Lifecycle.PENDING, Lifecycle.SUCCEEDED)


@pytest.fixture
def worker(db):
    """A worker of acme, whose task is one of many."""
    worker = coordinator().running()
    other = coordinator().task(step_body())["taskId"]
    correct(other, "FAILED", actor=Actor("root"))
    pattern = Task.objects.get(pk=other)
    Task.objects.bulk_create(like(pattern, number) for number in range(TASKS))
    entry = AuditEntry.objects.get()
    AuditEntry.objects.bulk_create(another(entry, number) for number in range(200))
    analyze("task", "task_step", "task_event_log", "task_event_dedup", "audit_entry", "workflow")
    return worker


def like(task, number):
    """A row like this one, of one tenant or another, created a second before the last."""
    values = {field.attname: getattr(task, field.attname) for field in Task._meta.concrete_fields}
    lifecycle = LIFECYCLES[number % 2]
    created = task.created_at - timedelta(seconds=number)
    own = {
        "id": new_id("tsk", number),
        "workflow_id": f"wfl_{number % WORKFLOWS}",
        "client_task_key": f"key-{number}",
        "tenant_id": "acme" if number % TENANTS == 0 or number % 3 == 0 else f"tenant-{number % TENANTS}",
        "lifecycle_status": lifecycle,
        "business_status": lifecycle,
        "created_at": created,
        "started_at": None,
        "finished_at": task.finished_at if lifecycle.is_terminal else None,
        "failure_code": None,
    }
    return Task(**values | own)


def another(entry, number):
    values = {field.attname: getattr(entry, field.attname) for field in AuditEntry._meta.concrete_fields}
    return AuditEntry(**values | {"id": None, "object_id": f"tsk_{number}"})


def scans(statements):
    found = {statement.sql: statement.scanned() for statement in statements}
    # The epoch has one row.
    return {sql: tables for sql, tables in found.items() if set(tables) - {"data_epoch", "SCAN data_epoch"}}


WANTED = {
    "live": Wanted("acme", sorted({Lifecycle.PENDING, Lifecycle.RUNNING})),
    "any": Wanted("acme", list(Lifecycle)),
    "old": Wanted("acme", [Lifecycle.PENDING], min_age=timedelta(hours=1)),
    "stale": Wanted("acme", [Lifecycle.PENDING], health=Health.STALE),
    "type": Wanted("acme", [Lifecycle.PENDING], task_type="PAPER"),
    "scope": Wanted("acme", [Lifecycle.PENDING], authority_scope="billing"),
}


@pytest.mark.parametrize("wanted", WANTED.values(), ids=WANTED)
def test_no_page_of_the_list_reads_the_table_whole(worker, wanted, monkeypatch):
    monkeypatch.setattr(task_windows, "LOOKED_AT", 100)
    with capturing() as statements:
        found = browse_tasks(wanted)
    assert found.was_cut is (wanted.task_type is not None or wanted.authority_scope is not None)
    assert scans(statements) == {}
    with capturing() as statements:
        browse_tasks(Wanted("acme", wanted.lifecycles, health=wanted.health, cursor=found.next_cursor))
    assert scans(statements) == {}


@pytest.mark.usefixtures("row_locks")
def test_the_list_is_read_in_the_order_of_its_index(worker):
    with capturing() as statements:
        browse_tasks(Wanted("acme", [Lifecycle.PENDING]))
    access = statements[-1].access("task")
    assert access["key"] == "task_browse_idx", statements[-1].plan()
    assert "filesort" not in (access["extra"] or ""), statements[-1].plan()


@pytest.mark.parametrize("name", ["taskId", "workflowId", "executionId"])
def test_an_id_is_found_by_its_index(worker, name):
    with capturing() as statements:
        assert [task.id for task in find_tasks(worker.context[name], "acme", "acme")] == [worker.context["taskId"]]
    assert scans(statements) == {}


@pytest.mark.parametrize("term", ["key-30", "evt-nowhere"])
def test_a_key_and_an_event_are_found_by_their_indexes(worker, term):
    with capturing() as statements:
        assert len(find_tasks(term, "acme", "acme")) == (term == "key-30")
    assert statements
    assert scans(statements) == {}


def test_the_tenants_are_found_by_steps_along_an_index(worker):
    with capturing() as statements:
        assert "acme" in tenants_with_tasks()
    assert len(statements) <= TENANTS + 2
    assert scans(statements) == {}


def test_the_file_on_a_task_reads_what_belongs_to_it(worker):
    task = Task.objects.get(pk=worker.context["taskId"])
    with capturing() as statements:
        task_file(task)
    assert scans(statements) == {}
