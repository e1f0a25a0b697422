"""Every reason why a task does not move is found, and the one that tells most comes first (ruling 17, O06)."""

from datetime import timedelta
from typing import Any

import pytest

from taskstatus.domain.findings import WEIGHTS, Kind, Weight, findings
from taskstatus.domain.lifecycle import FailurePolicy, Lifecycle
from taskstatus.domain.outages import Outage, Signs
from taskstatus.domain.situation import OwnState, Refused, Unpublished, last_reported_at
from taskstatus.projections.finding_advice import advice
from taskstatus.projections.finding_words import sentence
from tests.support.explained import (
    ExplainedPlainTask,
    PlainLease,
    activated,
    ended,
    pending,
    running,
    situation,
    under_way,
)
from tests.support.plain import EARLIER, NOW

SILENT: dict[str, Any] = {"health": "STALE", "health_reason": "NO_HEARTBEAT", "stale_since": EARLIER}
LONG_AGO = NOW - timedelta(minutes=4)
GONE = PlainLease(last_heartbeat_at=LONG_AGO, deadline_at=None)


def degraded(reason: str) -> dict[str, Any]:
    return {"health": "DEGRADED", "health_reason": reason}


CASES = {
    Kind.ENDED: situation(task=ExplainedPlainTask(lifecycle_status=Lifecycle.FAILED, finished_at=LONG_AGO)),
    Kind.NOBODY_HEARS: situation(running(), own=OwnState(Signs(NOW, LONG_AGO), Outage(LONG_AGO))),
    Kind.NOBODY_JUDGES: situation(running(), own=OwnState(Signs(LONG_AGO, NOW))),
    Kind.REFUSED: situation(running(), refused=[Refused("SCHEMA_NOT_ALLOWED", "reader", 31, LONG_AGO)]),
    Kind.SILENT: situation(running(lease=GONE, **SILENT)),
    Kind.WAITS_FOR_USER: situation(running(), task=under_way(requires_action=True, updated_at=LONG_AGO)),
    Kind.CANCEL_ASKED: situation(running(), task=under_way(cancel_requested_at=LONG_AGO)),
    Kind.STEP_FAILED: situation(
        ended(lifecycle=Lifecycle.FAILED, error_code="TORN", finished_at=LONG_AGO), pending("s2")
    ),
    Kind.NOT_STARTED: situation(activated(activated_at=LONG_AGO)),
    Kind.NO_PROGRESS: situation(running(progress_moved_at=LONG_AGO, **degraded("NO_PROGRESS"))),
    Kind.OVER_TIME: situation(
        running(**degraded("OVER_TIME")), task=under_way(started_at=LONG_AGO, max_duration_seconds=180)
    ),
    Kind.ALL_STEPS_ENDED: situation(ended(), ended("s2", finished_at=LONG_AGO)),
    Kind.NOT_ACTIVATED: situation(pending(), pending("s2"), task=ExplainedPlainTask(created_at=LONG_AGO)),
    Kind.NO_STEPS: situation(task=ExplainedPlainTask(created_at=LONG_AGO)),
    Kind.MESSAGES_DEAD: situation(running(), unpublished=Unpublished(dead=2, dead_since=LONG_AGO)),
    Kind.MESSAGES_WAIT: situation(running(), unpublished=Unpublished(waiting=1, waiting_since=LONG_AGO)),
    Kind.OPTIONAL_FAILED: situation(
        running("s2"),
        ended(lifecycle=Lifecycle.FAILED, failure_policy=FailurePolicy.CONTINUE_WITH_WARNING, finished_at=LONG_AGO),
    ),
    Kind.BEATS_MISSING: situation(running(lease=PlainLease(last_heartbeat_at=NOW - timedelta(seconds=31)))),
    Kind.RUNS: situation(running()),
}
SENTENCES = {
    Kind.ENDED: "It ended 4 min ago: it failed.",
    Kind.NOBODY_HEARS: (
        "The service itself has taken no reports for 4 min, so silence proves nothing about the executors."
    ),
    Kind.NOBODY_JUDGES: "No reconciler has come by for 4 min: nobody finds silent executions.",
    Kind.REFUSED: "Reports are being refused: SCHEMA_NOT_ALLOWED x 31 from reader, the last one 4 min ago.",
    Kind.SILENT: "reader, which runs step s1, has been silent for 4 min.",
    Kind.WAITS_FOR_USER: "It has waited for its user for 4 min.",
    Kind.CANCEL_ASKED: "A user asked 4 min ago that it be cancelled.",
    Kind.STEP_FAILED: "Step s1 failed (TORN) 4 min ago, and nothing has followed.",
    Kind.NOT_STARTED: "Step s1 was given to reader 4 min ago and has not started yet.",
    Kind.NO_PROGRESS: "reader is alive, but the progress of step s1 has not moved for 4 min.",
    Kind.OVER_TIME: "It has been running for 4 min; 3 min were expected.",
    Kind.ALL_STEPS_ENDED: "All of its steps have ended, the last one 1 min ago, and it has not.",
    Kind.NOT_ACTIVATED: "It was created 4 min ago, and no step has been activated: s1, s2.",
    Kind.NO_STEPS: "It was created 4 min ago and has no steps.",
    Kind.MESSAGES_DEAD: "2 messages about it were given up in the outbox, the oldest 4 min ago.",
    Kind.MESSAGES_WAIT: "1 message about it has waited in the outbox for 4 min.",
    Kind.OPTIONAL_FAILED: "Step s1 failed 4 min ago; the task goes on without it.",
    Kind.BEATS_MISSING: "reader, which runs step s1, was heard of 31 s ago and is believed until 07:11:18 UTC.",
    Kind.RUNS: "Nothing is wrong as far as we know: reader was heard of 0 s ago.",
}
ALL_WELL = {Kind.RUNS, Kind.OPTIONAL_FAILED}


def kinds(seen):
    return [finding.kind for finding in findings(seen)]


@pytest.mark.accepts("O06")
@pytest.mark.parametrize("kind", Kind)
def test_each_reason_is_found_first_and_said_in_plain_words(kind):
    first = findings(CASES[kind])[0]
    assert first.kind is kind
    assert sentence(first, NOW) == SENTENCES[kind]
    assert bool(advice(first)) is (kind not in ALL_WELL)
    assert first.weight is WEIGHTS[kind]


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (situation(running(lease=GONE, **SILENT, stale_escalated_at=NOW)), "and that was told twice."),
        (situation(activated(activated_at=LONG_AGO, **degraded("NOT_STARTED"))), "has not started in the time it has"),
        (situation(ended(), pending("s2")), "nobody has activated what is left: s2."),
        (situation(running(), own=OwnState(Signs(None, NOW))), "No reconciler has ever come by"),
        (situation(running(), refused=[Refused("X", "y", 1, LONG_AGO)]), "X x 1 from y, 4 min ago."),
        (situation(), "has no steps"),
        (
            situation(running(**degraded("OVER_TIME")), task=under_way(started_at=LONG_AGO)),
            "It has been running for 4 min, longer than was expected.",
        ),
    ],
    ids=["escalated", "late-start", "between-steps", "no-reconciler-ever", "one-refusal", "no-steps", "unlimited"],
)
def test_the_same_reason_is_said_as_it_is(seen, words):
    assert words in sentence(findings(seen)[0], NOW)


def test_several_reasons_are_ranked():
    seen = situation(
        running(lease=GONE, **SILENT),
        activated("s2"),
        task=under_way(cancel_requested_at=EARLIER),
        refused=[Refused("DATA_REJECTED", "reader", 1, NOW), Refused("SCHEMA_NOT_ALLOWED", "reader", 31, NOW)],
    )
    assert kinds(seen) == [Kind.REFUSED, Kind.REFUSED, Kind.SILENT, Kind.CANCEL_ASKED, Kind.NOT_STARTED]
    assert [finding.facts["count"] for finding in findings(seen)[:2]] == [31, 1]


def test_a_failed_step_that_will_be_tried_again_is_told_from_one_that_will_not():
    failed = {"lifecycle": Lifecycle.FAILED, "error_code": "TORN", "failure_policy": "RETRY_THEN_FAIL_TASK"}
    waiting = findings(situation(ended(**failed), running("s2"), task=under_way(business_status="RETRY_WAIT")))[0]
    last = findings(situation(ended(**failed, attempt=3), task=under_way(business_status="RETRY_WAIT")))[0]
    assert (waiting.kind, waiting.facts["retry"]) == (Kind.STEP_FAILED, True)
    assert (last.kind, last.facts["retry"]) == (Kind.STEP_FAILED, False)


def test_a_step_that_failed_and_waits_for_its_user_is_told_of_as_that_alone():
    failed = ended(lifecycle=Lifecycle.FAILED, failure_policy="WAIT_FOR_USER")
    assert kinds(situation(failed, running("s2"), task=under_way(business_status="WAITING_USER_ACTION"))) == [
        Kind.WAITS_FOR_USER
    ]


def test_an_ended_task_is_not_asked_for_more_than_its_messages():
    task = ExplainedPlainTask(lifecycle_status=Lifecycle.CANCELLED, finished_at=EARLIER)
    seen = situation(running(lease=GONE, **SILENT), task=task, unpublished=Unpublished(dead=1, dead_since=EARLIER))
    assert kinds(seen) == [Kind.ENDED, Kind.MESSAGES_DEAD]


@pytest.mark.parametrize(
    "seen",
    [
        situation(running(), unpublished=Unpublished(waiting=3, waiting_since=NOW - timedelta(seconds=15))),
        situation(running(lease=PlainLease(last_heartbeat_at=NOW - timedelta(seconds=30)))),
        situation(running(), own=OwnState(Signs(NOW - timedelta(seconds=15), NOW))),
        situation(running(), pending("s2")),
        # Nobody who takes beats has ever said so, or not for so long that the sign itself is missing.
        situation(running(), own=OwnState(Signs(NOW, None))),
        situation(running(), own=OwnState(Signs(NOW, NOW - timedelta(minutes=16)))),
    ],
    ids=["fresh-message", "two-intervals", "scan-is-late", "next-step-waits", "no-web-sign", "old-web-sign"],
)
def test_what_is_ordinary_is_nothing_to_tell(seen):
    assert kinds(seen) == [Kind.RUNS]
    assert findings(seen)[0].weight is Weight.WELL


def test_what_the_service_found_out_itself_is_no_report():
    task = under_way(updated_at=NOW, started_at=LONG_AGO)
    assert last_reported_at(task, [running(started_at=LONG_AGO, activated_at=LONG_AGO, **SILENT).step]) == LONG_AGO
    assert last_reported_at(task, [running(progress_updated_at=EARLIER).step]) == EARLIER
    assert last_reported_at(ExplainedPlainTask(), []) is None
