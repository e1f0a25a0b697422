"""A use case that fails at any of its statements leaves nothing behind (C22)."""

import re

import pytest
from django.db import DatabaseError

from registries import resolver
from taskstatus.models import TaskEvent, WorkflowEvent
from tests.faults.reports import Request
from tests.faults.scenarios import SCENARIOS, Scenario
from tests.support.cast import coordinator
from tests.support.faults import COMMIT, everything, failing_at
from tests.support.unchanged import Rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C22")]

MOST_STATEMENTS = 40
# The name that an INSERT, UPDATE or DELETE begins with; a join's comes after the rows it is joined to.
WRITTEN_TABLE = re.compile(r"(?:INSERT INTO|(?:UPDATE|DELETE).*? STRAIGHT_JOIN|UPDATE|DELETE FROM) [`\"](?P<name>\w+)")
# A replay answers with a fresh credential, which is no fact.
CREDENTIALS = "task_execution_handle"


@pytest.fixture(autouse=True)
def same_statements_every_time(db, monkeypatch):
    """Read the definitions beforehand and never again, or statements would change places."""
    resolver.registry("acme", "content-platform")
    monkeypatch.setattr(resolver, "STAMP_SECONDS", 3600)
    monkeypatch.setattr(resolver, "MISS_SECONDS", 3600)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_nothing_is_left_of_a_use_case_that_fails_at_any_statement(scenario: Scenario):
    request = scenario.prepare(coordinator())
    before, versions_before = everything(), versions()
    failed_at: list[str] = []
    for place in range(1, MOST_STATEMENTS):
        with failing_at(place) as fault:
            succeeded = succeeds(request)
        if fault.hit is None:
            break
        assert not succeeded, fault.hit
        assert everything() == before, fault.hit
        failed_at.append(fault.hit)
    assert succeeded
    assert versions() == versions_before + scenario.versions
    assert {*changed_tables(before), COMMIT} <= written_tables(failed_at)
    after = everything()
    assert succeeds(request)
    assert changed_tables(after) <= {CREDENTIALS}


def succeeds(request: Request) -> bool:
    """Whether the request is carried out; if not, the caller is told of a fault and nothing of its cause."""
    try:
        answer = request()
    except DatabaseError:
        return False
    assert answer.status < 300 or (answer.status, answer.code) == (500, "INTERNAL_ERROR"), answer
    return answer.status < 300


def versions() -> int:
    """How many facts the logs hold."""
    return TaskEvent.objects.count() + WorkflowEvent.objects.count()


def changed_tables(before: Rows) -> set[str]:
    """The tables that hold something else now."""
    return {name for name, rows in everything().items() if rows != before[name]}


def written_tables(statements: list[str]) -> set[str]:
    """The tables that these statements write, and COMMIT for a commit."""
    found = (WRITTEN_TABLE.match(sql) for sql in statements)
    return {match["name"] for match in found if match} | ({COMMIT} & set(statements))
