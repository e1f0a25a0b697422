"""A commit is told to a relay soon, once for many, and never at the committer's cost."""

import threading
import time

import pytest
from celery import current_app
from django.db import transaction

from outbox import enqueue, nudge, tasks
from outbox.nudge import Nudger
from tests.relay.support import message, put
from tests.support.waiting import eventually


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


def test_many_within_the_window_are_one_or_two():
    calls = []
    nudger = Nudger(lambda: calls.append(1), window_seconds=0.2)
    for _ in range(1000):
        nudger.nudge()
    eventually(lambda: calls, 5)
    time.sleep(0.5)
    assert 1 <= len(calls) <= 2


def test_what_is_asked_within_the_window_is_told_at_its_end():
    calls = []
    nudger = Nudger(lambda: calls.append(1), window_seconds=0.1)
    nudger.nudge()
    eventually(lambda: calls, 5)
    nudger.nudge()
    eventually(lambda: len(calls) == 2, 5)


def test_a_slow_or_failing_broker_costs_the_caller_nothing_and_is_told_once(caplog):
    blocked, done, over = threading.Event(), threading.Event(), threading.Event()

    def send():
        blocked.set()
        done.wait(5)
        over.set()
        raise OSError("the broker is away")

    nudger = Nudger(send, window_seconds=0.01)
    nudger.nudge()
    assert blocked.wait(5)
    for _ in range(100):
        nudger.nudge()
    assert not over.is_set(), "a caller waited for the broker"
    done.set()
    eventually(lambda: "can't be nudged" in caplog.text, 5)
    nudger.nudge()
    time.sleep(0.1)
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
    eventually(lambda: calls, 5)
    nudger.renew()
    nudger.nudge()
    eventually(lambda: len(calls) == 2, 5)
