"""H03: who misses the deadline is STALE once, by one event and one version, and nothing else is said of it."""

from datetime import timedelta

import pytest

from taskstatus.domain.timestamps import parse_rfc3339
from taskstatus.models import ExecutionLease, Step
from tests.support.api import user_api
from tests.support.beats import beat, verdicts
from tests.support.cast import ALICE, step_body
from tests.support.projected import messages, notices
from tests.support.reconciling import (
    RECONCILER,
    TIMEOUT_SECONDS,
    changed,
    health,
    health_log,
    shown,
    silence,
    time_passes,
)
from tests.support.unchanged import stored, unchanged


def task(worker):
    """The id of the worker's task."""
    return worker.context["taskId"]


@pytest.mark.accepts("H03")
def test_a_missed_deadline_makes_stale_once(carol):
    """One event, one version of task and step; a second pass finds nothing and writes nothing."""
    worker = carol.worker(carol.task(step_body(heartbeatTimeoutSeconds=3600))["taskId"])
    worker.started()
    before = shown(worker)
    time_passes(3000)
    assert changed() == 0
    time_passes(601)
    assert changed() == 1
    after = stored()
    assert changed() == 0
    assert stored() == after
    (event,) = health_log(worker)
    assert (event.health, event.health_reason, event.producer_id) == ("STALE", "NO_HEARTBEAT", RECONCILER)
    assert event.event_id.startswith("svc:")
    assert event.source_seq is None
    versions = [[int(row["version"]) for row in rows] for rows in (before, shown(worker))]
    assert versions[1] == [version + 1 for version in versions[0]] == [event.task_version, event.step_version]


@pytest.mark.accepts("H03")
def test_silence_is_shown_as_silence_and_as_nothing_else(carol, silent):
    """Lifecycle, businessStatus, progress and failure stay; health, its reason and its moments tell what is known."""
    detail, step = shown(silent)
    told = {
        name: (detail[name], step[name]) for name in ("lifecycleStatus", "businessStatus", "health", "healthReason")
    }
    assert told == {
        "lifecycleStatus": ("RUNNING", "RUNNING"),
        "businessStatus": ("RUNNING", "RUNNING"),
        "health": ("STALE", "STALE"),
        "healthReason": ("NO_HEARTBEAT", "NO_HEARTBEAT"),
    }
    assert detail["failure"] is step["error"] is None
    heard, since = parse_rfc3339(step["lastHeartbeatAt"]), parse_rfc3339(step["staleSince"])
    assert since - heard >= timedelta(seconds=TIMEOUT_SECONDS)
    assert user_api(ALICE).get("/me/counts").ok()["health"]["STALE"] == 1
    assert [row["id"] for row in user_api(ALICE).get("/me/tasks?health=STALE").ok()["items"]] == [task(silent)]


@pytest.mark.accepts("H03")
def test_users_are_told_at_once_on_both_channels(silent):
    """The summary carries the notice TASK_STALE, the detail the event; both are the state of that version."""
    (event,) = health_log(silent)
    version = str(event.task_version)
    summary, detail = messages("task.summary", task(silent))[-1], messages("task.detail", task(silent))[-1]
    assert (summary["taskVersion"], summary["task"]["health"]) == (version, "STALE")
    assert (summary["notice"]["type"], summary["notice"]["level"]) == ("TASK_STALE", "WARNING")
    assert summary["notice"]["id"] == f"{task(silent)}:{version}"
    assert (detail["taskVersion"], detail["state"]["steps"][0]["health"]) == (version, "STALE")
    assert detail["triggerEvent"]["eventType"] == "STEP_HEALTH_CHANGED"
    assert detail["triggerEvent"]["producerId"] == RECONCILER
    assert "notice" not in detail


@pytest.mark.accepts("H03")
def test_only_running_executions_of_living_tasks_fall_silent(carol):
    """Waiting, ended and superseded ones, and those of ended tasks, have nobody to be heard of."""
    workers = [carol.running() for _ in range(3)]
    waiting = carol.worker(carol.task(step_body())["taskId"])
    workers[0].completed()
    carol.worker(task(workers[1]), supersede=True)
    carol.end(task(workers[2]), "TASK_FAILED")
    silence()
    assert changed() == 0
    assert {health(worker) for worker in [*workers, waiting]} == {("HEALTHY", None)}


@pytest.mark.accepts("H03")
def test_of_many_steps_each_is_judged_by_its_own_lease(carol):
    """The task is as its worst step; it is told of anew only when it changes, each step whenever it does."""
    task_id = carol.task(*map(step_body, ("s1", "s2", "s3")))["taskId"]
    workers = [carol.worker(task_id, name) for name in ("s1", "s2", "s3")]
    for worker in workers:
        worker.started()
    silence()
    assert verdicts(beat(workers[1])) == ["ACCEPTED"]
    assert changed() == 2
    detail, _ = shown(workers[0])
    assert [step["health"] for step in detail["steps"]] == ["STALE", "HEALTHY", "STALE"]
    assert len(health_log(workers[0])) == 2
    assert [notice["type"] for notice in notices(task_id)] == ["TASK_STALE"]
    assert verdicts(beat(workers[0])) == ["ACCEPTED"]
    assert shown(workers[0])[0]["health"] == "STALE"
    assert verdicts(beat(workers[2])) == ["ACCEPTED"]
    assert [notice["type"] for notice in notices(task_id)] == ["TASK_STALE", "TASK_RECOVERED"]


@pytest.mark.accepts("H03")
def test_a_task_that_ends_while_its_worker_is_silent_keeps_what_was_known(carol, silent):
    """Its health changes no more; nothing is left for the reconciler to look at, and no beat brings it back."""
    carol.end(task(silent), "TASK_FAILED")
    assert ExecutionLease.objects.count() == 0
    with unchanged():
        assert verdicts(beat(silent)) == ["TERMINAL_STATE"]
    assert health(silent) == ("STALE", "NO_HEARTBEAT")
    assert list(Step.objects.values_list("health_due_at", flat=True)) == [None]
    silence()
    assert changed() == 0


@pytest.mark.accepts("H03")
def test_the_attempt_that_takes_over_is_healthy_and_no_recovery(carol, silent):
    """A superseded execution did not come back: the task is healthy by its new attempt, and nobody is told so."""
    new = carol.worker(task(silent), supersede=True)
    assert health(silent) == ("HEALTHY", None)
    with unchanged():
        assert verdicts(beat(silent)) == ["STALE_EXECUTION"]
    new.started()
    assert changed() == 0
    assert [notice["type"] for notice in notices(task(silent))] == ["TASK_STALE"]
