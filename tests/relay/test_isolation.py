"""One command that spoils a whole call stands alone in the end, and the others are published."""

import pytest
from django.db import connection

from outbox.publishers import PublishError, PublisherUnavailableError
from outbox.relay.publishing import publish
from tests.relay.support import Scripted, delivery, refusing

SECONDS = 60
EIGHT = [delivery(number) for number in range(1, 9)]


class Spoiled(Scripted):
    """Refuses, or breaks at, every call that holds command 6."""

    error: Exception = PublishError("too large", retryable=False)

    def publish(self, deliveries, timeout_seconds):
        answers = super().publish(deliveries, timeout_seconds)
        if 6 in self.calls[-1]:
            raise self.error
        return answers


def test_everything_goes_in_one_call():
    publisher = Scripted()
    assert publish(publisher, EIGHT, SECONDS).verdicts == dict.fromkeys(range(1, 9))
    assert publisher.calls == [[1, 2, 3, 4, 5, 6, 7, 8]]


def test_a_refused_call_is_halved_until_the_culprit_stands_alone():
    publisher = Spoiled()
    answers = publish(publisher, EIGHT, SECONDS)
    assert answers.verdicts.pop(6) is Spoiled.error
    assert answers.verdicts == dict.fromkeys([1, 2, 3, 4, 5, 7, 8])
    done = [call for call in publisher.calls if 6 not in call]
    assert [row_id for call in done for row_id in call] == [1, 2, 3, 4, 5, 7, 8]


def test_a_publisher_that_breaks_is_treated_alike_and_may_be_tried_again(caplog):
    publisher = Spoiled()
    publisher.error = KeyError("secret")
    verdict = publish(publisher, EIGHT, SECONDS).verdicts[6]
    assert verdict is not None
    assert verdict.retryable
    assert "secret" not in verdict.reason


def test_an_answer_too_few_counts_as_broken(caplog):
    publisher = Scripted()
    publisher.publish = lambda deliveries, _: [None] * (len(deliveries) - 1)
    answers = publish(publisher, EIGHT[:1], SECONDS)
    assert answers.verdicts[1] is not None


def test_an_outage_leaves_the_rest_unanswered():
    publisher = Spoiled()
    publisher.error = PublisherUnavailableError("gone")
    answers = publish(publisher, EIGHT, SECONDS)
    assert answers.outage == "gone"
    assert answers.verdicts == {}


def test_where_none_of_several_gets_through_it_is_an_outage():
    everything = refusing(*range(1, 9), retryable=True)
    answers = publish(Scripted(everything), EIGHT, SECONDS)
    assert (answers.outage, answers.verdicts) == ("no", {})


def test_where_some_get_through_the_others_are_at_fault():
    answers = publish(Scripted(refusing(1, 2, retryable=True)), EIGHT, SECONDS)
    assert answers.outage is None
    assert [row_id for row_id, verdict in answers.verdicts.items() if verdict] == [1, 2]


def test_one_alone_that_fails_is_at_fault_itself():
    answers = publish(Scripted(refusing(1, retryable=True)), EIGHT[:1], SECONDS)
    assert answers.outage is None
    assert answers.verdicts[1] is not None


def test_a_deadline_that_passes_while_halving_ends_it():
    publisher = Spoiled()
    answers = publish(publisher, EIGHT, 0)
    assert publisher.calls == []
    assert answers.outage


@pytest.mark.django_db
def test_nothing_is_published_while_a_transaction_is_open():
    assert connection.in_atomic_block
    publisher = Scripted()
    with pytest.raises(RuntimeError, match="transaction"):
        publish(publisher, EIGHT, SECONDS)
    assert publisher.calls == []
