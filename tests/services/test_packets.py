"""Statements that travel together: in their order, each with its answer, all or nothing in a transaction."""

from contextlib import contextmanager
from unittest import mock

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from taskstatus.models import DataEpoch
from taskstatus.queries import packets
from taskstatus.queries.packets import Statement, send

pytestmark = pytest.mark.django_db(transaction=True)

INSERT = "INSERT INTO data_epoch (id, epoch) VALUES (%s, %s)"
UPDATE = "UPDATE data_epoch SET epoch = %s WHERE epoch < %s"
SELECT = "SELECT epoch FROM data_epoch ORDER BY epoch"


@pytest.fixture(autouse=True)
def no_epoch(db):
    DataEpoch.objects.all().delete()


@contextmanager
def counting_trips():
    """The texts that reach the driver, seen below whatever watches statements."""
    sent = []
    connection.ensure_connection()
    plain = connection.create_cursor

    def create_cursor(name=None):
        cursor = plain(name)
        execute = cursor.execute

        def counted(sql, params=None):
            sent.append(sql)
            return execute(sql, params)

        return mock.MagicMock(wraps=cursor, execute=counted) if connection.vendor == "mysql" else cursor

    with mock.patch.object(connection, "create_cursor", create_cursor):
        yield sent


def epochs():
    return list(DataEpoch.objects.order_by("epoch").values_list("epoch", flat=True))


def test_each_statement_sees_what_those_before_it_did_and_gets_its_own_answer():
    inserted, selected, updated, again = send(
        [Statement(INSERT, [1, 7]), Statement(SELECT, []), Statement(UPDATE, [9, 8]), Statement(SELECT, [])]
    )
    assert (inserted.count, updated.count) == (1, 1)
    assert [list(answer.rows) for answer in (inserted, selected, updated, again)] == [[], [(7,)], [], [(9,)]]


def test_a_count_is_of_the_rows_that_matched_whether_or_not_they_changed():
    send([Statement(INSERT, [1, 7])])
    counts = [answer.count for answer in send([Statement(UPDATE, [7, 8]), Statement(UPDATE, [7, 7])])]
    assert counts == [1, 0]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_failure_anywhere_raises_and_leaves_nothing(place):
    statements = [Statement(UPDATE, [1, 1]), Statement(INSERT, [1, 7])]
    statements.insert(place, Statement(INSERT, [2, None]))
    with pytest.raises(DatabaseError), transaction.atomic():
        send(statements)
    assert epochs() == []
    assert [answer.count for answer in send([Statement(INSERT, [1, 7])])] == [1]


def test_values_stay_values_whatever_they_hold():
    texts = ["; DROP TABLE task; --", "%s %% %(x)s", "a;b", "\\';"]
    answers = send([Statement("SELECT %s", [text]) for text in texts])
    assert [answer.rows[0][0] for answer in answers] == texts


def test_nothing_is_no_round_trip():
    with CaptureQueriesContext(connection) as queries:
        assert send([]) == []
    assert len(queries) == 0


def test_who_watches_statements_sees_each_of_them():
    with CaptureQueriesContext(connection) as queries:
        send([Statement(SELECT, []), Statement(SELECT, [])])
    assert len(queries) == 2


@pytest.mark.skipif("connection.vendor != 'mysql'", reason="SQLite runs statements in this process, one by one")
@pytest.mark.parametrize(("limit", "trips"), [(1_000_000, 1), (250, 2), (1, 3)])
def test_as_many_as_fit_share_a_round_trip(monkeypatch, limit, trips):
    monkeypatch.setattr(packets, "MAX_CHARACTERS", limit)
    texts = ["x" * 100, "y" * 100, "z" * 100]
    with counting_trips() as sent:
        answers = send([Statement("SELECT %s", [text]) for text in texts])
    assert [answer.rows[0][0] for answer in answers] == texts
    assert len(sent) == trips
