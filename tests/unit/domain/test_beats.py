"""Which beats renew a lease, and why the others don't (protocol 4.4)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from taskstatus.domain.beats import LiveExecution, beat_refusal
from taskstatus.domain.lifecycle import TERMINAL

NOW = datetime(2026, 9, 21, 7, 10, 18, tzinfo=UTC)
LAST = 5
RUNNING: dict[str, Any] = {
    "execution_id": "exe",
    "tenant_id": "acme",
    "authority_scope": "content-platform",
    "task_id": "tsk",
    "current_task_attempt": 2,
    "task_lifecycle": "RUNNING",
    "cancel_requested_at": None,
    "step_id": "s1",
    "task_attempt": 2,
    "step_attempt": 3,
    "is_current": True,
    "step_lifecycle": "RUNNING",
    "health": "HEALTHY",
    "credential_generation": 1,
    "interval_seconds": 15,
    "timeout_seconds": 60,
    "last_heartbeat_seq": 0,
    "lease_seq": LAST,
    "last_beat_at": NOW,
    "deadline_at": NOW,
}
NO_LEASE = {"lease_seq": None, "last_heartbeat_seq": LAST, "last_beat_at": None, "deadline_at": None}
OLD_ATTEMPT = {"current_task_attempt": 3, **NO_LEASE}
SUPERSEDED = {"is_current": False, **NO_LEASE}
ENDED = {"step_lifecycle": "FAILED", **NO_LEASE}
ENDED_TASK = {"task_lifecycle": "CANCELLED", **NO_LEASE}
NOT_STARTED = {"step_lifecycle": "PENDING", **NO_LEASE}


@pytest.mark.parametrize(
    ("state", "lower", "same", "higher"),
    [
        ({}, "STALE_SEQUENCE", None, None),
        ({"health": "STALE", "deadline_at": None}, "STALE_SEQUENCE", None, None),
        (OLD_ATTEMPT, "STALE_ATTEMPT", "STALE_ATTEMPT", "STALE_ATTEMPT"),
        (SUPERSEDED, "STALE_EXECUTION", "STALE_EXECUTION", "STALE_EXECUTION"),
        ({**OLD_ATTEMPT, **SUPERSEDED}, "STALE_ATTEMPT", "STALE_ATTEMPT", "STALE_ATTEMPT"),
        ({**SUPERSEDED, **ENDED}, "STALE_EXECUTION", "STALE_EXECUTION", "STALE_EXECUTION"),
        (ENDED, "STALE_SEQUENCE", "TERMINAL_STATE", "TERMINAL_STATE"),
        (ENDED_TASK, "STALE_SEQUENCE", "TERMINAL_STATE", "TERMINAL_STATE"),
        (NOT_STARTED, "STALE_SEQUENCE", "NOT_RUNNING", "NOT_RUNNING"),
    ],
    ids=["running", "silent", "old attempt", "superseded", "old and superseded", "superseded and ended", "ended",
         "ended task", "not started"],
)  # fmt: skip
def test_a_beat_is_judged_by_attempt_number_and_state_in_this_order(state, lower, same, higher):
    execution = LiveExecution(**{**RUNNING, **state})
    assert [beat_refusal(execution, LAST + step, LAST) for step in (-1, 0, 1)] == [lower, same, higher]


@pytest.mark.parametrize("lifecycle", sorted(TERMINAL))
@pytest.mark.parametrize("member", ["task_lifecycle", "step_lifecycle"])
def test_no_ended_step_or_task_is_renewed_even_if_its_lease_were_left(member, lifecycle):
    assert beat_refusal(LiveExecution(**{**RUNNING, member: lifecycle}), LAST + 1, LAST) == "TERMINAL_STATE"
