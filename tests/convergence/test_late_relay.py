"""A relay that stood still for a time catches up: newest states first, nothing rolled back, nothing left out (A04)."""

from collections import defaultdict

import pytest

from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.relay import Relay, Terms
from registries.resolver import forget
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator
from tests.support.convergence import Wire
from tests.support.screen import Screen
from tests.support.stories import a_story

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("A04")]

SMALL = Terms(batch_size=20, lease_seconds=30, publish_deadline_seconds=10)


@pytest.fixture
def backlog():
    """What three stories left behind while no relay ran, and a screen that was open before them."""
    forget()
    carol, alice = coordinator(), user_api(ALICE)
    screen = Screen.of(alice)
    for _ in range(3):
        a_story(carol)
    return screen, alice


def subject(channel, body):
    return channel, body["kind"], body.get("taskId") or body["workflowId"]


def version(body):
    return int(body.get("taskVersion") or body["workflowVersion"])


def test_batch_after_batch_every_object_moves_forward_alone_and_ends_where_the_snapshot_is(backlog):
    screen, alice = backlog
    wire = Wire()
    relay = Relay(wire, "late", SMALL)
    seen, batches = defaultdict(list), 0
    while relay.drain(0).claimed:
        batches += 1
        for channel, body in wire.messages[sum(map(len, seen.values())) :]:
            seen[subject(channel, body)].append(version(body))
    assert batches > 3
    assert all(versions == sorted(set(versions)) for versions in seen.values())
    for body in wire.heard([f"task_user:acme/{ALICE}"]):
        screen.accept(body)
    fresh = Screen.of(alice).view()
    assert (screen.view()["tasks"], screen.view()["workflows"]) == (fresh["tasks"], fresh["workflows"])
    left = OutboxMessage.objects.exclude(status__in=[Status.PUBLISHED, Status.SUPERSEDED])
    assert not left.exists()


def test_of_the_states_that_waited_together_the_newest_is_the_first_to_be_seen(backlog):
    wire = Wire()
    Relay(wire, "late", Terms(batch_size=500, lease_seconds=30, publish_deadline_seconds=10)).drain(60)
    rows = OutboxMessage.objects.order_by("pk")
    published = {(row.channel, row.aggregate_id, row.aggregate_version) for row in rows.filter(status=Status.PUBLISHED)}
    skipped = rows.filter(status=Status.SUPERSEDED)
    assert skipped.count() > 10
    for row in skipped:
        assert row.coalescible
        newer = {
            one for one in published if one[:2] == (row.channel, row.aggregate_id) and one[2] > row.aggregate_version
        }
        assert newer, f"{row} was left out for nothing"
