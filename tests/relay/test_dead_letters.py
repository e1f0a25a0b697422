"""A row that Centrifugo refuses for good, from the relay's alarm to the requeue in the admin (A05)."""

import secrets

import pytest
import requests

from outbox.models import OutboxMessage
from outbox.models.message import Status
from realtime.centrifugo import CentrifugoPublisher
from tests.relay.operators import act, operator
from tests.relay.support import message, put, relay, row, statuses

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("A05")]


@pytest.fixture
def publisher(settings, centrifugo):
    settings.CENTRIFUGO_API_URL, settings.CENTRIFUGO_API_KEY = centrifugo.api_url, centrifugo.api_key
    return CentrifugoPublisher()


def versions(centrifugo, channel):
    """What the channel's history holds."""
    answer = requests.post(
        f"{centrifugo.api_url}/history",
        json={"channel": channel, "limit": 10},
        headers={"X-API-Key": centrifugo.api_key},
        timeout=5,
    ).json()
    return [publication["data"]["taskVersion"] for publication in answer["result"]["publications"]]


def test_it_goes_dead_with_an_alarm_blocks_nobody_and_is_sent_once_the_fault_is_mended(publisher, centrifugo, caplog):
    name = f"task_user:acme/{secrets.token_hex(8)}"
    before, poison, after = put(
        message(1, channel=name), message(2, channel="no_such_namespace:acme/x"), message(3, channel=name)
    )
    report = relay(publisher).drain(30)
    assert (report.dead, report.published, report.outage) == (1, 2, None)
    assert statuses() == {before: Status.PUBLISHED, poison: Status.DEAD, after: Status.PUBLISHED}
    assert versions(centrifugo, name) == ["1", "3"]
    assert "102 unknown channel" in row(poison).last_error
    (alarm,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert alarm.outboxId == poison
    assert relay(publisher).drain(30).claimed == 0

    # The namespace is there now, as after a deployment was mended.
    OutboxMessage.objects.filter(pk=poison).update(channel=name)
    assert "1 dead letter waits" in act(operator("requeue"), "requeue", poison)
    assert relay(publisher).drain(30).published == 1
    assert row(poison).status == Status.PUBLISHED
    assert versions(centrifugo, name) == ["1", "3", "2"]
