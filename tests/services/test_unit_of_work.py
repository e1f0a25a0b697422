"""The one transaction of a use case: what is tried again, how often, and what a caller is told at last (C32)."""

from types import SimpleNamespace

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)

from taskstatus.domain.errors import DomainError
from taskstatus.models import AuditEntry
from taskstatus.services.database_errors import Trouble, trouble_of
from taskstatus.services.unit_of_work import MAX_TRIES, ConcurrentChangeError, rehearsal, use_case

pytestmark = pytest.mark.django_db(transaction=True)

BUSY = [
    OperationalError(1213, "Deadlock found when trying to get lock"),
    OperationalError(1205, "Lock wait timeout exceeded"),
    OperationalError(1020, "Record has changed since last read"),
    OperationalError(1317, "Query execution was interrupted"),
    OperationalError("database is locked"),
    OperationalError("database table is locked: task"),
    IntegrityError(1062, "Duplicate entry"),
    IntegrityError("UNIQUE constraint failed: task.id"),
    ConcurrentChangeError("2 of 3 rows of task matched"),
]
LOST = [
    OperationalError(2002, "Can't connect to server"),
    OperationalError(2006, "Server has gone away"),
    OperationalError(2013, "Lost connection during query"),
    OperationalError(1040, "Too many connections"),
    OperationalError(1290, "The server is running with the --read-only option"),
    OperationalError("unable to open database file"),
    InterfaceError(0, ""),
]
FAULTS = [
    DataError(1406, "Data too long for column"),
    IntegrityError(1048, "Column can't be null"),
    IntegrityError(3819, "Check constraint is violated"),
    IntegrityError(1452, "A foreign key constraint fails"),
    IntegrityError("CHECK constraint failed: task_version_from_one"),
    IntegrityError("NOT NULL constraint failed: task.title"),
    OperationalError(1054, "Unknown column"),
    DatabaseError("out of the blue"),
]


@pytest.fixture(autouse=True)
def pauses(monkeypatch) -> list[float]:
    """Take the pauses down instead of sleeping; other threads go on sleeping as they do."""
    taken: list[float] = []
    monkeypatch.setattr("taskstatus.services.unit_of_work.time", SimpleNamespace(sleep=taken.append))
    return taken


class Attempts:
    """A use case's body that writes a row and then fails so many times."""

    def __init__(self, error: Exception, failures: int = 99) -> None:
        self.error, self.failures, self.made = error, failures, 0

    def __call__(self) -> str:
        self.made += 1
        AuditEntry.objects.create(
            tenant_id="acme", actor="test", action=f"try {self.made}", outcome="DONE", created_at="2026-09-21T07:10:18Z"
        )
        if self.made <= self.failures:
            raise self.error
        return "done"

    __name__ = "attempts"


def written() -> list[str]:
    return list(AuditEntry.objects.values_list("action", flat=True))


@pytest.mark.parametrize("error", [*BUSY, *LOST], ids=str)
def test_trouble_with_others_is_tried_again_in_a_new_transaction(error, pauses):
    body = Attempts(error, failures=2)
    assert use_case(body)() == "done"
    assert body.made == 3
    assert written() == ["try 3"]
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("errors", "code"), [(BUSY, "DATABASE_BUSY"), (LOST, "DATABASE_UNAVAILABLE")], ids=["busy", "lost"]
)
def test_trouble_that_never_ends_is_told_after_the_last_try(errors, code, pauses):
    for error in errors:
        body = Attempts(error)
        with pytest.raises(DomainError) as caught:
            use_case(body)()
        assert (caught.value.code, caught.value.retryable) == (code, True)
        assert body.made == MAX_TRIES
    assert written() == []
    assert len(pauses) == len(errors) * (MAX_TRIES - 1)
    assert all(0.010 <= pause <= 0.150 for pause in pauses)


@pytest.mark.parametrize("error", FAULTS, ids=str)
def test_a_fault_of_ours_is_tried_once_and_goes_up_as_it_is(error, pauses):
    body = Attempts(error)
    with pytest.raises(type(error)) as caught:
        use_case(body)()
    assert caught.value is error
    assert (body.made, written(), pauses) == (1, [], [])


def test_a_refusal_rolls_back_and_is_never_tried_again(pauses):
    body = Attempts(DomainError("TERMINAL_STATE", "The task has ended."))
    with pytest.raises(DomainError, match="TERMINAL_STATE"):
        use_case(body)()
    assert (body.made, written(), pauses) == (1, [], [])


@pytest.mark.parametrize(("error", "dropped"), [(BUSY[0], False), (LOST[1], True)], ids=["busy", "lost"])
def test_only_a_lost_connection_is_dropped(error, dropped, monkeypatch):
    closed: list[bool] = []
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    use_case(Attempts(error, failures=1))()
    assert bool(closed) is dropped


def test_a_use_case_within_another_is_a_mistake():
    @use_case
    def outer() -> str:
        return use_case(Attempts(ValueError(), failures=0))()

    with pytest.raises(RuntimeError, match="durable"):
        outer()


def test_a_rehearsal_leaves_nothing_and_keeps_what_its_use_cases_say():
    hooks: list[str] = []

    @rehearsal
    def rehearse() -> tuple[str, int]:
        transaction.on_commit(lambda: hooks.append("ran"))
        return use_case(Attempts(ValueError(), failures=0))(), len(written())

    said, seen = rehearse()
    assert (said, seen, written(), hooks) == ("done", 1, [], [])
    use_case(Attempts(ValueError(), failures=0))()
    assert len(written()) == 1


def test_a_rehearsal_is_tried_again_as_a_whole(pauses):
    body = Attempts(BUSY[0], failures=1)
    assert rehearsal(use_case(body))() == "done"
    assert (body.made, written(), len(pauses)) == (2, [], 1)


def test_a_rehearsal_that_is_refused_leaves_nothing_either():
    with pytest.raises(DomainError, match="TERMINAL_STATE"):
        rehearsal(use_case(Attempts(DomainError("TERMINAL_STATE", "The task has ended."))))()
    assert written() == []


def test_a_use_case_keeps_its_name_and_words():
    @use_case
    def classify_task() -> None:
        """Bind the task to a type."""

    assert (classify_task.__name__, classify_task.__doc__) == ("classify_task", "Bind the task to a type.")


def test_every_error_above_is_what_it_is_taken_for():
    kinds = {trouble_of(error) for error in BUSY if not isinstance(error, ConcurrentChangeError)}
    assert kinds == {Trouble.CONFLICT, Trouble.DUPLICATE}
    assert {trouble_of(error) for error in LOST} == {Trouble.LOST}
    assert {trouble_of(error) for error in FAULTS} == {None}
