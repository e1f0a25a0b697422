"""Relays in processes of their own: sharing the work, being killed, being told to end."""

import secrets
import signal
from collections import Counter

import pytest
import requests
from django.db import connection

from outbox.models import OutboxMessage
from outbox.models.message import Status
from tests.relay.processes import recorded, relay_process
from tests.relay.support import let_leases_lapse, message, put, row
from tests.support.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600)]

SECONDS = 120
SMALL = {"OUTBOX_BATCH_SIZE": "100"}
SHORT = {"OUTBOX_LEASE_SECONDS": "2", "OUTBOX_PUBLISH_DEADLINE_SECONDS": "1"}


def many(count):
    if not connection.features.has_select_for_update_skip_locked:
        count //= 10  # one writer at a time makes the same point with less
    return put(*[message(version, payload="{}") for version in range(1, count + 1)])


def wait_for_start(folder, relays=1):
    output = folder / "output"
    eventually(lambda: output.read_text().count("the relay begins") == relays, SECONDS, "the start")


def unsettled():
    return OutboxMessage.objects.exclude(status=Status.PUBLISHED).count()


@pytest.mark.accepts("A03")
def test_two_relays_share_an_outbox_and_publish_no_row_twice(tmp_path):
    with relay_process(tmp_path, "Meeting", **SMALL) as one, relay_process(tmp_path, "Meeting", **SMALL) as other:
        wait_for_start(tmp_path, 2)
        ids = many(20_000)
        eventually(lambda: not unsettled(), SECONDS, "the last message")
        for process in (one, other):
            process.terminate()
            assert process.wait(SECONDS) == 0
    assert sorted(row_id for batch in recorded(tmp_path) for row_id in batch) == ids
    assert OutboxMessage.objects.values("claimed_by").distinct().count() == 2


@pytest.mark.accepts("A02")
def test_of_two_relays_one_is_killed_in_the_middle_and_nothing_is_lost(tmp_path):
    with relay_process(tmp_path, "Recorder", **SMALL) as one, relay_process(tmp_path, "Recorder", **SMALL):
        wait_for_start(tmp_path, 2)
        ids = many(5_000)
        eventually(lambda: len(recorded(tmp_path)) > 2, SECONDS, "the middle")
        one.send_signal(signal.SIGKILL)
        one.wait(SECONDS)
        let_leases_lapse(claimed_by__endswith=f":{one.pid}")
        eventually(lambda: not unsettled(), SECONDS, "the last message")
    counts = Counter(row_id for batch in recorded(tmp_path) for row_id in batch)
    assert sorted(counts) == ids
    twice = [row_id for row_id, count in counts.items() if count > 1]
    assert len(twice) <= 100  # at most the one batch that it held


@pytest.mark.accepts("A02")
def test_a_relay_killed_between_publishing_and_settling_is_made_up_for_and_seen_once(tmp_path, centrifugo):
    name = f"task_user:acme/{secrets.token_hex(8)}"
    (row_id,) = put(message(channel=name, aggregate=secrets.token_hex(8)))
    keys = {"CENTRIFUGO_API_URL": centrifugo.api_url, "CENTRIFUGO_API_KEY": centrifugo.api_key}
    with relay_process(tmp_path, "PublishesAndDies", **keys, **SHORT) as relay:
        assert relay.wait(SECONDS) == -signal.SIGKILL
    assert row(row_id).status == Status.PROCESSING
    assert history(centrifugo, name) == [{"taskVersion": "1"}]

    with relay_process(tmp_path, "realtime.centrifugo.CentrifugoPublisher", **keys, **SHORT):
        eventually(lambda: row(row_id).status == Status.PUBLISHED, SECONDS, "the takeover")
    assert row(row_id).attempts == 2
    assert history(centrifugo, name) == [{"taskVersion": "1"}]


def history(centrifugo, channel):
    answer = requests.post(
        f"{centrifugo.api_url}/history",
        json={"channel": channel, "limit": 10},
        headers={"X-API-Key": centrifugo.api_key},
        timeout=SECONDS,
    ).json()
    return [publication["data"] for publication in answer["result"]["publications"]]


def test_a_relay_that_is_told_to_end_finishes_its_batch_and_begins_none(tmp_path):
    first, second = put(message(1), message(2))
    with relay_process(tmp_path, "Patient", OUTBOX_BATCH_SIZE="1") as relay:
        eventually(lambda: row(first).status == Status.PROCESSING, SECONDS, "the first batch")
        relay.send_signal(signal.SIGTERM)
        (tmp_path / "go-on").touch()
        assert relay.wait(SECONDS) == 0
    assert recorded(tmp_path) == [[first]]
    assert (row(first).status, row(second).status) == (Status.PUBLISHED, Status.PENDING)
