"""The schedule's drain: it publishes, and never runs twice in one process."""

import threading

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection

from outbox import tasks
from outbox.models.message import Status
from outbox.publishers import PublisherUnavailableError, configured_publisher
from outbox.relay import DrainReport, configured_relay
from realtime.centrifugo import CentrifugoPublisher
from realtime.native import NativePublisher
from tests.relay.support import Scripted, message, put, statuses
from tests.support.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def fresh_relay():
    configured_relay.cache_clear()
    yield
    configured_relay.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_without_centrifugo_messages_are_done_at_once_for_the_stream_reads_them_itself(settings):
    settings.OUTBOX_PUBLISHER = "realtime.native.NativePublisher"
    put(message(1), message(2, coalescible=True), message(3))
    tasks.drain()
    assert list(statuses().values()) == [Status.PUBLISHED, Status.SUPERSEDED, Status.PUBLISHED]


@pytest.mark.parametrize("kind", [NativePublisher, CentrifugoPublisher])
def test_the_publisher_is_found_by_its_dotted_path(settings, kind):
    settings.OUTBOX_PUBLISHER = f"{kind.__module__}.{kind.__qualname__}"
    assert isinstance(configured_publisher(), kind)


def test_a_drain_asked_for_while_one_runs_is_done_by_that_one(monkeypatch):
    running, go_on, budgets = threading.Event(), threading.Event(), []

    def drain(budget):
        budgets.append(budget)
        running.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return DrainReport()

    monkeypatch.setattr(tasks.relay, "drain", drain)
    first = threading.Thread(target=tasks.drain)
    first.start()
    assert running.wait(PATIENCE_SECONDS)
    tasks.drain()  # comes back at once
    assert len(budgets) == 1
    go_on.set()
    first.join(PATIENCE_SECONDS)
    assert len(budgets) == 2


@pytest.mark.django_db(transaction=True)
def test_once_publishes_what_is_due_and_says_how_much(monkeypatch, capsys):
    put(message(1), message(2, coalescible=True), message(3))
    monkeypatch.setattr("outbox.relay.draining.configured_publisher", Scripted)
    call_command("relay", "--once")
    assert "published 2, superseded 1," in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_once_fails_aloud_where_the_publisher_is_away(monkeypatch):
    def gone(_delivery):
        raise PublisherUnavailableError("the key is refused")

    put(message())
    monkeypatch.setattr("outbox.relay.draining.configured_publisher", lambda: Scripted(gone))
    with pytest.raises(CommandError, match="the key is refused"):
        call_command("relay", "--once")
    assert not connection.in_atomic_block


@pytest.mark.parametrize(("name", "task"), [("drain-outbox", tasks.drain), ("purge-outbox", tasks.purge)])
def test_the_schedule_drives_it_and_no_tick_outlives_the_next_ones(name, task):
    entry = django_settings.CELERY_BEAT_SCHEDULE[name]
    assert entry["task"] == task.name
    assert entry["options"]["expires"]
    if task is tasks.drain:
        assert entry["schedule"] == 1.0
