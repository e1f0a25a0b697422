"""Publishing to a real Centrifugo: what arrives, what is held back, and what each refusal means."""

import json
import secrets

import pytest
import requests

from outbox.models.message import Command
from outbox.publishers import PublisherUnavailableError
from realtime.centrifugo import CentrifugoPublisher
from tests.relay.support import delivery
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture
def publisher(settings, centrifugo):
    settings.CENTRIFUGO_API_URL, settings.CENTRIFUGO_API_KEY = centrifugo.api_url, centrifugo.api_key
    return CentrifugoPublisher()


@pytest.fixture
def history(centrifugo):
    """What a channel keeps, oldest first."""

    def read(channel):
        answer = requests.post(
            f"{centrifugo.api_url}/history",
            json={"channel": channel, "limit": 100},
            headers={"X-API-Key": centrifugo.api_key},
            timeout=PATIENCE_SECONDS,
        ).json()
        return [publication["data"] for publication in answer["result"]["publications"]]

    return read


def channel(namespace):
    return f"{namespace}:acme/{secrets.token_hex(8)}"


def state(row_id, channel, version=1, **members):
    """A message of its own aggregate that says its version."""
    members.setdefault("aggregate_id", channel)
    return delivery(row_id, channel=channel, aggregate_version=version, payload=f'{{"v":{version}}}', **members)


def test_a_batch_arrives_in_order_and_as_it_was_written(publisher, history):
    name = channel("task_user")
    text = '{"title":"Übersicht 概览","n":12345678901234567890,"none":null}'
    first = delivery(1, channel=name, payload=text)
    assert publisher.publish([first, state(2, name, 7), state(3, name, 8)], PATIENCE_SECONDS) == [None, None, None]
    assert history(name) == [json.loads(text), {"v": 7}, {"v": 8}]


def test_a_failed_command_leaves_its_neighbours_published(publisher, history):
    name = channel("task_user")
    batch = [
        state(1, name),
        state(2, "no_such_namespace:acme/alice"),
        delivery(3, channel=name, payload="[1]"),
        delivery(4, channel=name, payload='{"broken":'),
        delivery(5, channel=name, payload='{"n":NaN}'),
        state(6, name, 2),
    ]
    answers = publisher.publish(batch, PATIENCE_SECONDS)
    assert [answer is None for answer in answers] == [True, False, False, False, False, True]
    assert not any(answer.retryable for answer in answers if answer)
    assert "102 unknown channel" in answers[1].reason
    assert history(name) == [{"v": 1}, {"v": 2}]


@pytest.mark.parametrize("namespace", ["task_detail", "workflow_summary"])
def test_an_older_state_never_follows_a_newer_one_where_a_channel_carries_one(publisher, history, namespace):
    name = channel(namespace)
    versions = [state(number, name, version) for number, version in enumerate((5, 3, 5), 1)]
    assert publisher.publish(versions, PATIENCE_SECONDS) == [None, None, None]
    assert history(name) == [{"v": 5}]
    publisher.publish([state(4, name, 6)], PATIENCE_SECONDS)
    assert history(name) == [{"v": 6}]


def test_after_a_restore_the_lower_version_of_a_newer_epoch_arrives(publisher, history):
    name = channel("task_detail")
    publisher.publish([state(1, name, 90, epoch=1), state(2, name, 12, epoch=2)], PATIENCE_SECONDS)
    assert history(name) == [{"v": 12}]


@pytest.mark.parametrize("namespace", ["task_user", "task_project"])
def test_versions_of_different_tasks_are_not_compared_on_a_shared_channel(publisher, history, namespace):
    name = channel(namespace)
    publisher.publish([state(1, name, 9, aggregate_id="a"), state(2, name, 2, aggregate_id="b")], PATIENCE_SECONDS)
    assert history(name) == [{"v": 9}, {"v": 2}]


def test_a_row_published_again_is_seen_once(publisher, history):
    name = channel("task_user")
    again = state(1, name)
    assert publisher.publish([again], PATIENCE_SECONDS) == publisher.publish([again], PATIENCE_SECONDS) == [None]
    assert history(name) == [{"v": 1}]


def test_a_row_of_another_past_with_the_same_number_is_seen(publisher, history):
    name = channel("task_user")
    publisher.publish([state(1, name, epoch=1)], PATIENCE_SECONDS)
    publisher.publish([state(1, name, 2, epoch=1), state(1, name, 2, epoch=2)], PATIENCE_SECONDS)
    assert history(name) == [{"v": 1}, {"v": 2}, {"v": 2}]


def test_revoking_needs_a_user_and_succeeds_whether_they_watch_or_not(publisher):
    revoke = delivery(1, command=Command.REVOKE, channel=channel("task_detail"), payload='{"user":"acme/bob"}')
    nobody = delivery(2, command=Command.REVOKE, channel=channel("task_detail"), payload="{}")
    done, refused = publisher.publish([revoke, nobody], PATIENCE_SECONDS)
    assert done is None
    assert not refused.retryable


def test_a_wrong_key_is_nobodys_message_and_is_not_repeated_in_the_reason(settings, publisher):
    settings.CENTRIFUGO_API_KEY = "not-the-key"
    with pytest.raises(PublisherUnavailableError, match="API key") as refusal:
        CentrifugoPublisher().publish([state(1, channel("task_user"))], PATIENCE_SECONDS)
    assert "not-the-key" not in str(refusal.value)


def test_a_wrong_address_is_nobodys_message_either(settings, publisher, centrifugo):
    settings.CENTRIFUGO_API_URL = f"{centrifugo.api_url}/nowhere"
    with pytest.raises(PublisherUnavailableError, match="404"):
        CentrifugoPublisher().publish([state(1, channel("task_user"))], PATIENCE_SECONDS)


def test_one_connection_serves_many_calls(publisher, monkeypatch):
    publisher.publish([state(1, channel("task_user"))], PATIENCE_SECONDS)
    (pool,) = publisher._session.adapters["http://"].poolmanager.pools._container.values()
    for number in range(5):
        publisher.publish([state(number, channel("task_user"))], PATIENCE_SECONDS)
    assert pool.num_connections == 1
    assert pool.num_requests == 6
