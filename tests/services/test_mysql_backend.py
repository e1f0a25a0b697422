"""The backend for MySQL and MariaDB: fewer round trips around a transaction, and the same promises (ADR 15)."""

from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from unittest import mock

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, IntegrityError, OperationalError, close_old_connections, connection, transaction
from django.db.backends.mysql import base as django_backend
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import mark_safe

from taskstatus.config.mysql import base
from taskstatus.domain.lifecycle import Lifecycle
from tests.support.rival import rival

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'mysql'", reason="SQLite has Django's own backend"),
]

INSERT = "INSERT INTO auth_group (id, name) VALUES (%s, %s)"


@pytest.fixture(autouse=True)
def no_group(db):
    Group.objects.all().delete()


def run(sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()


def insert(number, name="x"):
    run(INSERT, number, name and f"{name}{number}")


def groups():
    return list(Group.objects.order_by("id").values_list("id", flat=True))


def undone(*acts):
    """Act in a transaction that is rolled back in the end."""
    with transaction.atomic():
        for act in acts:
            act()
        transaction.set_rollback(True)


@contextmanager
def counting(**expected):
    """Hold the server's own count of this connection's statements against what is expected."""

    def counts():
        told = dict(run("SHOW SESSION STATUS LIKE 'Com_%%'"))
        return {name: int(told[f"Com_{name}"]) for name in expected}

    before = counts()
    yield
    after = counts()
    assert {name: after[name] - before[name] for name in expected} == expected


def test_a_transaction_is_begun_and_ended_once_and_autocommit_stays_as_it_is():
    with counting(begin=1, insert=1, commit=1, rollback=0, set_option=0), transaction.atomic():
        insert(1)
    with counting(begin=1, insert=1, commit=0, rollback=1, set_option=0):
        undone(lambda: insert(2))
    assert groups() == [1]


def test_a_transaction_in_which_nothing_is_said_is_none():
    with counting(begin=0, commit=0, rollback=0, set_option=0):
        with transaction.atomic():
            pass
        undone()


def test_the_beginning_and_the_first_statement_are_one_packet():
    with transaction.atomic(), connection.cursor() as cursor:
        driver = cursor.cursor.cursor
        with mock.patch.object(driver, "execute", wraps=driver.execute) as sent:
            cursor.execute(INSERT, [1, "a"])
            cursor.execute(INSERT, [2, "b"])
    assert [call.args[0].partition(b"INSERT")[0] for call in sent.call_args_list] == [b"START TRANSACTION;", b""]


def test_who_watches_statements_sees_the_beginning_apart():
    with CaptureQueriesContext(connection) as queries, transaction.atomic():
        insert(1)
    assert [query["sql"].partition(" ")[0] for query in queries] == ["BEGIN", "INSERT", "COMMIT"]


def test_the_first_statement_belongs_to_the_transaction():
    undone(lambda: insert(1))
    assert groups() == []


def test_a_first_statement_that_fails_leaves_no_transaction_open():
    with pytest.raises(IntegrityError):
        undone(lambda: insert(1, None))
    insert(2)
    connection.close()
    assert groups() == [2]


def test_many_rows_may_be_the_first_statement():
    def insert_many():
        with connection.cursor() as cursor:
            cursor.executemany(INSERT, [(1, "a"), (2, "b")])

    undone(insert_many)
    assert groups() == []
    insert_many()
    assert groups() == [1, 2]


UNSENDABLE = [[1], [1, "x", "y"], [1, "\ud800"], [1, float("nan")], {"name": "x"}]


@pytest.mark.parametrize("values", UNSENDABLE, ids=["too few", "too many", "no text", "no number", "no such name"])
def test_a_first_statement_that_is_never_sent_leaves_the_beginning_to_the_next(values):
    def fail_before_sending():
        with pytest.raises((DatabaseError, UnicodeEncodeError)), connection.cursor() as cursor:
            cursor.execute(INSERT, values)

    undone(fail_before_sending, lambda: insert(2))
    assert groups() == []


def test_a_procedure_may_be_the_first_statement():
    def call():
        with connection.cursor() as cursor:
            cursor.callproc("insert_group", [1])

    run("CREATE PROCEDURE insert_group (id INT) INSERT INTO auth_group (id, name) VALUES (id, 'x')")
    try:
        undone(call)
        assert groups() == []
        call()
        assert groups() == [1]
    finally:
        run("DROP PROCEDURE insert_group")


def test_a_savepoint_may_be_the_first_statement():
    with transaction.atomic():
        undone(lambda: insert(1))
        insert(2)
    assert groups() == [2]


@pytest.mark.usefixtures("impatient")
def test_what_the_server_may_have_ended_takes_nothing_more():
    def wait_in_vain():
        with pytest.raises(OperationalError):
            run("UPDATE auth_group SET name = 'y' WHERE id = 1")

    insert(1)
    with rival() as other:
        other.run("SELECT name FROM auth_group WHERE id = 1 FOR UPDATE")
        with pytest.raises(TransactionManagementError):
            undone(lambda: insert(2), wait_in_vain, lambda: insert(3))
    assert groups() == [1]


@pytest.fixture
def repeatable_reads():
    """A connection of its own whose transactions keep to what they saw first, as MariaDB 11 has them by default."""
    connection.close()
    try:
        run("SET SESSION innodb_snapshot_isolation = 1")
    except OperationalError:
        pytest.skip("only MariaDB refuses to change what a transaction saw otherwise")
    run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    yield
    connection.close()


@pytest.mark.usefixtures("repeatable_reads")
def test_what_the_server_ended_because_a_row_has_changed_takes_nothing_more():
    def see_what_another_changes():
        groups()
        with rival() as other:
            other.run("UPDATE auth_group SET name = 'z' WHERE id = 1")
            other.run("COMMIT")

    def change_it_in_vain():
        with pytest.raises(OperationalError):
            run("UPDATE auth_group SET name = 'y' WHERE id = 1")

    insert(1)
    with pytest.raises(TransactionManagementError):
        undone(see_what_another_changes, lambda: insert(2), change_it_in_vain, lambda: insert(3))
    assert groups() == [1]


def test_a_transaction_in_which_nothing_is_said_proves_nothing_after_an_error():
    with pytest.raises(OperationalError):
        run("SELECT no_such_column FROM auth_group")
    with counting(begin=0, commit=1), transaction.atomic():
        pass
    assert not connection.errors_occurred


def test_a_transaction_that_was_only_begun_is_lost_with_its_connection():
    def lose_the_connection():
        with rival() as other:
            other.run(f"KILL {connection.connection.thread_id()}")

    with pytest.raises(OperationalError):
        undone(lose_the_connection, lambda: insert(1))
    with counting(begin=0):
        insert(2)
    connection.close()
    assert groups() == [2]


def test_the_server_is_asked_whether_it_is_there_once_a_minute_and_after_an_error(monkeypatch):
    now = [base.monotonic() + 3_600]
    monkeypatch.setattr(base, "monotonic", lambda: now[0])
    with mock.patch.object(django_backend.DatabaseWrapper, "is_usable", return_value=True) as asked:
        for expected, seconds in [(1, 0), (1, 1), (1, base.TRUSTED_SECONDS - 2), (2, 1), (2, 1)]:
            now[0] += seconds
            a_request_begins()
            assert asked.call_count == expected
        with pytest.raises(OperationalError):
            run("SELECT no_such_column FROM auth_group")
        a_request_begins()
    assert asked.call_count == 3


def a_request_begins():
    close_old_connections()
    groups()


def test_columns_hold_moments_in_utc():
    moment = datetime(2026, 9, 21, 7, 10, 18, 120_000, UTC)
    ((with_fraction, without, null, now),) = run(
        "SELECT CAST(%s AS DATETIME(6)), CAST(%s AS DATETIME), CAST(NULL AS DATETIME(6)), UTC_TIMESTAMP(6)",
        "2026-09-21 07:10:18.120000",
        "2026-09-21 07:10:18",
    )
    assert (with_fraction, without, null) == (moment, moment.replace(microsecond=0), None)
    assert [value.tzinfo for value in (with_fraction, without, now)] == [UTC] * 3


VALUES = [
    None, 0, -1, 2**63 - 1, True, 1.5, 1e300, Decimal("1.10"), "", "it's \\ \"quoted\" %s %% \0 \n", "Größe 🚀",
    mark_safe("<b>"), Lifecycle.RUNNING, b"\x00\xff'", ["a", 1],
]  # fmt: skip


def test_values_are_spelled_as_the_driver_spells_them():
    query = f"SELECT {', '.join(['%s'] * len(VALUES))}, '%%'"
    with connection.cursor() as cursor:
        assert cursor.cursor._filled(query, VALUES) == cursor.cursor.cursor._mogrify(query, VALUES)


def test_named_values_and_none_at_all_are_left_to_the_driver():
    with connection.cursor() as cursor:
        cursor.execute("SELECT %(b)s, %(a)s, '%%'", {"a": 1, "b": "x"})
        assert cursor.fetchone() == ("x", 1, "%")
        cursor.execute("SELECT '%s'")
        assert cursor.fetchone() == ("%s",)
