"""Settled rows go after their retention; what is not settled never does."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from outbox import purge, tasks
from outbox.models import OutboxMessage
from outbox.models.message import Status
from tests.relay.support import BUDGET_SECONDS, Scripted, message, put, refusing, relay, statuses

pytestmark = pytest.mark.django_db(transaction=True)


def age(days, **which):
    """Make rows older than they are."""
    by = timedelta(days=days)
    OutboxMessage.objects.filter(**which).update(available_at=F("available_at") - by, created_at=F("created_at") - by)
    OutboxMessage.objects.filter(**which, published_at__isnull=False).update(published_at=F("published_at") - by)


@pytest.fixture
def rows():
    """One message of each end, a claimed one, and one that waits: their ids by status."""
    *_, poison = put(message(1, coalescible=True), message(2), message(3, "tsk_000_B"))
    relay(Scripted(refusing(poison, retryable=False))).drain(BUDGET_SECONDS)
    put(message(4), message(5))
    OutboxMessage.objects.filter(aggregate_version=4).update(
        status=Status.PROCESSING, claim_token="t", claimed_by="r", claimed_until=F("created_at")
    )
    return {status: pk for pk, status in statuses().items()}


def test_only_what_is_settled_and_old_enough_goes(rows):
    assert set(rows) == set(Status)
    age(6.9)
    assert purge.purge_settled(BUDGET_SECONDS) == 0
    age(0.2)
    assert purge.purge_settled(BUDGET_SECONDS) == 2
    assert set(statuses().values()) == {Status.PENDING, Status.PROCESSING, Status.DEAD}


def test_a_message_counts_its_age_from_when_it_was_published(rows):
    old = timedelta(days=30)
    OutboxMessage.objects.filter(status=Status.PUBLISHED).update(available_at=F("available_at") - old)
    assert purge.purge_settled(BUDGET_SECONDS) == 0


def test_the_retention_is_the_settings(rows, settings):
    settings.RETENTION_OUTBOX = timedelta(days=1)
    age(2)
    assert purge.purge_settled(BUDGET_SECONDS) == 2


def test_it_goes_batch_by_batch_and_stops_when_the_budget_is_spent(monkeypatch):
    monkeypatch.setattr(purge, "BATCH_SIZE", 2)
    put(*[message(version) for version in range(1, 6)])
    relay(Scripted()).drain(BUDGET_SECONDS)
    age(8)
    assert purge.purge_settled(0) == 0
    with CaptureQueriesContext(connection) as queries:
        assert purge.purge_settled(BUDGET_SECONDS) == 5
    assert len([query for query in queries if query["sql"].startswith("DELETE")]) == 3


def test_the_command_and_the_task_purge(rows, capsys):
    age(8, status=Status.PUBLISHED)
    call_command("purge_outbox")
    assert "deleted 1 " in capsys.readouterr().out
    age(8, status=Status.SUPERSEDED)
    tasks.purge()
    assert set(statuses().values()) == {Status.PENDING, Status.PROCESSING, Status.DEAD}
