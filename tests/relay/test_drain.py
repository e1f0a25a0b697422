"""What becomes of messages whose publishing succeeds, fails, or is never heard of."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from outbox.backoff import ceiling_seconds
from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.publishers import PublisherUnavailableError
from outbox.relay import Terms, settlement
from outbox.relay.breaker import Breaker
from taskstatus.queries.clock import read_clock
from tests.relay.support import (
    BUDGET_SECONDS,
    Scripted,
    let_leases_lapse,
    make_due,
    message,
    put,
    refusing,
    relay,
    row,
    statuses,
)

pytestmark = pytest.mark.django_db(transaction=True)


def now():
    """The database's clock."""
    return read_clock()[0]


def gone(_delivery):
    raise PublisherUnavailableError("gone")


def test_batch_follows_batch_until_nothing_is_due():
    ids = put(*[message(version) for version in range(1, 6)])
    publisher = Scripted()
    report = relay(publisher, terms=Terms(2, 300, 60)).drain(BUDGET_SECONDS)
    assert publisher.calls == [ids[:2], ids[2:4], ids[4:]]
    assert (report.claimed, report.published, report.batch_full) == (5, 5, False)
    assert set(statuses().values()) == {Status.PUBLISHED}
    done = row(ids[0])
    assert done.published_at >= done.created_at
    assert (done.claim_token, done.claimed_by) == (None, "relay-1")


def test_it_stops_between_batches_when_told_to_or_when_the_budget_is_spent():
    put(*[message(version) for version in range(1, 6)])
    by_two = relay(Scripted(), terms=Terms(2, 300, 60))
    assert by_two.drain(BUDGET_SECONDS, stopping=lambda: True).published == 2
    report = by_two.drain(0)
    assert (report.published, report.batch_full) == (2, True)


def test_publishing_happens_outside_any_transaction_and_after_the_claim_is_committed():
    (row_id,) = put(message())

    def look():
        assert not connection.in_atomic_block
        assert row(row_id).status == Status.PROCESSING

    assert relay(Scripted(before=look)).drain(BUDGET_SECONDS).published == 1


def test_drain_inside_a_transaction_is_a_mistake_that_is_told():
    put(message())
    with transaction.atomic(), pytest.raises(RuntimeError):
        relay(Scripted()).drain(BUDGET_SECONDS)
    assert set(statuses().values()) == {Status.PENDING}


@pytest.mark.accepts("A05")
def test_a_poison_message_goes_dead_with_its_reason_and_blocks_nothing(caplog):
    poison, *others = put(*[message(version) for version in range(1, 5)])
    report = relay(Scripted(refusing(poison, retryable=False))).drain(BUDGET_SECONDS)
    assert statuses() == {poison: Status.DEAD, **dict.fromkeys(others, Status.PUBLISHED)}
    assert (report.dead, report.published) == (1, 3)
    assert row(poison).last_error == "no"
    (alarm,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (alarm.outboxId, alarm.aggregateVersion) == (poison, 1)
    assert relay(Scripted()).drain(BUDGET_SECONDS).claimed == 0


def test_what_fails_for_now_comes_back_later_and_is_published_then():
    shaky, other = put(message(1), message(2))
    publisher = Scripted(refusing(shaky, retryable=True))
    before = now()
    report = relay(publisher).drain(BUDGET_SECONDS)
    assert (report.retried, report.published) == (1, 1)
    waiting = row(shaky)
    assert (waiting.status, waiting.attempts, waiting.last_error) == (Status.PENDING, 1, "no")
    assert before <= waiting.available_at <= now() + timedelta(seconds=ceiling_seconds(1))
    assert row(other).status == Status.PUBLISHED
    publisher.answer = lambda _: None
    make_due()
    assert relay(publisher).drain(BUDGET_SECONDS).published == 1
    assert (row(shaky).attempts, row(shaky).last_error) == (2, None)


def test_what_fails_very_often_goes_dead():
    (row_id,) = put(message())
    OutboxMessage.objects.update(attempts=settlement.MAX_ATTEMPTS - 1)
    assert relay(Scripted(refusing(row_id, retryable=True))).drain(BUDGET_SECONDS).dead == 1


def test_an_outage_gives_everything_back_uncounted_and_stops_claiming():
    ids = put(*[message(version) for version in range(1, 4)])
    publisher = Scripted(gone)
    stopped = relay(publisher, breaker=Breaker(lambda: 1000.0))  # the pause never ends
    report = stopped.drain(BUDGET_SECONDS)
    assert (report.released, report.retried, report.outage) == (3, 0, "gone")
    assert {row(row_id).attempts for row_id in ids} == {0}
    assert set(statuses().values()) == {Status.PENDING}
    report = stopped.drain(BUDGET_SECONDS)
    assert (report.claimed, report.outage) == (0, "gone")
    assert len(publisher.calls) == 1


def test_after_an_outage_one_is_tried_and_then_all_go(monkeypatch):
    put(*[message(version) for version in range(1, 6)])
    publisher = Scripted(gone)
    stopped = relay(publisher)
    stopped.drain(BUDGET_SECONDS)
    monkeypatch.setattr(stopped._breaker, "_try_again_at", 0.0)
    stopped.drain(BUDGET_SECONDS)
    assert [len(call) for call in publisher.calls] == [5, 1]
    publisher.answer = lambda _: None
    monkeypatch.setattr(stopped._breaker, "_try_again_at", 0.0)
    assert stopped.drain(BUDGET_SECONDS).published == 5
    assert [len(call) for call in publisher.calls] == [5, 1, 1, 4]


def test_the_single_try_is_not_always_made_with_the_same_message(monkeypatch):
    ids = put(*[message(version) for version in range(1, 4)])
    publisher = Scripted(gone)
    stopped = relay(publisher)
    for _ in range(4):
        monkeypatch.setattr(stopped._breaker, "_try_again_at", 0.0)
        stopped.drain(BUDGET_SECONDS)
    assert publisher.calls == [ids, [ids[0]], [ids[1]], [ids[2]]]


def test_a_lost_claim_is_told_and_not_overwritten(caplog):
    (row_id,) = put(message())

    def take_over():
        let_leases_lapse()
        assert relay(Scripted(), "relay-2").drain(BUDGET_SECONDS).published == 1

    report = relay(Scripted(refusing(row_id, retryable=False), before=take_over)).drain(BUDGET_SECONDS)
    assert report.lost == 1
    assert (row(row_id).status, row(row_id).claimed_by) == (Status.PUBLISHED, "relay-2")
    assert "lost" in caplog.text
    assert "dead letters" not in caplog.text


def test_a_claim_that_another_relay_holds_now_is_left_to_it():
    (row_id,) = put(message())

    def take_over():
        OutboxMessage.objects.update(claim_token="another", claimed_until=Now() + timedelta(seconds=30))

    assert relay(Scripted(before=take_over)).drain(BUDGET_SECONDS).lost == 1
    assert (row(row_id).status, row(row_id).claim_token) == (Status.PROCESSING, "another")
