"""Old states give way to new ones, but nothing that a user must hear of (ruling 20)."""

from collections import defaultdict

import pytest

from outbox.models import OutboxMessage
from outbox.models.message import Status
from taskstatus.models import TaskEvent
from tests.relay.support import BUDGET_SECONDS, Scripted, message, put, refusing, relay, statuses
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db(transaction=True)


def states(*versions):
    return [message(version, coalescible=True) for version in versions]


def test_an_old_state_is_kept_as_superseded_and_never_called_published():
    old, new = put(*states(1, 2))
    report = relay(Scripted()).drain(BUDGET_SECONDS)
    assert (report.superseded, report.published) == (1, 1)
    assert statuses() == {old: Status.SUPERSEDED, new: Status.PUBLISHED}
    assert OutboxMessage.objects.get(pk=old).published_at is None


def test_an_old_state_waits_on_while_the_new_one_is_to_be_tried_again():
    old, new, other = put(*states(1, 2), message(aggregate="tsk_000_B"))
    relay(Scripted(refusing(new, retryable=True))).drain(BUDGET_SECONDS)
    assert statuses() == {old: Status.SUPERSEDED, new: Status.PENDING, other: Status.PUBLISHED}


def test_an_old_state_is_published_after_all_where_the_new_one_is_refused_for_good():
    old, new = put(*states(1, 2))
    refusal = relay(Scripted(refusing(new, retryable=False)))
    assert refusal.drain(BUDGET_SECONDS).released == 1
    assert refusal.drain(BUDGET_SECONDS).published == 1
    assert statuses() == {old: Status.PUBLISHED, new: Status.DEAD}


@pytest.mark.accepts("A04")
def test_a_relay_that_stood_still_shows_the_newest_state_and_skips_what_led_to_it():
    ids = put(*states(*range(1, 51)))
    publisher = Scripted()
    assert relay(publisher).drain(BUDGET_SECONDS).published == 1
    assert publisher.calls == [[ids[-1]]]


@pytest.mark.accepts("R17")
def test_creation_start_notice_end_and_retry_are_all_published_whatever_follows_them():
    carol = coordinator()
    worker = carol.running()
    task_id = worker.context["taskId"]
    for page in range(1, 6):
        worker.progress(page, phaseCode=f"PAGE_{page}")
    worker.failed()
    carol.end(task_id, "TASK_FAILED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": "again-1", "reason": "try anew"}).ok()
    carol.end(task_id, "TASK_CANCELLED", taskAttempt=2)
    rows = OutboxMessage.objects.filter(aggregate_id=task_id)
    assert rows.filter(coalescible=True).count() >= 10
    assert relay(Scripted()).drain(BUDGET_SECONDS).superseded >= 10

    assert {m.coalescible for m in rows if m.status == Status.SUPERSEDED} == {True}
    told = events_told(rows.filter(status=Status.PUBLISHED))
    always = {"TASK_CREATED", "TASK_FAILED", "TASK_RETRIED", "TASK_CANCELLED"}
    assert told["USER_SUMMARY"] >= {*always, "STEP_FAILED"}  # its summary carries a notice
    assert told["TASK_DETAIL"] >= always
    assert "STEP_PROGRESS" not in told["USER_SUMMARY"] | told["TASK_DETAIL"]


def events_told(rows):
    types = dict(TaskEvent.objects.values_list("task_version", "event_type"))
    told = defaultdict(set)
    for row in rows:
        told[row.projection].add(types[row.aggregate_version])
    return told
