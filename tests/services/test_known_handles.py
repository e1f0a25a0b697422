"""A handle is looked up once in a process, and still ends when it has to (protocol 4.4)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from taskstatus.identity.handles import hash_handle
from taskstatus.models import ExecutionHandle
from taskstatus.queries import known_handles
from taskstatus.queries.known_handles import KnownHandle, handles_of
from taskstatus.services.revoke_credentials import revoke_credentials
from tests.support.api import service_api
from tests.support.beats import beat, verdicts
from tests.support.cast import Coordinator, Worker, coordinator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def by_handle(worker: Worker) -> Worker:
    """The worker, who beats and reports by its handle from now on."""
    worker.handle = True
    return worker


def handle_hash(worker: Worker) -> str:
    return hash_handle(worker.context["executionHandle"])


def lookups(*hashes: str) -> tuple[set[str], int]:
    """Which of these handles are known, and how many queries it took to say so."""
    with CaptureQueriesContext(connection) as queries:
        return set(handles_of(hashes)), len(queries)


def test_what_was_found_is_not_asked_for_again_and_what_was_not_is(carol):
    first, second = handle_hash(carol.running()), handle_hash(carol.running())
    assert lookups(first, "unknown") == ({first}, 1)
    assert lookups(first) == ({first}, 0)
    assert lookups(first, "unknown") == ({first}, 1)
    assert lookups(first, second) == ({first, second}, 1)
    assert lookups() == (set(), 0)


def test_a_handle_stands_for_what_its_row_says(carol):
    row = ExecutionHandle.objects.get(pk=handle_hash(carol.running()))
    for _ in range(2):
        (known,) = handles_of({row.pk}).values()
        assert known == KnownHandle(*(getattr(row, name) for name in KnownHandle._fields))


@pytest.mark.accepts("H02")
def test_a_known_handle_ends_at_its_time(carol, monkeypatch):
    worker = by_handle(carol.running())
    assert verdicts(beat(worker, 1)) == ["ACCEPTED"]
    ends = ExecutionHandle.objects.get(pk=handle_hash(worker)).expires_at
    monkeypatch.setattr(timezone, "now", lambda: ends - timedelta(microseconds=1))
    assert lookups(handle_hash(worker)) == ({handle_hash(worker)}, 0)
    monkeypatch.setattr(timezone, "now", lambda: ends)
    assert lookups(handle_hash(worker)) == ({handle_hash(worker)}, 1)


@pytest.mark.accepts("H02", "S07")
def test_a_known_handle_is_worth_nothing_once_it_is_revoked(carol):
    worker = by_handle(carol.running())
    assert verdicts(beat(worker, 1)) == ["ACCEPTED"]
    revoke_credentials(worker.context["executionId"], "operator")
    assert verdicts(beat(worker, 2)) == ["TOKEN_INVALID"]
    report = {**worker.event("STEP_COMPLETED"), "executionHandle": worker.context["executionHandle"]}
    refused = service_api("worker-a", "worker").post("/task-events:batch", {"events": [report]}).ok()
    assert [item["accepted"] for item in refused["results"]] == [False]


def test_no_more_than_so_many_are_remembered(carol, monkeypatch):
    monkeypatch.setattr(known_handles._remembered, "_most", 2)
    oldest, *newer = (handle_hash(carol.running()) for _ in range(3))
    for one in (oldest, *newer):
        handles_of({one})
    assert lookups(*newer) == (set(newer), 0)
    assert lookups(oldest) == ({oldest}, 1)
