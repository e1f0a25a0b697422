"""`GET /internal/v1/executions`: a coordinator finds which of its scope's executions it has to decide about."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from taskstatus.models import ExecutionLease, ServiceOutage, Step
from taskstatus.services.reconcile_health import reconcile_health
from tests.support.api import service_api
from tests.support.cast import Coordinator, coordinator, step_body
from tests.support.plans import analyze, capturing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def silence(*workers):
    """Let these workers' leases run out, and the reconciler come by."""
    ids = [worker.context["executionId"] for worker in workers]
    leases = ExecutionLease.objects.filter(pk__in=ids)
    leases.update(last_heartbeat_at=Now() - timedelta(minutes=5), deadline_at=Now() - timedelta(minutes=4))
    ServiceOutage.objects.all().delete()
    reconcile_health()


def listed(carol, query=""):
    return carol.api.get(f"/executions{query}").ok()["items"]


def ids(carol, query=""):
    return [item["executionId"] for item in listed(carol, query)]


def test_a_silent_execution_is_found_with_all_that_a_decision_needs(carol):
    worker = carol.running(title="Parse the contract")
    well = carol.running()
    silence(worker)
    (item,) = listed(carol, "?health=STALE")
    detail = carol.detail(worker.context["taskId"])
    (step,) = detail["steps"]
    assert item == {
        "workflowId": detail["workflowId"],
        "taskId": detail["id"],
        "taskVersion": detail["version"],
        "taskType": None,
        "title": "Parse the contract",
        "lifecycleStatus": "RUNNING",
        "cancelRequestedAt": None,
        "taskAttempt": 1,
        "stepId": "s1",
        "stepAttempt": 1,
        "executionId": worker.context["executionId"],
        "operationCode": "OPS.RUN",
        "producerId": "worker-a",
        "stepLifecycleStatus": "RUNNING",
        "health": "STALE",
        "healthReason": "NO_HEARTBEAT",
        "healthSince": step["staleSince"],
        "lastHeartbeatAt": step["lastHeartbeatAt"],
        "staleSince": step["staleSince"],
        "activatedAt": item["activatedAt"],
        "startedAt": step["startedAt"],
    }
    assert ids(carol, "?health=HEALTHY") == [well.context["executionId"]]
    assert ids(carol, "?health=STALE&health=HEALTHY") == ids(carol)


def test_a_superseded_one_is_gone_from_the_list(carol):
    worker = carol.running()
    silence(worker)
    following = carol.activate(worker.context["taskId"], supersede=True)
    assert ids(carol, "?health=STALE") == []
    assert ids(carol) == [following["executionId"]]


def test_ended_steps_and_ended_tasks_have_none(carol):
    ended, left = carol.running(), carol.running()
    ended.completed()
    silence(left)
    carol.end(left.context["taskId"], "TASK_CANCELLED")
    carol.task(step_body())
    assert Step.objects.filter(health="STALE").exists()
    assert listed(carol) == []


def test_one_that_was_activated_and_does_not_start_is_among_the_degraded(carol):
    task = carol.task(step_body(startDeadlineSeconds=60))
    context = carol.activate(task["taskId"])
    steps = Step.objects.filter(execution_id=context["executionId"])
    steps.update(activated_at=F("activated_at") - timedelta(minutes=2), health_due_at=Now())
    reconcile_health()
    (item,) = listed(carol, "?health=DEGRADED")
    assert (item["healthReason"], item["stepLifecycleStatus"]) == ("NOT_STARTED", "PENDING")
    assert (item["startedAt"], item["lastHeartbeatAt"]) == (None, None)


def test_a_healthy_execution_beside_a_silent_one_is_found_by_its_own_health(carol):
    task = carol.task(step_body(), step_body("s2"))
    workers = [carol.worker(task["taskId"], step) for step in ("s1", "s2")]
    for worker in workers:
        worker.started()
    silence(workers[0])
    assert ids(carol, "?health=STALE") == [workers[0].context["executionId"]]
    assert ids(carol, "?health=HEALTHY") == [workers[1].context["executionId"]]
    assert ids(carol, "?health=DEGRADED") == []


def test_how_long_it_has_to_be_in_its_health_is_told_by_the_databases_clock(carol):
    long, short = carol.running(), carol.running()
    silence(long, short)
    then = Now() - timedelta(seconds=600)
    Step.objects.filter(execution_id=long.context["executionId"]).update(health_since=then)
    assert ids(carol, "?health=STALE&olderThanSeconds=600") == [long.context["executionId"]]
    assert ids(carol, "?health=STALE") == [long.context["executionId"], short.context["executionId"]]
    assert ids(carol, "?olderThanSeconds=315360000") == []
    assert len(ids(carol, "?olderThanSeconds=0")) == 2


def test_pages_follow_each_other_also_through_equal_moments(carol):
    workers = [carol.running() for _ in range(5)]
    silence(*workers)
    one = Step.objects.values_list("health_since", flat=True).first()
    Step.objects.update(health_since=one)
    found, query = [], "?health=STALE&limit=2"
    sizes = []
    cursor = ""
    while cursor is not None:
        page = carol.api.get(f"/executions{query}{cursor and f'&cursor={cursor}'}").ok()
        found += [item["executionId"] for item in page["items"]]
        sizes.append(len(page["items"]))
        cursor = page["nextCursor"]
    assert sizes == [2, 2, 1]
    assert found == sorted(worker.context["executionId"] for worker in workers)


@pytest.mark.accepts("S04")
@pytest.mark.parametrize(
    ("tenant", "scope"), [("globex", "content-platform"), ("acme", "billing")], ids=["tenant", "scope"]
)
def test_other_tenants_and_scopes_see_none_of_it(carol, tenant, scope):
    silence(carol.running())
    assert listed(coordinator(tenant, scope)) == []
    assert len(listed(carol)) == 1


@pytest.mark.parametrize("role", ["worker", "health", "operator", "platform"])
def test_it_is_for_those_who_run_tasks(role):
    answer = service_api("somebody", role).get("/executions")
    assert (answer.status, answer.code) == (403, "ROLE_REQUIRED")


@pytest.mark.parametrize(
    ("query", "pointer"),
    [("?health=ILL", "/health/0"), ("?olderThanSeconds=-1", "/olderThanSeconds"), ("?limit=201", "/limit")],
    ids=["health", "age", "limit"],
)
def test_what_can_not_be_read_is_refused_by_its_name(carol, query, pointer):
    answer = carol.api.get(f"/executions{query}")
    assert (answer.status, answer.code) == (400, "INVALID_FIELD")
    assert [error["pointer"] for error in answer.body["errors"]] == [pointer]


@pytest.mark.usefixtures("row_locks")
def test_only_tasks_in_that_health_are_read(carol):
    for _ in range(30):
        carol.running()
    for _ in range(30):
        carol.end(carol.task(step_body())["taskId"])
    silence(carol.running())
    analyze("task", "task_step", "task_execution_lease")
    with capturing() as statements:
        assert len(listed(carol, "?health=STALE&olderThanSeconds=0")) == 1
    (statement,) = [one for one in statements if "`task_step`" in one.sql]
    tasks, steps = statement.access("task"), statement.access("task_step")
    assert tasks["key"] == "task_browse_idx", statement.plan()
    # Either leads to the steps of a task; MySQL takes the one, MariaDB the other.
    assert steps["key"] in {"task_step_current_idx", "task_step_attempt_uk"}, statement.plan()
    assert int(tasks["rows"]) <= 3, statement.plan()
    assert statement.scanned() == []
