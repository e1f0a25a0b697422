"""What is known of tasks that don't move: complete, of one tenant's rows alone, in a fixed number of statements."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from outbox.models import OutboxMessage
from taskstatus.domain.findings import Kind
from taskstatus.domain.judgement import Verdict
from taskstatus.models import ServicePulse, Task
from taskstatus.queries import unpublished
from taskstatus.queries.explanations import explain
from taskstatus.queries.unwell import Within, named_tasks, tasks_to_look_at
from taskstatus.services.reconcile_health import reconcile_tasks
from tests.support.cast import coordinator, step_body
from tests.support.plans import analyze, capturing
from tests.support.reconciling import outage, reconciled, sign, silence, time_passes

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol(patience):
    return coordinator()


def explained(*workers):
    return explain([Task.objects.get(pk=worker.context["taskId"]) for worker in workers])


def kinds(worker):
    return [finding.kind for finding in explained(worker)[0].findings]


def published():
    """Let every message have been seen."""
    OutboxMessage.objects.update(status="PUBLISHED", published_at=Now())


def refused(worker, times=1):
    for _ in range(times):
        answer = worker.report("STEP_PROGRESS", progressSeq=1, data={"schema": "unheard.of.v1", "value": {}})
        assert answer.code == "SCHEMA_NOT_ALLOWED"


def test_what_was_refused_since_the_last_fact_is_counted_by_code_and_producer(carol):
    worker = carol.running()
    refused(worker, 3)
    first = explained(worker)[0].findings[0]
    assert first.kind is Kind.REFUSED
    assert first.facts == {"code": "SCHEMA_NOT_ALLOWED", "producer": "worker-a", "count": 3}
    worker.progress()
    assert Kind.REFUSED not in kinds(worker)


def test_refusals_stay_the_reason_when_the_service_itself_finds_silence(carol):
    worker = carol.running()
    refused(worker)
    silence(worker)
    assert reconciled().changed == 1
    assert kinds(worker)[:2] == [Kind.REFUSED, Kind.SILENT]


def test_messages_are_counted_by_what_became_of_them(carol):
    worker = carol.running()
    ids = list(OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]).values_list("pk", flat=True))
    OutboxMessage.objects.filter(pk=ids[0]).update(status="DEAD", last_error="refused")
    OutboxMessage.objects.filter(pk=ids[1]).update(status="PUBLISHED", published_at=Now())
    OutboxMessage.objects.update(created_at=Now() - timedelta(minutes=4))
    (explanation,) = explained(worker)
    left = explanation.situation.unpublished
    assert (left.dead, left.waiting) == (1, len(ids) - 2)
    assert [finding.kind for finding in explanation.findings] == [Kind.MESSAGES_DEAD, Kind.MESSAGES_WAIT]


def test_only_the_oldest_messages_are_looked_at(carol, monkeypatch):
    worker = carol.running()
    monkeypatch.setattr(unpublished, "LOOKED_AT", 1)
    left = unpublished.left_messages({worker.context["taskId"]})
    assert left.was_cut
    assert sum(map(len, left.by_task.values())) <= 1


@pytest.mark.usefixtures("unhurried")
def test_what_the_reconciler_would_do_is_what_it_then_does(carol):
    silent, well = carol.running(), carol.running()
    graced = carol.worker(carol.task(step_body(heartbeatTimeoutSeconds=3_600))["taskId"])
    graced.started()
    silence(silent)
    for worker, verdict in ((silent, Verdict.CHANGE), (well, Verdict.NOTHING)):
        (explanation,) = explained(worker)
        assert explanation.foretold(explanation.steps[0]).verdict is verdict
    time_passes(3_601, graced)
    outage(3_000, 10)
    (explanation,) = explained(graced)
    assert explanation.foretold(explanation.steps[0]).verdict is Verdict.GRACE
    sign(ServicePulse.RECONCILER)
    assert reconcile_tasks([graced.context["taskId"]]).changed == 0


@pytest.mark.usefixtures("unhurried")
def test_named_tasks_are_judged_at_once_and_others_left_alone(carol):
    one, other = carol.running(), carol.running()
    silence()
    sign(ServicePulse.RECONCILER)
    done = reconcile_tasks([one.context["taskId"]])
    assert (done.looked_at, done.changed) == (1, 1)
    assert (kinds(one)[0], kinds(other)[0]) == (Kind.SILENT, Kind.BEATS_MISSING)
    assert reconcile_tasks([one.context["taskId"]]).changed == 0


# The clock, the steps with their leases, the refusals, the oldest messages of three statuses, those that are found,
# the service's signs, its lasting outage, those that are over.
BUDGET = 10


@pytest.mark.parametrize("number", [1, 20])
def test_tasks_are_explained_together(carol, number):
    workers = [carol.running() for _ in range(number)]
    for worker in workers:
        refused(worker)
    silence()
    reconciled()
    tasks = list(Task.objects.all())
    with CaptureQueriesContext(connection) as captured:
        assert {explanation.findings[0].kind for explanation in explain(tasks)} == {Kind.REFUSED}
    assert len(captured) == BUDGET, [query["sql"][:80] for query in captured]


def test_who_is_due_or_unwell_is_found(carol):
    due, stale, well = carol.running(), carol.running(), carol.running()
    silence(stale)
    reconciled()
    silence(due)
    late = carol.task(step_body(startDeadlineSeconds=60))["taskId"]
    carol.activate(late)
    other = coordinator(tenant="globex").running()
    silence(other)

    def found(limit=10, **within):
        return [task.id for task in tasks_to_look_at(Within(**within), limit)]

    ours = [worker.context["taskId"] for worker in (due, stale)]
    assert sorted(found()) == sorted([*ours, other.context["taskId"]])
    assert sorted(found(tenant="acme")) == sorted(ours)
    assert found(tenant="acme", authority_scope="billing") == []
    assert len(found(limit=1)) == 1
    assert well.context["taskId"] not in found()
    (named,) = named_tasks([well.context["executionId"], well.context["taskId"]], Within("acme"))
    assert named.id == well.context["taskId"]


@pytest.mark.usefixtures("row_locks")
def test_those_who_are_well_are_not_read(carol):
    for _ in range(60):
        carol.running()
    silence(carol.running())
    reconciled()
    analyze("task", "task_step", "task_execution_lease")
    with capturing() as statements:
        (task,) = tasks_to_look_at(Within("acme"), 50)
        explain([task])
    for statement in statements:
        scanned = {"task", "task_step", "task_execution_lease", "task_refusal"} & set(statement.scanned())
        assert not scanned, statement.sql
    reads = [one for one in statements if "`task`.`health` IN" in one.sql]
    assert [one.access("task")["key"] for one in reads] == ["task_browse_idx"]
