"""A commit is told to a relay soon, once for many, and never at the committer's cost."""

import threading
from types import SimpleNamespace

import pytest
from celery import current_app
from django.db import transaction

from outbox import enqueue, nudge, tasks
from outbox.nudge import Nudger
from tests.relay.support import message, put
from tests.support.waiting import PATIENCE_SECONDS, eventually


class Heard:
    """A bell that is heard, or not."""

    def __init__(self, by_a_relay):
        self.ring = lambda: by_a_relay


@pytest.fixture
def nudges(monkeypatch):
    """How often a commit nudged."""
    seen = []
    monkeypatch.setattr(enqueue, "nudge", lambda: seen.append(1))
    return seen


@pytest.fixture
def queue(settings):
    """An empty queue of the workers; how many messages wait in it."""
    with current_app.connection_for_write() as connection:
        channel = connection.default_channel
        name = current_app.conf.task_default_queue
        channel.queue_declare(name)
        channel.queue_purge(name)
        yield lambda: channel.queue_declare(name).message_count
        channel.queue_purge(name)


@pytest.mark.django_db(transaction=True)
def test_a_commit_nudges_and_a_rollback_or_a_commit_without_messages_does_not(nudges):
    put()
    assert nudges == []
    put(message())
    assert len(nudges) == 1
    with transaction.atomic():
        enqueue.enqueue([message()])
        transaction.set_rollback(True)
    assert len(nudges) == 1


@pytest.mark.django_db(transaction=True)
def test_a_nudge_that_fails_does_not_fail_the_commit(monkeypatch, caplog):
    def fail():
        raise OSError("no")

    monkeypatch.setattr(enqueue, "nudge", fail)
    assert len(put(message())) == 1
    assert "no" in caplog.text


def test_many_within_the_window_are_two(monkeypatch):
    """The one at its beginning, and one at its end for all who came meanwhile."""
    calls, over = [], threading.Event()
    monkeypatch.setattr(nudge, "time", SimpleNamespace(sleep=lambda _: over.wait(PATIENCE_SECONDS)))
    nudger = Nudger(lambda: calls.append(1))
    nudger.nudge()
    eventually(lambda: calls)
    for _ in range(1000):
        nudger.nudge()
    assert len(calls) == 1
    over.set()
    eventually(lambda: len(calls) == 2)
    assert not nudger._asked.is_set(), "a third is on its way"


def test_what_is_asked_within_the_window_is_told_at_its_end():
    calls = []
    nudger = Nudger(lambda: calls.append(1), window_seconds=0.1)
    nudger.nudge()
    eventually(lambda: calls)
    nudger.nudge()
    eventually(lambda: len(calls) == 2)


def test_a_slow_or_failing_broker_costs_the_caller_nothing_and_is_told_once(caplog):
    blocked, done, tries = threading.Event(), threading.Event(), []

    def send():
        tries.append(1)
        blocked.set()
        done.wait(PATIENCE_SECONDS)
        raise OSError("the broker is away")

    nudger = Nudger(send, window_seconds=0.01)
    nudger.nudge()
    assert blocked.wait(PATIENCE_SECONDS)
    for _ in range(100):
        nudger.nudge()  # comes back while the first one is still being sent
    assert len(tries) == 1
    done.set()
    for number in (2, 3):  # the third try begins when the failure of the second was noted
        nudger.nudge()
        eventually(lambda number=number: len(tries) >= number)
    assert caplog.text.count("can't be nudged") == 1
    assert "the broker is away" not in caplog.text  # it might hold an address and its password


def test_a_relay_that_listens_is_told_and_no_worker_is_asked(monkeypatch, queue):
    monkeypatch.setattr(nudge, "_bell", lambda: Heard(True))
    nudge.tell_a_relay()
    assert queue() == 0


def test_where_no_relay_listens_a_worker_is_asked_to_drain(monkeypatch, queue):
    monkeypatch.setattr(nudge, "_bell", lambda: Heard(False))
    nudge.tell_a_relay()
    assert queue() == 1
    with current_app.connection_for_write() as connection:
        sent = connection.default_channel.basic_get(current_app.conf.task_default_queue, no_ack=True)
    assert sent.headers["task"] == tasks.drain.name
    assert sent.headers["expires"]


def test_a_queue_that_nobody_empties_does_not_grow_for_ever(queue):
    for _ in range(nudge.MAX_WAITING_MESSAGES + 10):
        nudge.ask_a_worker()
    assert queue() == nudge.MAX_WAITING_MESSAGES


def test_a_forked_process_nudges_by_itself():
    calls = []
    nudger = Nudger(lambda: calls.append(1))
    nudger.nudge()
    eventually(lambda: calls)
    nudger.renew()
    nudger.nudge()
    eventually(lambda: len(calls) == 2)
