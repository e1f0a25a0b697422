"""The page that answers why a task does not move, and the deeds that help (ruling 17, O06, S13)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from outbox.models import OutboxMessage
from registries.models import OperationDefinition
from taskstatus.admin.worklist import confirm
from taskstatus.domain.errors import DomainError
from taskstatus.models import AuditEntry, RefusedReport, ServicePulse, Step, Task
from taskstatus.services.reconcile_health import HealthPass
from tests.admin.support import operator, text_of
from tests.admin.tasks import XSS, page_of
from tests.support.cast import step_body
from tests.support.definitions import define
from tests.support.definitions import operation as operation_of
from tests.support.reconciling import outage, reconciled, sign, silence, time_passes

pytestmark = pytest.mark.django_db(transaction=True)

DEEDS = {"reconcile": "reconcile_task", "requeue": "requeue_outboxmessage", "revoke": "revoke_execution"}


@pytest.fixture
def rita(db):
    """An operator of acme who may do everything about tasks."""
    return operator("rita", "view_task", "correct_task", *DEEDS.values())


def refused(worker, times=1):
    for _ in range(times):
        answer = worker.report("STEP_PROGRESS", progressSeq=1, data={"schema": "unheard.of.v1", "value": {}})
        assert answer.code == "SCHEMA_NOT_ALLOWED"


def why(client, worker):
    return client.get(page_of(worker.context["taskId"], "why"))


def deed_page(worker, deed):
    name = f"?execution={worker.context['executionId']}" if deed == "revoke" else ""
    return page_of(worker.context["taskId"], deed) + name


def sentences(page):
    return [one.sentence for one in page.context["findings"]]


@pytest.mark.accepts("O06")
def test_a_silent_executor_is_explained_with_its_lease_and_its_clocks(vera, carol):
    worker = carol.worker(carol.task(step_body(noProgressSeconds=900, staleEscalationSeconds=600))["taskId"])
    worker.started()
    silence(worker)
    reconciled()
    page = why(vera, worker)
    assert sentences(page) == ["worker-a, which runs step s1, has been silent for 1 min."]
    (step,) = page.context["steps"]
    assert [str(clock.words) for clock in step["clocks"]] == [
        "its silence is told once more",
        "counts as without progress",
    ]
    text = text_of(page)
    for words in (
        *("STEP_HEALTH_CHANGED", "task-status-reconciler", "no beat and no report came", worker.context["executionId"]),
        *(":activate supersede=true", "STEP_HEARTBEAT", "built-in profile", "generic statuses", "in 9 min"),
    ):
        assert words in text, words


def test_what_the_reconciler_would_do_is_foretold_and_outages_are_named(vera, carol):
    hour = step_body(heartbeatTimeoutSeconds=3_600)
    worker = carol.worker(carol.task(hour)["taskId"])
    worker.started()
    time_passes(3_601, worker)
    assert "say that it is silent: no beat came before its deadline" in text_of(why(vera, worker))
    outage(3_000, 10)
    text = text_of(why(vera, worker))
    assert "because the service itself was away" in text
    assert "Outages of the service meanwhile" in text


@pytest.mark.accepts("O06")
def test_refused_reports_are_listed_with_code_producer_and_time_the_newest_first(vera, carol, monkeypatch):
    monkeypatch.setattr(RefusedReport, "CAPACITY", 3)
    worker = carol.running()
    refused(worker, 5)
    page = why(vera, worker)
    assert sentences(page)[0].startswith("Reports are being refused: SCHEMA_NOT_ALLOWED x 3 from worker-a")
    rows = [one["row"] for one in page.context["refusals"]]
    assert [row.code for row in rows] == ["SCHEMA_NOT_ALLOWED"] * 3
    assert rows == sorted(rows, key=lambda row: row.refused_at, reverse=True)
    assert page.context["file"].older_refusals == 2
    assert f"{page_of(worker.context['taskId'], 'why')}#refusals" in text_of(
        vera.get(page_of(worker.context["taskId"]))
    )
    assert "2 older ones are no longer kept." in text_of(page)


def test_messages_that_were_not_published_are_listed(vera, carol):
    worker = carol.running()
    one = OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]).earliest("pk")
    OutboxMessage.objects.exclude(pk=one.pk).update(status="PUBLISHED", published_at=Now())
    created = Now() - timedelta(minutes=4)
    OutboxMessage.objects.filter(pk=one.pk).update(status="DEAD", attempts=20, last_error=XSS, created_at=created)
    page = why(vera, worker)
    assert sentences(page) == ["1 message about it was given up in the outbox, 4 min ago."]
    assert [row["row"].pk for row in page.context["messages_left"]] == [one.pk]
    assert "20 tries" in text_of(page)
    assert "<script>alert" not in text_of(page)
    address = f"{reverse('admin:outbox_outboxmessage_changelist')}?status=ALL&q={worker.context['taskId']}"
    assert address.replace("&", "&amp;") not in text_of(page)
    rita = operator("rita", "view_task", "view_outboxmessage")
    assert address.replace("&", "&amp;") in text_of(why(rita, worker))
    shown = rita.get(address).context["cl"].queryset
    assert set(shown) == set(OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]))


def test_definitions_lead_to_the_registries_for_who_may_look_there(vera, carol):
    define(operations=[operation_of("OPS.RUN")])
    worker = carol.running()
    definition = OperationDefinition.objects.get()
    link = reverse("admin:registries_operationdefinition_change", args=[definition.pk])
    assert link not in text_of(why(vera, worker))
    assert "OPS.RUN v1" in text_of(why(vera, worker))
    assert link in text_of(why(operator("olga", "view_task", "view_operationdefinition"), worker))


@pytest.mark.parametrize("kind", ["never-activated", "ended", "no-steps", "waiting"])
def test_every_kind_of_task_has_its_page(vera, carol, kind):
    task_id = carol.task(*([step_body(failurePolicy="WAIT_FOR_USER")] if kind != "no-steps" else []))["taskId"]
    if kind == "waiting":
        worker = carol.worker(task_id)
        worker.started()
        worker.failed()
    elif kind == "ended":
        carol.end(task_id)
    words = {
        "never-activated": "no step has been activated: s1.",
        "ended": "It ended",
        "no-steps": "and has no steps.",
        "waiting": "It has waited for its user",
    }
    page = vera.get(page_of(task_id, "why"))
    assert words[kind] in sentences(page)[0]


def test_nothing_that_a_caller_wrote_is_run(vera, carol):
    worker = carol.running(title=XSS)
    worker.progress(message=XSS)
    RefusedReport.objects.create(
        task_id=worker.context["taskId"], slot=0, event_id=XSS, event_type=XSS, producer_id="p", code="C",
        detail=XSS, refused_at=Now(),
    )  # fmt: skip
    Task.objects.update(refusal_count=1)
    assert "<script>alert" not in text_of(why(vera, worker))


# Session, account, two for its rights, profile; the task; nine statements of the explanation and the messages it finds,
# the last event, the refusals, the operations.
BUDGET = 21


def test_a_page_costs_a_fixed_number_of_statements(vera, carol):
    worker = carol.worker(carol.task(*(step_body(f"s{n}") for n in range(30)))["taskId"])
    worker.started()
    refused(worker, 20)
    with CaptureQueriesContext(connection) as captured:
        assert why(vera, worker).status_code == 200
    assert len(captured) <= BUDGET, [query["sql"][:90] for query in captured]


@pytest.mark.accepts("S13")
def test_the_page_and_its_deeds_are_absent_for_other_tenants_and_without_the_right_to_look(carol):
    worker = carol.running()
    mallory = operator("mallory", "view_task", "correct_task", *DEEDS.values(), tenant="globex")
    nobody = operator("nemo", *DEEDS.values())
    for client in (mallory, nobody):
        assert why(client, worker).status_code == 404
        for deed in DEEDS:
            assert client.get(deed_page(worker, deed)).status_code == 404
            assert client.post(deed_page(worker, deed)).status_code == 404
    assert not AuditEntry.objects.filter(object_id=worker.context["taskId"]).exists()


@pytest.mark.accepts("S13")
@pytest.mark.parametrize("deed", DEEDS)
def test_each_deed_has_a_right_of_its_own(vera, carol, deed):
    worker = carol.running()
    OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]).update(status="DEAD")
    others = [right for name, right in DEEDS.items() if name != deed]
    for client in (vera, operator("otto", "view_task", "correct_task", *others)):
        assert client.get(deed_page(worker, deed)).status_code == 403
        assert client.post(deed_page(worker, deed)).status_code == 403
        assert deed_page(worker, deed) not in text_of(why(client, worker))
    may = operator("olga", "view_task", DEEDS[deed])
    assert deed_page(worker, deed) in text_of(why(may, worker))
    assert may.get(deed_page(worker, deed)).status_code == 200
    assert may.post(deed_page(worker, deed)).status_code == 302
    assert AuditEntry.objects.filter(actor="olga", outcome="DONE").count() == 1


def test_asking_alone_changes_nothing(rita, carol):
    worker = carol.running()
    silence(worker)
    for deed in DEEDS:
        assert rita.get(deed_page(worker, deed)).status_code == 200
    assert Step.objects.get().credential_generation == 1
    assert Task.objects.get().version == 3
    assert not AuditEntry.objects.exists()


@pytest.mark.usefixtures("unhurried")
def test_a_task_is_judged_at_once(rita, carol):
    worker = carol.running()
    silence(worker)
    sign(ServicePulse.RECONCILER)
    page = rita.post(deed_page(worker, "reconcile"), follow=True)
    assert "Its health was judged: 1 execution changed." in text_of(page)
    assert Task.objects.get().health == "STALE"
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_id, entry.actor) == ("RECONCILE_TASK", worker.context["taskId"], "rita")
    sign(ServicePulse.RECONCILER)
    assert "nothing has changed" in text_of(rita.post(deed_page(worker, "reconcile"), follow=True))


def test_that_a_task_could_not_be_judged_is_said(rita, carol, monkeypatch):
    worker = carol.running()
    monkeypatch.setattr(confirm, "reconcile_for", lambda _task, _actor: HealthPass(failed=1))
    assert "could not be judged; the log says why" in text_of(rita.post(deed_page(worker, "reconcile"), follow=True))


def test_while_nobody_takes_reports_nothing_is_judged(rita, carol):
    worker = carol.running()
    silence(worker)
    sign(ServicePulse.RECONCILER)
    sign(ServicePulse.WEB, seconds_ago=60)
    page = rita.post(deed_page(worker, "reconcile"), follow=True)
    assert "nobody takes reports at present" in text_of(page)
    assert Task.objects.get().health == "HEALTHY"


def test_dead_messages_of_the_task_alone_wait_again(rita, carol):
    worker, other = carol.running(), carol.running()
    OutboxMessage.objects.update(status="DEAD", attempts=20, last_error="no such channel")
    theirs = OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"])
    count = theirs.count()
    page = rita.post(deed_page(worker, "requeue"), follow=True)
    assert f"{count} messages wait again." in text_of(page)
    assert set(theirs.values_list("status", "attempts")) == {("PENDING", 0)}
    assert set(OutboxMessage.objects.filter(aggregate_id=other.context["taskId"]).values_list("status")) == {("DEAD",)}
    entry = AuditEntry.objects.get()
    assert (entry.action, len(entry.detail["messages"])) == ("REQUEUE_MESSAGES", count)
    assert "0 messages wait again." in text_of(rita.post(deed_page(worker, "requeue"), follow=True))
    assert AuditEntry.objects.count() == 1


def test_why_a_deed_was_not_done_is_said_in_the_operators_language(rita, carol, monkeypatch):
    def busy(*_arguments):
        raise DomainError("DATABASE_BUSY", "Somebody holds it.")

    worker = carol.running()
    monkeypatch.setattr(confirm, "requeue_for", busy)
    page = rita.post(deed_page(worker, "requeue"), follow=True, headers={"accept-language": "zh-hans"})
    assert "任务正在被其他操作修改" in text_of(page)


def test_credentials_are_withdrawn(rita, carol):
    worker = carol.running()
    page = rita.post(deed_page(worker, "revoke"), follow=True)
    assert f"The credentials of {worker.context['executionId']} no longer count." in text_of(page)
    assert worker.report("STEP_PROGRESS", progressSeq=1).code == "TOKEN_INVALID"
    assert AuditEntry.objects.filter(action="REVOKE_CREDENTIALS", actor="rita").count() == 1


@pytest.mark.parametrize("name", ["none", "another-tasks", "ended"])
def test_only_a_current_execution_of_the_task_is_taken(rita, carol, name):
    worker, other = carol.running(), carol.running()
    if name == "ended":
        worker.completed()
    query = {"none": "", "another-tasks": f"?execution={other.context['executionId']}"}
    query["ended"] = f"?execution={worker.context['executionId']}"
    path = page_of(worker.context["taskId"], "revoke") + query[name]
    assert (rita.get(path).status_code, rita.post(path).status_code) == (404, 404)
    assert not AuditEntry.objects.exists()


def test_of_many_messages_the_oldest_are_shown(vera, carol):
    worker = carol.running()
    one = OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]).earliest("pk")
    columns = {field.attname: getattr(one, field.attname) for field in one._meta.fields if field.attname != "id"}
    OutboxMessage.objects.bulk_create([OutboxMessage(**columns) for _ in range(60)])
    page = why(vera, worker)
    total = OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"]).count()
    assert len(page.context["messages_left"]) == 50
    assert f"{total - 50} newer ones are not shown." in text_of(page)
