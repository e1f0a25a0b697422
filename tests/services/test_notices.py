"""Every kind of notice: how it is told, on which channel, in which words, and that nothing newer swallows it."""

# ruff: noqa: RUF001 - Chinese sentences have punctuation of their own

import json
from datetime import UTC, datetime

import pytest

from outbox.relay.coalescing import coalesce
from realtime.stream import listener as listeners
from realtime.stream.frames import Frame
from realtime.stream.listener import Listener
from registries.resolver import registry
from taskstatus.domain.decisions import NoticeType
from taskstatus.models import Step, Task, TaskEvent
from taskstatus.projections.context import ProjectionContext
from taskstatus.projections.fanout import task_messages
from taskstatus.projections.notice_kinds import KINDS, OPTIONAL_STEP_FAILED, STALE_FOR_LONG
from tests.relay.support import delivery
from tests.support.cast import coordinator

pytestmark = pytest.mark.django_db

HEARD_AT = datetime(2026, 9, 21, 12, 30, tzinfo=UTC)
LEVELS = {"STEP_FAILED", "TASK_FAILED"}, {"STEP_RETRYING", "ACTION_REQUIRED", "TASK_STALE"}
ALARMING = ("fail", "error", "broke", "失败", "错误")


@pytest.fixture
def rows():
    """A running task, its step, and what happened last."""
    worker = coordinator().running(title="Long reading")
    step = Step.objects.get(execution_id=worker.context["executionId"])
    task = Task.objects.get(pk=step.task_id)
    return task, step, TaskEvent.objects.filter(task_id=task.id).latest("task_version")


def silent(step, **columns):
    step.health, step.health_reason, step.stale_since = "STALE", "NO_HEARTBEAT", HEARD_AT
    step.lease.last_heartbeat_at = HEARD_AT
    for name, value in columns.items():
        setattr(step, name, value)


def told(rows, kind, language="en"):
    """Both messages of the version, as rows of the outbox."""
    task, step, event = rows
    context = ProjectionContext(registry(task.tenant_id, task.authority_scope), 1, task.updated_at, language)
    return task_messages(task, [step], event, context, notice_type=kind)


def notice(rows, kind, language="en"):
    return json.loads(told(rows, kind, language)[0].payload)["notice"]


@pytest.mark.parametrize("kind", NoticeType)
def test_every_kind_rides_on_the_owners_summary_under_the_version_that_it_tells_of(rows, kind):
    summary, detail = told(rows, kind)
    task, body = rows[0], json.loads(summary.payload)
    assert (summary.channel, body["kind"]) == ("task_user:acme/alice", "task.summary")
    assert (body["notice"]["id"], body["notice"]["type"]) == (f"{task.id}:{task.version}", kind)
    assert body["task"]["version"] == body["taskVersion"] == str(task.version)
    assert body["notice"]["title"]
    assert body["notice"]["message"].startswith("Long reading")
    assert "notice" not in json.loads(detail.payload)


@pytest.mark.parametrize("kind", NoticeType)
def test_every_kind_has_a_level_and_words_in_both_languages(rows, kind):
    errors, warnings = LEVELS
    expected = "ERROR" if kind in errors else "WARNING" if kind in warnings else "INFO"
    english, chinese = notice(rows, kind), notice(rows, kind, "zh-Hans")
    assert english["level"] == chinese["level"] == expected
    assert english["title"] == str(KINDS[kind].title)
    assert not chinese["title"].isascii()


@pytest.mark.accepts("R17")
@pytest.mark.parametrize("kind", NoticeType)
def test_nothing_newer_replaces_a_notice_in_the_outbox_the_relay_or_the_stream(rows, kind, monkeypatch):
    """The row says so, and both who might leave out a state keep to it."""
    summary, _detail = told(rows, kind)
    assert summary.coalescible is False
    shared = {"channel": summary.channel, "projection": summary.projection, "aggregate_id": summary.aggregate_id}
    version = summary.aggregate_version
    first = delivery(1, coalescible=summary.coalescible, aggregate_version=version, **shared)
    newer = [delivery(n, coalescible=True, aggregate_version=version + n, **shared) for n in (2, 3)]
    assert [one.id for one in coalesce([first, *newer]).to_publish] == [1, 3]
    assert waiting_in_a_full_stream(summary, monkeypatch) == [b"notice", b"9"]


def waiting_in_a_full_stream(summary, monkeypatch):
    """What a slow reader's queue of two still holds of the notice and of nine newer states."""
    monkeypatch.setattr(listeners, "MAX_FRAMES", 2)
    queue, subject = Listener(None, "key", [summary.channel], None), ("TASK", summary.aggregate_id)
    queue.offer(Frame(b"notice", subject, summary.coalescible))
    for number in range(1, 10):
        queue.offer(Frame(b"%d" % number, subject, True))
    return [frame.body for frame in queue._frames]


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("columns", [{}, {"stale_escalated_at": HEARD_AT}], ids=["first", "escalated"])
def test_silence_is_never_told_as_a_failure(rows, language, columns):
    """What is known is said: it runs as far as we know, and since when nothing was heard."""
    silent(rows[1], **columns)
    shown = notice(rows, NoticeType.TASK_STALE, language)
    words = f"{shown['title']} {shown['message']}".lower()
    assert [word for word in ALARMING if word in words] == []
    assert "2026-09-21 12:30 UTC" in shown["message"]
    assert ("running" if language == "en" else "运行") in words
    assert (shown["errorCode"], shown["retryable"]) == (None, None)
    assert shown["operationCode"] == "OPS.RUN"


def test_silence_that_was_escalated_is_more_urgent_and_called_so(rows):
    silent(rows[1])
    assert notice(rows, NoticeType.TASK_STALE)["level"] == "WARNING"
    silent(rows[1], stale_escalated_at=HEARD_AT)
    shown = notice(rows, NoticeType.TASK_STALE)
    assert (shown["level"], shown["title"]) == ("ERROR", str(STALE_FOR_LONG.title))


def test_an_optional_failure_is_called_one(rows):
    _task, step, _event = rows
    step.error_code, step.error_message, step.failure_policy = "TORN", "Page 3 is torn.", "CONTINUE_WITH_WARNING"
    shown = notice(rows, NoticeType.STEP_FAILED)
    assert (shown["level"], shown["title"]) == ("WARNING", str(OPTIONAL_STEP_FAILED.title))
    assert shown["message"] == "Long reading: OPS.RUN: Page 3 is torn."


def test_a_failure_that_will_be_tried_again_says_which_attempt_follows(rows):
    _task, step, _event = rows
    step.error_code, step.error_message, step.max_attempts = "TORN", "Page 3 is torn.", 3
    shown = notice(rows, NoticeType.STEP_RETRYING)
    assert shown["message"] == "Long reading: OPS.RUN: Page 3 is torn. Attempt 2 of 3 follows."
    step.error_message = "Page 3 is torn"
    assert notice(rows, NoticeType.STEP_RETRYING) == shown
    assert notice(rows, NoticeType.STEP_RETRYING, "zh-Hans")["message"].endswith("即将进行第 2 次尝试（共 3 次）。")


def test_a_correction_says_what_the_state_is_now(rows):
    assert notice(rows, NoticeType.TASK_CORRECTED)["message"].endswith("it is now: Running.")


def test_an_earlier_failure_is_no_code_of_other_news(rows):
    rows[0].failure_code = "OLD"
    kinds = [kind for kind in NoticeType if kind is not NoticeType.TASK_FAILED]
    assert {notice(rows, kind)["errorCode"] for kind in kinds} == {None}
    assert notice(rows, NoticeType.TASK_FAILED)["errorCode"] == "OLD"
