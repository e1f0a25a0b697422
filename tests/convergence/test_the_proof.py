"""The proof can fail: each thing that would make a screen wrong is found by it."""

import json
from copy import copy
from dataclasses import replace

import pytest

from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator
from tests.support.convergence import Case, is_newest, observe, prove

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def case() -> Case:
    carol = coordinator()

    def act():
        worker = carol.running()
        worker.completed()
        carol.end(worker.context["taskId"])

    return observe(user_api(ALICE), ALICE, act)


def fails(case):
    with pytest.raises(AssertionError, match="seed"):
        prove(user_api(ALICE), case)


def test_a_screen_that_takes_whatever_comes_last(case, monkeypatch):
    monkeypatch.setattr(
        "tests.support.screen.Gate.offer", lambda gate, key, stamp, state: gate._held.update({key: (stamp, state)})
    )
    fails(case)


def test_a_newest_message_that_was_never_sent(case):
    fails(replace(case, messages=[m for m in case.messages if not is_newest(m, case.messages)]))


def test_a_message_that_says_something_else_than_the_snapshot(case):
    wrong = json.loads(json.dumps(case.messages).replace('"SUCCEEDED"', '"RUNNING"'))
    fails(replace(case, messages=wrong))


def test_one_version_that_names_two_states(case):
    last = [message for message in case.messages if message["kind"] == "task.summary"][-1]
    early = {**last, "task": {**last["task"], "title": "Not yet"}}
    fails(replace(case, messages=[early, *case.messages], all_messages=[early, *case.all_messages]))


def test_a_copy_of_a_screen_is_its_own(case):
    screen = copy(case.before)
    for message in case.messages:
        screen.accept(message)
    assert screen.view() != case.before.view()
