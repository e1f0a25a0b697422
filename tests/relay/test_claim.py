"""Claiming: the longest due first, nobody's twice, and by the index (ruling 27)."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.relay import claims
from outbox.relay.claims import claim
from tests.relay.support import let_leases_lapse, message, put, row, statuses
from tests.support.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


WAIT_SECONDS = 60


def ids(claimed):
    return [delivery.id for delivery in claimed.deliveries] if claimed else []


def test_the_longest_due_come_first_and_the_rest_later():
    first, second, third = put(*[message(version) for version in (1, 2, 3)])
    OutboxMessage.objects.filter(pk=third).update(available_at=row(first).available_at - timedelta(seconds=1))
    assert ids(claim("relay-1", 2, 300)) == [third, first]
    assert ids(claim("relay-2", 2, 300)) == [second]
    assert claim("relay-3", 2, 30) is None


def test_what_is_not_due_yet_is_left_alone():
    (waiting,) = put(message())
    OutboxMessage.objects.update(available_at=row(waiting).available_at + timedelta(hours=1))
    assert claim("relay-1", 10, 30) is None


def test_a_claim_names_its_relay_and_ends():
    (row_id,) = put(message())
    claimed = claim("relay-1", 10, 3600)
    held = row(row_id)
    assert (held.status, held.claimed_by, held.attempts) == (Status.PROCESSING, "relay-1", 1)
    assert held.claim_token == claimed.token
    assert 3600 <= (held.claimed_until - held.created_at).total_seconds() < 3600 + 600


def test_a_lapsed_claim_is_taken_over_before_what_waits():
    (lost,) = put(message(1))
    dead_relays = claim("relay-1", 10, 300)
    assert claim("relay-2", 10, 30) is None
    let_leases_lapse()
    (waiting,) = put(message(2))
    taken = claim("relay-2", 10, 30)
    assert ids(taken) == [lost, waiting]
    assert taken.taken_over == 1
    assert taken.token != dead_relays.token
    assert row(lost).attempts == 2


def test_an_idle_look_opens_no_transaction(django_assert_num_queries):
    with django_assert_num_queries(2):
        assert claim("relay-1", 10, 30) is None


def test_a_second_relay_skips_what_the_first_is_about_to_claim(row_locks):
    first, second = put(*[message(version) for version in range(1, 9)])[:4], []
    locked, done = threading.Event(), threading.Event()

    def hold():
        try:
            with transaction.atomic():
                assert [d.id for d in claims._lock(claims.due(), 4)] == first
                locked.set()
                assert done.wait(WAIT_SECONDS)
        finally:
            connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert locked.wait(WAIT_SECONDS)
        second = ids(claim("relay-2", 10, 30))
    finally:
        done.set()
        holder.join(WAIT_SECONDS)
    assert second == [row_id for row_id in statuses() if row_id not in first]
    assert len(second) == 4


def test_writers_are_not_held_up_by_a_claim(row_locks):
    put(*[message(version) for version in range(1, 9)])
    with transaction.atomic():
        claims._lock(claims.due(), 8)
        writer = threading.Thread(target=_write_and_close)
        writer.start()
        writer.join(WAIT_SECONDS)
        assert not writer.is_alive()
    assert len(statuses()) == 9


def _write_and_close():
    try:
        put(message(99))
    finally:
        connection.close()


@pytest.fixture
def history(row_locks):
    """2,000 messages wait behind 4,000 published and 50 lapsed ones."""
    put(*[message(version) for version in range(1, 6051)])
    ids = sorted(statuses())
    OutboxMessage.objects.filter(pk__lte=ids[3999]).update(status=Status.PUBLISHED, published_at=Now())
    OutboxMessage.objects.filter(pk__gt=ids[5999]).update(
        status=Status.PROCESSING, claim_token="t", claimed_by="r", claimed_until=Now()
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE TABLE task_outbox")
        cursor.fetchall()


def plan(queryset):
    sql, params = queryset.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN FORMAT=TRADITIONAL {sql}", params)
        names = [column[0] for column in cursor.description]
        (step,) = [dict(zip(names, line, strict=True)) for line in cursor.fetchall()]
    return step


def test_the_claim_reads_its_indexes_in_order(history):
    for rows, index in ((claims.due, "outbox_claim_idx"), (claims.lapsed, "outbox_claim_lapse_idx")):
        with transaction.atomic():
            step = plan(rows().select_for_update(skip_locked=True).values_list(*claims.COLUMNS)[:100])
        assert step["key"] == index
        assert "filesort" not in (step["Extra"] or "")


def test_a_claim_locks_little_more_than_it_takes(history):
    with transaction.atomic():
        assert len(claims._lock(claims.due(), 100)) == 100
        eventually(rows_locked)  # what the server tells of this may be a moment old
        assert rows_locked() <= 210  # each row once in the index and once in the table


def rows_locked():
    """How many rows this connection's transaction has locked; None where the server doesn't say yet."""
    time.sleep(0.2)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT trx_rows_locked FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()"
        )
        return next(iter(cursor.fetchone() or ()), None)
