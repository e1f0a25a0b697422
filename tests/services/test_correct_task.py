"""What a correction makes of failure, health, statuses and duties, and what it refuses (source design 4.2)."""

import pytest

from outbox.models import OutboxMessage
from registries.actors import Actor
from taskstatus.commands.corrections import CorrectTask
from taskstatus.domain.errors import DomainError
from taskstatus.models import AuditEntry, Step, Task, TaskEvent
from taskstatus.services.correct_task import correct_task
from taskstatus.services.correct_task_preview import preview_correction
from tests.support.api import fresh
from tests.support.cast import coordinator, error_body, step_body
from tests.support.corrections import OLGA, correct, stated
from tests.support.definitions import define, operation, status, status_set
from tests.support.projected import notices
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db(transaction=True)

PAPERS = status_set(
    status("QUEUED", "PENDING", "TASK", initial=True),
    status("READING", "RUNNING", allowedFrom=["QUEUED"]),
    status("READ", "SUCCEEDED", "STEP"),
    status("FILED", "SUCCEEDED", "TASK", allowedFrom=["READING"]),
    status("SIGNED", "SUCCEEDED", "TASK", allowedFrom=["READING"]),
    status("LOST", "FAILED", allowedFrom=["READING"]),
)


@pytest.fixture
def carol(db):
    return coordinator()


def refused(task_id, lifecycle, code, **members):
    """The correction's refusal; fails unless nothing was written."""
    audited = AuditEntry.objects.count()
    with unchanged(), pytest.raises(DomainError) as caught:
        correct(task_id, lifecycle, **members)
    assert (caught.value.code, AuditEntry.objects.count()) == (code, audited)
    return caught.value


@pytest.mark.parametrize("before", ["SUCCEEDED", "FAILED", "CANCELLED"])
def test_what_is_so_already_is_refused(carol, before):
    worker = carol.running()
    task_id = worker.context["taskId"]
    correct(task_id, before, stepId="s1")
    error = refused(task_id, before, "INVALID_FIELD", stepId="s1")
    assert [fault.pointer for fault in error.errors] == ["/lifecycleStatus"]
    correct(task_id, before)
    refused(task_id, before, "INVALID_FIELD")


def test_a_version_that_was_not_seen_is_refused(carol):
    worker = carol.running()
    task_id = worker.context["taskId"]
    command = stated(task_id, "FAILED")
    worker.progress()
    with unchanged(), pytest.raises(DomainError) as caught:
        correct_task(task_id, command, OLGA)
    assert (caught.value.code, caught.value.current) == ("VERSION_MISMATCH", {"taskVersion": "4"})
    for seen in ("1", '"task-version-2.4"', '"task-version-99999999999999999999"', "x" * 64):
        refused(task_id, "FAILED", "VERSION_MISMATCH", seen=seen)


def test_the_same_correction_sent_twice_is_made_once(carol):
    task_id = carol.running().context["taskId"]
    command = stated(task_id, "FAILED")
    assert correct_task(task_id, command, OLGA) == 4
    with unchanged(), pytest.raises(DomainError, match="VERSION_MISMATCH"):
        correct_task(task_id, command, OLGA)
    assert AuditEntry.objects.count() == 1


@pytest.mark.accepts("S13")
@pytest.mark.parametrize("act", [correct_task, preview_correction], ids=["correct", "preview"])
def test_another_tenants_task_is_absent(carol, act):
    task_id = carol.running().context["taskId"]
    command = stated(task_id)
    for actor in (Actor("mallory", "globex"), Actor("hans", "")):
        with unchanged(), pytest.raises(DomainError, match="TASK_NOT_FOUND"):
            act(task_id, command, actor)
    for absent in ("tsk_000_01ARZ3NDEKTSV4RRFFQ69G5FAV", "", "x" * 500, task_id.lower()):
        with unchanged(), pytest.raises(DomainError, match="TASK_NOT_FOUND"):
            act(absent, command, OLGA)


def test_a_superuser_reaches_every_tenant(carol):
    task_id = carol.running().context["taskId"]
    assert correct(task_id, actor=Actor("root")) == 4


def test_a_step_that_is_not_there_or_never_ran_is_refused(carol):
    task_id = carol.task(step_body())["taskId"]
    refused(task_id, "FAILED", "STEP_NOT_REGISTERED", stepId="s2")
    refused(task_id, "FAILED", "ILLEGAL_TRANSITION", stepId="s1")


def test_a_business_status_has_to_be_of_the_set_and_agree(carol):
    define(sets=[PAPERS])
    task_id = carol.task(step_body(), taskType="PAPER")["taskId"]
    worker = carol.worker(task_id)
    worker.started(businessStatus="READING")
    refused(task_id, "SUCCEEDED", "UNKNOWN_BUSINESS_STATUS", businessStatus="READ")
    refused(task_id, "SUCCEEDED", "UNKNOWN_BUSINESS_STATUS", businessStatus="FILED", stepId="s1")
    refused(task_id, "SUCCEEDED", "STATUS_NOT_REACHABLE", businessStatus="LOST")
    refused(task_id, "FAILED", "STATUS_NOT_REACHABLE", businessStatus="READ", stepId="s1")
    correct(task_id, "SUCCEEDED", businessStatus="READ", stepId="s1")
    assert Step.objects.get().business_status == "READ"
    correct(task_id, "SUCCEEDED", businessStatus="FILED")
    # Between two ends no code leads, and a correction asks none.
    correct(task_id, "SUCCEEDED", businessStatus="SIGNED")
    assert Task.objects.get().business_status == "SIGNED"


def test_a_code_that_no_longer_agrees_becomes_null_and_one_that_does_stays(carol):
    define(sets=[PAPERS])
    task_id = carol.task(taskType="PAPER")["taskId"]
    carol.report("TASK_STATUS_CHANGED", task_id, businessStatus="READING").accepted()
    correct(task_id, "FAILED", businessStatus="LOST")
    correct(task_id, "FAILED", failureCode="FLOOD")
    assert Task.objects.get().business_status == "LOST"
    correct(task_id, "CANCELLED")
    assert (Task.objects.get().business_status, Task.objects.get().remembered_status) == (None, None)


def test_only_what_failed_has_a_failure(carol):
    worker = carol.running()
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED", error=error_body(code="TORN"), requiresAction=True, actions=["REUPLOAD"])
    correct(task_id, "CANCELLED")
    task = Task.objects.get()
    assert (task.failure_code, task.failure_message, task.requires_action, task.actions) == (None, None, False, [])
    correct(task_id, "FAILED", failureCode="FLOOD", failureMessage="password=hunter2 was wet")
    assert (Task.objects.get().failure_code, Task.objects.get().failed_step_id) == ("FLOOD", None)
    for stored in (Task.objects.get().failure_message, TaskEvent.objects.latest("task_version").payload):
        assert "hunter2" not in str(stored)
    assert "hunter2" not in str(AuditEntry.objects.latest("pk").detail)


def test_a_failed_task_keeps_its_failure_unless_another_is_stated(carol):
    worker = carol.running()
    worker.failed(code="TORN")
    correct(worker.context["taskId"], "FAILED")
    assert (Task.objects.get().failure_code, Task.objects.get().failed_step_id) == ("TORN", "s1")


def test_what_hung_is_watched_no_more(carol):
    define(operations=[operation(startDeadlineSeconds=5, noProgressSeconds=60)])
    hanging, waiting = step_body(), step_body("s2")
    task_id = carol.task(hanging, waiting)["taskId"]
    carol.worker(task_id).started()
    carol.worker(task_id, "s2")
    stale = {"health": "STALE", "health_reason": "NO_HEARTBEAT", "stale_since": "2026-01-01T00:00:00Z"}
    Step.objects.filter(step_id="s1").update(**stale, stale_escalated_at="2026-01-01T00:00:00Z")
    Task.objects.update(health="STALE", health_reason="NO_HEARTBEAT")
    correct(task_id, "FAILED")
    assert set(Step.objects.values_list("health", "stale_since", "health_due_at")) == {("HEALTHY", None, None)}
    assert (Task.objects.get().health, Task.objects.get().health_reason) == ("HEALTHY", None)
    assert [told["type"] for told in notices(task_id)] == ["TASK_CORRECTED"]


def test_an_optional_step_that_failed_makes_its_task_degraded_and_no_more_when_it_did_not(carol):
    define(operations=[operation(failurePolicy="CONTINUE_WITH_WARNING")])
    task_id = carol.running().context["taskId"]
    correct(task_id, "FAILED", stepId="s1", failureCode="TORN")
    assert (Task.objects.get().health, Task.objects.get().health_reason) == ("DEGRADED", "OPTIONAL_STEP_FAILED")
    correct(task_id, "SUCCEEDED", stepId="s1")
    assert (Task.objects.get().health, Task.objects.get().failure_code) == ("HEALTHY", None)


@pytest.mark.parametrize(
    ("policy", "retryable", "code"),
    [
        ("FAIL_TASK", True, "RUNNING"),
        ("RETRY_THEN_FAIL_TASK", True, "RETRY_WAIT"),
        ("RETRY_THEN_FAIL_TASK", False, "RUNNING"),
        ("WAIT_FOR_USER", False, "WAITING_USER_ACTION"),
    ],
)
def test_a_failure_by_correction_follows_the_steps_policy_and_is_forgotten_by_the_next(carol, policy, retryable, code):
    error = {"code": "TORN", "userMessage": {"en": "Send it again."}, "actions": ["REUPLOAD"]}
    define(operations=[operation(failurePolicy=policy, maxAttempts=2, errors=[error])])
    task_id = carol.running().context["taskId"]
    correct(task_id, "FAILED", stepId="s1", failureCode="TORN", retryable=retryable)
    task = carol.detail(task_id)
    assert (task["lifecycleStatus"], task["businessStatus"]) == ("RUNNING", code)
    assert task["failure"] == {"code": "TORN", "message": "Send it again.", "failedStepId": "s1"}
    waits = policy == "WAIT_FOR_USER"
    assert (task["requiresAction"], task["actions"]) == (waits, ["REUPLOAD"] if waits else [])
    assert task["steps"][0]["error"]["retryable"] is retryable
    correct(task_id, "SUCCEEDED", stepId="s1")
    task = carol.detail(task_id)
    assert (task["businessStatus"], task["failure"], task["requiresAction"]) == ("RUNNING", None, False)
    assert task["steps"][0]["error"] is None


def test_another_failure_of_a_failed_step_takes_the_place_of_the_first(carol):
    worker = carol.running()
    worker.failed(code="TORN")
    correct(worker.context["taskId"], "FAILED", stepId="s1", failureCode="FLOOD")
    assert (Task.objects.get().failure_code, Task.objects.get().failure_message) == ("FLOOD", None)
    correct(worker.context["taskId"], "FAILED", stepId="s1", retryable=True)
    assert (Step.objects.get().error_code, Task.objects.get().failure_code) == ("FLOOD", "FLOOD")


def test_a_step_of_an_ended_task_is_corrected_and_the_task_stays_as_it_ended(carol):
    worker = carol.running()
    task_id = worker.context["taskId"]
    worker.failed(code="TORN")
    carol.end(task_id, "TASK_FAILED", error=error_body(code="TORN"), failedStepId="s1")
    before = carol.detail(task_id)
    correct(task_id, "SUCCEEDED", stepId="s1")
    after = carol.detail(task_id)
    for name in ("lifecycleStatus", "businessStatus", "failure", "finishedAt", "durationMs"):
        assert after[name] == before[name]
    assert after["steps"][0]["lifecycleStatus"] == "SUCCEEDED"
    assert after["steps"][0]["finishedAt"] == before["steps"][0]["finishedAt"]


def test_only_the_current_attempt_is_corrected(carol):
    define(operations=[operation(maxAttempts=2)])
    worker = carol.running()
    worker.failed()
    carol.worker(worker.context["taskId"]).started()
    correct(worker.context["taskId"], "SUCCEEDED", stepId="s1")
    assert list(Step.objects.order_by("attempt").values_list("lifecycle_status", flat=True)) == ["FAILED", "SUCCEEDED"]


def test_a_reported_duration_stays_as_it_was_measured(carol):
    worker = carol.running()
    worker.completed(durationMs=4711)
    correct(worker.context["taskId"], "FAILED", stepId="s1")
    assert (Step.objects.get().duration_ms, Step.objects.get().duration_source) == (4711, "MONOTONIC")
    hanging = carol.running()
    correct(hanging.context["taskId"], "FAILED", stepId="s1")
    step = Step.objects.get(execution_id=hanging.context["executionId"])
    assert (step.duration_ms, step.finished_at >= step.started_at) == (None, True)


def test_a_correction_is_never_coalesced(carol):
    task_id = carol.running().context["taskId"]
    version = correct(task_id, "CANCELLED", stepId="s1")
    rows = OutboxMessage.objects.filter(aggregate_id=task_id, aggregate_version=version)
    assert [row.coalescible for row in rows] == [False, False]


def test_naming_a_code_puts_the_set_into_use(carol):
    define(sets=[PAPERS])
    task_id = carol.task(taskType="PAPER")["taskId"]
    correct(task_id, "FAILED", businessStatus="LOST")
    assert Task.objects.get().classification_used


def test_a_long_name_of_an_operator_is_kept_whole(carol):
    name = "o" * 150
    correct(carol.task()["taskId"], actor=Actor(name, "acme"))
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.detail["operator"]) == (name[:64], name)


def test_the_preview_is_what_becomes_true_and_writes_nothing(carol):
    worker = carol.running()
    worker.progress()
    task_id = worker.context["taskId"]
    command = stated(task_id, "FAILED", stepId="s1", failureCode="TORN", seen='"task-version-1"')
    with unchanged():
        preview = preview_correction(task_id, command, OLGA)
    assert preview.seen == '"task-version-1.4"'
    assert preview.fenced == (worker.context["executionId"],)
    correct_task(task_id, command.model_copy(update={"seen": preview.seen}), OLGA)
    payload = TaskEvent.objects.latest("task_version").payload
    assert (payload["old"], payload["new"]) == (preview.old, preview.new)


@pytest.mark.parametrize(
    ("members", "pointers"),
    [
        ({"reason": None}, {"/reason"}),
        ({"reason": ""}, {"/reason"}),
        ({"reason": "x" * 2001}, {"/reason"}),
        ({"reason": "a\x00b"}, {"/reason"}),
        ({"lifecycleStatus": "RUNNING"}, {"/lifecycleStatus"}),
        ({"lifecycleStatus": None}, {"/lifecycleStatus"}),
        ({"failureCode": "TORN"}, {"/failureCode"}),
        ({"failureMessage": "x"}, {"/failureMessage"}),
        ({"retryable": True}, {"/retryable"}),
        ({"lifecycleStatus": "FAILED", "failureMessage": "x"}, {"/failureCode"}),
        ({"lifecycleStatus": "FAILED", "failureCode": "x"}, {"/failureCode"}),
        ({"lifecycleStatus": "FAILED", "failureCode": "X", "failureMessage": "x" * 513}, {"/failureMessage"}),
        ({"lifecycleStatus": "FAILED", "retryable": True}, {"/retryable"}),
        ({"businessStatus": "lower"}, {"/businessStatus"}),
        ({"stepId": "x" * 129}, {"/stepId"}),
        ({"seen": 7}, {"/seen"}),
        ({"seen": "x" * 65}, {"/seen"}),
        ({"operator": "root"}, {"/operator"}),
    ],
    ids=lambda value: "" if isinstance(value, set) else "-".join(f"{k}_{str(v)[:8]!r}" for k, v in value.items()),
)
def test_each_bad_member_is_named(members, pointers):
    body = {"seen": '"task-version-1"', "lifecycleStatus": "SUCCEEDED", "reason": fresh(), **members}
    with pytest.raises(DomainError) as caught:
        CorrectTask.read(body)
    assert {error.pointer for error in caught.value.errors} == pointers
