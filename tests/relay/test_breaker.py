"""While the publisher is away nothing is claimed but one command from time to time, and the alarm comes once."""

import logging

import pytest

from outbox.relay.breaker import LONGEST_PAUSE_SECONDS, Breaker


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def breaker(clock):
    return Breaker(clock)


def test_it_lets_batches_through_while_the_publisher_answers(breaker):
    breaker.answered()
    assert breaker.allowance(500) == 500


def test_an_outage_stops_claiming_then_one_is_tried(breaker, clock):
    breaker.failed("gone")
    assert breaker.allowance(500) == 0
    clock.now += 0.2
    assert breaker.allowance(500) == 0
    clock.now += 0.4
    assert breaker.allowance(500) == 1


def test_an_answer_to_the_one_opens_the_way_for_batches(breaker, clock):
    breaker.failed("gone")
    clock.now += 1
    breaker.answered()
    assert breaker.allowance(500) == 500


def test_failed_tries_lengthen_the_pause_up_to_a_limit(breaker, clock):
    for _ in range(30):
        breaker.failed("gone")
    clock.now += LONGEST_PAUSE_SECONDS / 2 - 0.1
    assert breaker.allowance(500) == 0
    clock.now += LONGEST_PAUSE_SECONDS / 2 + 0.2
    assert breaker.allowance(500) == 1


def test_the_next_outage_begins_with_a_short_pause(breaker, clock):
    for _ in range(30):
        breaker.failed("gone")
    breaker.answered()
    breaker.failed("gone")
    clock.now += 0.6
    assert breaker.allowance(500) == 1


def test_one_alarm_for_an_outage_and_one_word_when_it_ends(breaker, caplog):
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            breaker.failed("the key is refused")
        breaker.answered()
        breaker.answered()
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "the key is refused" in caplog.text
