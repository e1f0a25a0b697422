"""What users read: names of statuses, steps and errors in their language, and the notices of failures and ends."""

import pytest
from django.utils.translation import override

from outbox.models import OutboxMessage
from registries.resolver import forget
from tests.support.api import user_api
from tests.support.cast import ALICE, coordinator, error_body, step_body
from tests.support.definitions import define, operation, status, status_set
from tests.support.projected import messages, notices

pytestmark = pytest.mark.django_db

TEXT = {"en": "Not supported yet.", "zh-Hans": "暂不支持。"}


@pytest.fixture
def carol():
    """A coordinator whose papers have statuses, an operation with a name, and words for an error, in two languages."""
    look = {"colorToken": "info", "iconKey": "play"}
    reading = status(
        "READING",
        allowedFrom=["QUEUED", "@none"],
        displayName={"en": "Reading", "zh-Hans": "阅读中"},
        presentation=look,
    )
    define(
        sets=[
            status_set(
                status("QUEUED", "PENDING", initial=True),
                reading,
                status("DONE", "SUCCEEDED", allowedFrom=["READING"], severity="SUCCESS"),
            )
        ],
        operations=[
            operation(
                displayName={"en": "Read", "zh-Hans": "阅读"},
                failurePolicy="RETRY_THEN_FAIL_TASK",
                maxAttempts=2,
                errors=[{"code": "FORMAT", "userMessage": TEXT, "actions": ["REUPLOAD"]}],
            )
        ],
    )
    yield coordinator()
    forget()


def in_chinese(carol, task_id):
    return carol.api.get(f"/tasks/{task_id}", headers={"Accept-Language": "zh-Hans"}).ok()


def test_a_status_is_shown_as_its_set_says(carol):
    worker = carol.running(taskType="PAPER")
    worker.progress(businessStatus="READING")
    shown = carol.detail(worker.context["taskId"])["statusDisplay"]
    assert shown == {"name": "Reading", "severity": "INFO", "colorToken": "info", "iconKey": "play"}


def test_without_a_status_the_lifecycles_is_shown(carol):
    detail = carol.detail(carol.running(taskType="PAPER").context["taskId"])
    assert detail["businessStatus"] is None
    assert (detail["statusDisplay"]["name"], detail["statusDisplay"]["iconKey"]) == ("Running", "play")


def test_a_reader_gets_their_own_language_and_else_english(carol):
    worker = carol.running(taskType="PAPER")
    worker.progress(businessStatus="READING")
    task_id = worker.context["taskId"]
    chinese = in_chinese(carol, task_id)
    assert (chinese["statusDisplay"]["name"], chinese["steps"][0]["displayName"]) == ("阅读中", "阅读")
    french = carol.api.get(f"/tasks/{task_id}", headers={"Accept-Language": "fr"}).ok()
    assert (french["statusDisplay"]["name"], french["steps"][0]["displayName"]) == ("Reading", "Read")


def test_a_step_is_called_as_it_was_registered_and_run_by_whom_it_was_given_to(carol):
    steps = [step_body("s1", displayName="Page one", expectedProducer="reader"), step_body("s2")]
    task_id = carol.task(*steps)["taskId"]
    named, plain = carol.detail(task_id)["steps"]
    assert (named["displayName"], named["serviceName"]) == ("Page one", "reader")
    assert (plain["displayName"], plain["serviceName"]) == ("Read", None)
    carol.activate(task_id, "s2", producerId="worker-a")
    assert carol.detail(task_id)["steps"][1]["serviceName"] == "worker-a"


def test_the_registered_words_for_an_error_win_over_those_sent(carol):
    worker = carol.running()
    worker.failed(code="FORMAT")
    task_id = worker.context["taskId"]
    error = carol.detail(task_id)["steps"][0]["error"]
    assert (error["userMessage"], error["actions"]) == ("Not supported yet.", ["REUPLOAD"])
    assert carol.detail(task_id)["failure"]["message"] == "Not supported yet."
    assert in_chinese(carol, task_id)["failure"]["message"] == "暂不支持。"


def test_the_timeline_has_them_too_in_the_readers_language(carol):
    worker = carol.running()
    worker.failed(code="FORMAT")
    worker = carol.worker(worker.context["taskId"])
    worker.failed(code="OTHER")
    path = f"/tasks/{worker.context['taskId']}/events"
    read = {}
    for language in ("en", "zh-Hans"):
        items = user_api(ALICE).get(path, headers={"Accept-Language": language}).ok()["items"]
        read[language] = [item["error"]["userMessage"] for item in items if item["error"]]
    assert read == {"en": ["Not supported yet.", "It broke."], "zh-Hans": ["暂不支持。", "It broke."]}


def test_they_stand_for_the_code_that_the_coordinator_gives_the_tasks_failure(carol):
    worker = carol.running()
    worker.failed(code="OTHER")
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED", failedStepId="s1", error=error_body(code="FORMAT"))
    assert in_chinese(carol, task_id)["failure"] == {
        "code": "FORMAT",
        "message": "暂不支持。",
        "failedStepId": "s1",
    }


def test_the_current_step_is_the_running_one_last_heard_of(carol):
    task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
    first, second = carol.worker(task_id, "s1"), carol.worker(task_id, "s2")
    assert carol.detail(task_id)["currentStep"] is None
    first.started()
    second.started()
    first.progress(7, phaseCode="OCR")
    detail = carol.detail(task_id)
    assert (detail["currentStep"]["stepId"], detail["phaseCode"], detail["progress"]["current"]) == ("s1", "OCR", 7)
    first.completed()
    assert carol.detail(task_id)["currentStep"]["stepId"] == "s2"


def ended(carol, event, **members):
    task_id = carol.task(step_body())["taskId"]
    carol.end(task_id, event, **members)
    return task_id


@pytest.mark.parametrize(
    ("event", "kind", "level", "code"),
    [
        ("TASK_COMPLETED", "TASK_SUCCEEDED", "INFO", None),
        ("TASK_FAILED", "TASK_FAILED", "ERROR", "BROKEN"),
        ("TASK_CANCELLED", "TASK_CANCELLED", "INFO", None),
    ],
)
def test_the_end_of_a_task_is_told(carol, event, kind, level, code):
    task_id = ended(carol, event)
    (notice,) = notices(task_id)
    assert (notice["id"], notice["type"], notice["level"]) == (f"{task_id}:2", kind, level)
    assert (notice["errorCode"], notice["operationCode"]) == (code, None)


def test_a_failure_is_told_with_what_follows(carol):
    task_id = carol.task(step_body())["taskId"]
    worker = carol.worker(task_id)
    worker.started()
    worker.failed(retryable=True, code="FORMAT")
    again = carol.worker(task_id)
    again.started()
    again.failed(retryable=True)
    retrying, failed = notices(task_id)
    assert (retrying["type"], retrying["level"], retrying["retryable"]) == ("STEP_RETRYING", "WARNING", True)
    assert "Read: Not supported yet." in retrying["message"]
    assert (failed["type"], failed["level"], failed["errorCode"]) == ("STEP_FAILED", "ERROR", "BROKEN")
    assert failed["operationCode"] == "OPS.RUN"


def test_the_notice_of_a_failed_task_says_what_its_summary_says(carol):
    worker = carol.running()
    worker.failed(code="FORMAT")
    task_id = worker.context["taskId"]
    carol.end(task_id, "TASK_FAILED", failedStepId="s1", error=error_body(code="FORMAT"))
    told = messages("task.summary", task_id)[-1]
    assert told["task"]["failure"]["message"] == "Not supported yet."
    assert told["notice"]["message"] == f"{told['task']['title']}: Not supported yet."
    assert told["notice"]["operationCode"] == "OPS.RUN"


@pytest.mark.parametrize("retryable", [True, False])
def test_the_notice_of_a_failed_task_says_whether_trying_again_may_help(carol, retryable):
    task_id = carol.task()["taskId"]
    carol.end(task_id, "TASK_FAILED", error=error_body(retryable=retryable))
    (notice,) = notices(task_id)
    assert (notice["retryable"], notice["operationCode"]) == (retryable, None)


def test_an_optional_failure_is_a_warning(carol):
    worker = worker_of(carol, failurePolicy="CONTINUE_WITH_WARNING")
    worker.failed()
    assert notices(worker.context["taskId"])[0]["level"] == "WARNING"


def test_waiting_for_the_user_is_told_with_what_to_do(carol):
    worker = worker_of(carol, failurePolicy="WAIT_FOR_USER")
    worker.failed(code="FORMAT")
    (notice,) = notices(worker.context["taskId"])
    assert (notice["type"], notice["requiresAction"], notice["actions"]) == ("ACTION_REQUIRED", True, ["REUPLOAD"])


def worker_of(carol, **members):
    worker = carol.worker(carol.task(step_body(**members))["taskId"])
    worker.started()
    return worker


def test_whatever_language_a_worker_speaks_users_are_told_in_theirs(carol):
    worker = worker_of(carol, failurePolicy="FAIL_TASK")
    error = error_body(code="FORMAT")
    body = worker.event("STEP_FAILED", error=error)
    worker.send(body, headers={"Accept-Language": "zh-Hans"}).accepted()
    last = messages("task.summary", worker.context["taskId"])[-1]
    assert last["task"]["failure"]["message"] == last["notice"]["message"].rpartition(": ")[2] == "Not supported yet."


def test_a_message_with_a_notice_or_an_end_is_never_passed_over(carol):
    worker = worker_of(carol, failurePolicy="FAIL_TASK")
    worker.failed()
    carol.end(worker.context["taskId"])
    rows = OutboxMessage.objects.filter(aggregate_id=worker.context["taskId"], projection="USER_SUMMARY")
    flags = dict(rows.values_list("aggregate_version", "coalescible"))
    assert flags == {1: False, 2: False, 3: True, 4: False, 5: False}


def test_a_title_is_in_the_readers_language_and_not_in_the_reporters(carol, monkeypatch):
    spoken = []
    monkeypatch.setattr("taskstatus.projections.notices.override", lambda tag: spoken.append(tag) or override(tag))
    task_id = carol.task(step_body())["taskId"]
    body = {"eventId": "evt-end", "eventType": "TASK_COMPLETED", "taskId": task_id, "taskAttempt": 1}
    carol.api.post("/task-events", body, headers={"Accept-Language": "zh-Hans"}).accepted()
    assert spoken == ["en"]
