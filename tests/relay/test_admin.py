"""Dead letters in the admin: seen with their reason, sent again or given up, and by whom."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.urls import reverse

from outbox import backlog
from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.relay import dead_letters
from tests.relay.operators import LIST, act, operator
from tests.relay.support import BUDGET_SECONDS, Scripted, message, put, refusing, relay, row, statuses

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def letters():
    """Two dead letters and a published message between them."""
    ids = put(*[message(version) for version in (1, 2, 3)])
    relay(Scripted(refusing(ids[0], ids[2], retryable=False))).drain(BUDGET_SECONDS)
    return ids


def logged():
    return [
        (entry.user.username, int(entry.object_id), entry.change_message) for entry in LogEntry.objects.order_by("pk")
    ]


def test_the_list_shows_the_dead_with_their_reasons_and_what_waits(letters):
    OutboxMessage.objects.filter(pk=letters[0]).update(created_at=F("created_at") - timedelta(hours=2))
    put(message(4))
    root = User.objects.create_superuser("root")
    client = Client()
    client.force_login(root)
    answer = client.get(LIST)
    shown = answer.context["cl"].result_list
    assert {letter.pk for letter in shown} == {letters[0], letters[2]}
    page = answer.content.decode()
    assert '<td class="field-reason">no</td>' in page
    pending, processing, dead = answer.context["backlog"]
    assert (pending.rows, processing.rows, dead.rows) == (1, 0, 2)
    assert timedelta(hours=1.9) < dead.oldest_age < timedelta(hours=2.1)
    assert processing.oldest_age is None
    *_, age = re.findall(r"the oldest for (\d+)", page)
    assert 7_200 <= int(age) < 7_560


def test_other_statuses_are_a_click_away(letters):
    client = operator()
    count = {status: len(client.get(LIST, {"status": status}).context["cl"].result_list) for status in (*Status, "ALL")}
    assert count == {"PENDING": 0, "PROCESSING": 0, "PUBLISHED": 1, "SUPERSEDED": 0, "DEAD": 2, "ALL": 3}


def test_a_search_is_exact(letters):
    client = operator()
    found = {text: len(client.get(LIST, {"q": text}).context["cl"].result_list) for text in ("tsk_000_A", "tsk_000")}
    assert found == {"tsk_000_A": 2, "tsk_000": 0}


@pytest.mark.accepts("A05")
def test_a_requeued_letter_is_published_and_it_is_kept_who_did_it(letters):
    page = act(operator("requeue"), "requeue", *letters)
    assert "2 dead letters wait" in page
    assert logged() == [("olga", letters[0], "Requeued after: no"), ("olga", letters[2], "Requeued after: no")]
    assert (row(letters[0]).status, row(letters[0]).attempts) == (Status.PENDING, 0)
    assert relay(Scripted()).drain(BUDGET_SECONDS).published == 2
    assert set(statuses().values()) == {Status.PUBLISHED}


def test_a_discarded_letter_is_gone_but_not_who_gave_it_up(letters):
    act(operator("discard"), "discard", letters[0], letters[1])
    assert statuses() == {letters[1]: Status.PUBLISHED, letters[2]: Status.DEAD}
    assert logged() == [("olga", letters[0], "Discarded after: no")]
    assert "task_detail:acme/tsk_000_A" in LogEntry.objects.get().object_repr


def test_what_is_not_dead_any_more_is_left_alone(letters):
    told = []
    assert dead_letters.discard(letters, told.extend) == 2
    assert [letter.pk for letter in told] == [letters[0], letters[2]]
    assert dead_letters.requeue(letters, told.extend) == 0
    assert statuses() == {letters[1]: Status.PUBLISHED}


@pytest.mark.parametrize(("granted", "refused"), [("requeue", "discard"), ("discard", "requeue")])
def test_each_action_has_a_permission_of_its_own(letters, granted, refused):
    act(operator(granted), refused, *letters)
    assert Counter(statuses().values()) == {Status.PUBLISHED: 1, Status.DEAD: 2}
    assert logged() == []


def test_nothing_can_be_added_edited_or_deleted_whatever_one_is_allowed(letters):
    client = operator("requeue", "discard", "add", "change", "delete")
    one = reverse("admin:outbox_outboxmessage_change", args=[letters[0]])
    assert client.get(one).status_code == 200
    assert client.post(one, {"status": "PUBLISHED"}).status_code == 403
    assert client.post(reverse("admin:outbox_outboxmessage_add"), {}).status_code == 403
    assert (
        client.post(reverse("admin:outbox_outboxmessage_delete", args=[letters[0]]), {"post": "yes"}).status_code == 403
    )
    assert row(letters[0]).status == Status.DEAD


def test_where_who_did_it_cannot_be_kept_nothing_is_done(letters, monkeypatch):
    def fail(*_args, **_kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr(type(LogEntry.objects), "log_actions", fail)
    with pytest.raises(ZeroDivisionError):
        act(operator("discard"), "discard", letters[0])
    assert row(letters[0]).status == Status.DEAD


def test_the_backlog_is_counted_without_what_was_settled(letters, django_assert_num_queries):
    with django_assert_num_queries(2):
        groups = backlog.backlog()
    assert [(group.status, group.rows) for group in groups] == [("PENDING", 0), ("PROCESSING", 0), ("DEAD", 2)]


@pytest.mark.accepts("S13")
@pytest.mark.parametrize("tenant", ["globex", "acm", None])
def test_an_operator_of_another_tenant_sees_no_letter_and_sends_none_again(letters, tenant):
    client = operator("requeue", "discard", tenant=tenant, name="mallory")
    answer = client.get(LIST, {"status": "ALL"})
    assert list(answer.context["cl"].result_list) == []
    assert answer.context["backlog"] == []
    act(client, "requeue", *letters)
    assert client.get(reverse("admin:outbox_outboxmessage_change", args=[letters[0]])).status_code in {302, 404}
    assert [row(letter).status for letter in (letters[0], letters[2])] == ["DEAD", "DEAD"]


@pytest.mark.accepts("S13")
def test_messages_to_everybody_of_a_tenant_are_its_operators_too(letters):
    OutboxMessage.objects.filter(pk=letters[0]).update(channel="task_tenant:acme")
    OutboxMessage.objects.filter(pk=letters[2]).update(channel="task_tenant:acme2")
    assert [letter.pk for letter in operator().get(LIST).context["cl"].result_list] == [letters[0]]
