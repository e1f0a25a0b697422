"""A connection that breaks in the middle is replaced; a database that can't be reached is told as one (C32)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, close_old_connections, connections

from taskstatus.models import EventDedup, Task, TaskEvent
from tests.support.api import fresh, service_api
from tests.support.cast import ALICE, Coordinator, coordinator
from tests.support.rival import after_first, rival
from tests.support.unchanged import unchanged
from tests.support.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C32")]

SERVER_LOST = 2013


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


@pytest.fixture
def backend() -> Any:
    return connections[DEFAULT_DB_ALIAS]


@pytest.mark.usefixtures("row_locks")
@pytest.mark.parametrize("words", ["FOR UPDATE", "UPDATE `task` ", "INSERT INTO `task_outbox`"])
def test_a_connection_killed_in_mid_transaction_is_replaced_and_the_report_counts_once(carol, backend, words):
    worker = carol.running()
    with rival() as other:
        victim = backend.connection.thread_id()
        with after_first(words, lambda: other.run(f"KILL {victim}")):
            receipt = worker.completed()
        assert backend.connection.thread_id() != victim
    assert (receipt["duplicate"], receipt["taskVersion"]) == (False, "4")
    assert list(TaskEvent.objects.order_by("pk").values_list("task_version", flat=True)) == [1, 2, 3, 4]


@pytest.mark.usefixtures("row_locks")
def test_a_connection_dropped_while_it_was_idle_is_replaced_before_anybody_notices(carol, backend):
    path = f"/tasks/{carol.task()['taskId']}"
    for _ in range(2):  # the second time the connection is trusted, and looked at only
        close_old_connections()  # as the web server does before each request
        carol.api.get(path).ok()
    with rival() as other:
        victim = backend.connection.thread_id()
        other.run(f"KILL {victim}")
        eventually(backend._has_news, what="the end of the connection")
    close_old_connections()
    carol.api.get(path).ok()
    assert backend.connection.thread_id() != victim


@pytest.mark.parametrize("committed", [False, True], ids=["before the commit", "after the commit"])
def test_a_commit_whose_answer_is_lost_counts_once(carol, backend, committed):
    worker = carol.running()
    with mock.patch.object(backend, "_commit", losing_the_first_answer(backend._commit, committed=committed)):
        receipt = worker.completed()
    assert (receipt["accepted"], receipt["duplicate"], receipt["taskVersion"]) == (True, committed, "4")
    assert EventDedup.objects.filter(event_id=receipt["eventId"]).count() == 1
    assert Task.objects.get().version == 4


def losing_the_first_answer(commit: Callable[[], None], *, committed: bool) -> Callable[[], None]:
    """A commit that fails once as a broken connection does, before or after the server carried it out."""
    losses = [OperationalError(SERVER_LOST, "Lost connection to server during query")]

    def commit_or_lose() -> None:
        if committed or not losses:
            commit()
        if losses:
            raise losses.pop()

    return commit_or_lose


def test_an_unreachable_database_is_told_as_unavailable_and_changes_nothing(carol, backend, tmp_path):
    worker = carol.running()
    task_id, event = worker.context["taskId"], worker.event("STEP_COMPLETED")
    creation = {"clientWorkflowKey": fresh(), "ownerId": ALICE, "title": "T"}
    by_handle = event | {"executionHandle": worker.context["executionHandle"]}
    calls = [
        partial(carol.api.post, "/workflows", creation),
        partial(carol.api.post, f"/tasks/{task_id}/steps/s1:activate", {"attempt": 1}),
        partial(carol.api.get, f"/tasks/{task_id}"),
        partial(worker.send, event),
        partial(service_api("worker-a", "worker").post, "/task-events", by_handle),
    ]
    with unchanged():
        with unreachable(backend, tmp_path):
            answers = [call() for call in calls]
        for answer in answers:
            assert answer.refused(503, "DATABASE_UNAVAILABLE")["retryable"] is True
            assert int(answer.headers["Retry-After"]) >= 1
    assert worker.send(event).ok()["duplicate"] is False


@contextmanager
def unreachable(backend: Any, folder: Path) -> Iterator[None]:
    """Let this connection look for its database where there is none."""
    nowhere = {"PORT": 1} if backend.vendor == "mysql" else {"NAME": str(folder / "absent" / "db.sqlite3")}
    backend.close()
    with mock.patch.dict(backend.settings_dict, nowhere):
        yield
        backend.close()
