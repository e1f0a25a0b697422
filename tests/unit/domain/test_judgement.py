"""What the reconciler will make of an execution can be foretold from what is stored (ruling 29)."""

from datetime import timedelta

import pytest

from taskstatus.domain.health import HEALTHY, SILENT, HealthState
from taskstatus.domain.judgement import Judgement, Verdict, grace, judge
from taskstatus.domain.lifecycle import Health, HealthReason
from taskstatus.domain.outages import Outage
from tests.support.explained import PlainLease
from tests.support.plain import EARLIER, NOW, running_step, running_task

OVERDUE = PlainLease(last_heartbeat_at=NOW - timedelta(seconds=61), deadline_at=NOW - timedelta(seconds=1))
STALE = {"health": "STALE", "health_reason": "NO_HEARTBEAT", "stale_since": EARLIER}
OUTAGE = Outage(NOW - timedelta(seconds=50), NOW - timedelta(seconds=10))
OLD_OUTAGE = Outage(NOW - timedelta(minutes=5), NOW - timedelta(minutes=4))
STUCK = HealthState(Health.DEGRADED, HealthReason.NO_PROGRESS)


def judged(lease=None, outages=(), task=None, **members):
    return judge(running_step(**members), task or running_task(), lease, outages, NOW)


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (judged(PlainLease()), Judgement(Verdict.NOTHING, HEALTHY)),
        (judged(OVERDUE), Judgement(Verdict.CHANGE, SILENT)),
        (judged(OVERDUE, [OUTAGE]), Judgement(Verdict.GRACE, HEALTHY, NOW + timedelta(seconds=50))),
        (judged(OVERDUE, [OLD_OUTAGE]), Judgement(Verdict.CHANGE, SILENT)),
        (judged(PlainLease(deadline_at=None), **STALE), Judgement(Verdict.NOTHING, SILENT)),
        (judged(**STALE, stale_escalation_seconds=60), Judgement(Verdict.ESCALATE, SILENT)),
        (judged(**STALE, stale_escalation_seconds=60, stale_escalated_at=NOW), Judgement(Verdict.NOTHING, SILENT)),
        (judged(PlainLease(), started_at=EARLIER, no_progress_seconds=60), Judgement(Verdict.CHANGE, STUCK)),
        (judged(OVERDUE, started_at=EARLIER, no_progress_seconds=60), Judgement(Verdict.CHANGE, SILENT)),
        (
            judged(OVERDUE, [OUTAGE], started_at=EARLIER, no_progress_seconds=60),
            Judgement(Verdict.CHANGE, STUCK, NOW + timedelta(seconds=50)),
        ),
    ],
    ids=[
        *("well", "silent", "graced", "grace-is-over", "silent-already", "escalated", "escalated-already", "stuck"),
        *("silence-tells-more", "graced-and-stuck"),
    ],
)
def test_one_execution_is_judged(judgement, expected):
    assert judgement == expected


def test_a_lease_without_a_deadline_gets_no_grace():
    assert grace(PlainLease(last_heartbeat_at=EARLIER, deadline_at=None), [OUTAGE]) is None
