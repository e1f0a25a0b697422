"""H12: what a worker says to users is cut and redacted before it is stored; what it tells engineers leaves nowhere."""

# ruff: noqa: RUF001 - Chinese sentences have punctuation of their own

import logging

import pytest

from outbox.models import OutboxMessage
from taskstatus.models import EventDedup, RefusedReport, Step, Task, TaskEvent
from tests.support.api import fresh, service_api, user_api
from tests.support.cast import ALICE, error_body, step_body
from tests.support.leaks import ADDRESSES, PATHS, SECRETS, STATEMENTS, TRACES
from tests.support.unchanged import unchanged

REFERENCE = "trace://01JQ7M-DIAGNOSIS"
TABLE = {**SECRETS, **PATHS, **ADDRESSES, **STATEMENTS, **TRACES}
# One of each family goes the whole way over HTTP; the rules themselves are tried on all of them (tests/unit/domain).
WHOLE_WAY = (
    *("url pw", "jwt", "aws key", "pem", "unix", "win sp", "file", "s3", "hostport", "ipv4 port", "ipv6"),
    *("sql", "py", "java", "node", "go", "csharp"),
)


def fails(carol, text, **members):
    """A task that was failed with this text, twice: by its worker's report and by its coordinator's."""
    worker = carol.worker(carol.task(step_body())["taskId"])
    worker.started()
    error = error_body(userMessage=text, diagnosticsRef=REFERENCE, **members)
    worker.report("STEP_FAILED", error=error).accepted()
    carol.end(worker.context["taskId"], "TASK_FAILED", error=error, failedStepId="s1")
    return worker.context["taskId"]


def told(task_id):
    """Everything that leaves the service about a task, as text: answers, messages, the log of events."""
    workflow_id = Task.objects.get(pk=task_id).workflow_id
    alice, carol = user_api(ALICE), service_api("coordinator", "coordinator")
    answers = [
        *[alice.get(path) for path in (f"/tasks/{task_id}", f"/tasks/{task_id}/events", f"/tasks/{task_id}/attempts")],
        *[alice.get(path) for path in ("/me/tasks", "/me/workflows", f"/workflows/{workflow_id}/tasks")],
        *[alice.get(f"/workflows/{workflow_id}"), alice.post("/tasks/status:batchGet", {"taskIds": [task_id]})],
        *[carol.get(f"/tasks/{task_id}"), carol.get(f"/workflows/{workflow_id}")],
        *[carol.get(f"/events/{event_id}") for event_id in EventDedup.objects.values_list("event_id", flat=True)],
    ]
    assert {answer.status for answer in answers} == {200}
    return [repr(answer.body) for answer in answers] + list(OutboxMessage.objects.values_list("payload", flat=True))


@pytest.mark.accepts("H12")
@pytest.mark.parametrize("name", WHOLE_WAY)
def test_no_secret_place_statement_or_trace_leaves(carol, name):
    """Amid a sentence, in every answer and every message."""
    text, gone = TABLE[name]
    everywhere = told(fails(carol, f"The import failed: {text}"))
    shown = "\n".join(everywhere)
    assert [part for part in gone if part in shown] == []
    assert sum("The import failed: " in one for one in everywhere) >= len(everywhere) // 3


@pytest.mark.accepts("H12")
def test_it_is_redacted_before_it_is_stored(carol):
    """No column of any table has the text as it was sent."""
    secret, place = "hunter2hunter2", "/srv/tenants/acme/contract.pdf"
    task_id = fails(carol, f"Could not open {place} with password={secret}")
    rows = [*Step.objects.values(), *Task.objects.values(), *TaskEvent.objects.values(), *EventDedup.objects.values()]
    stored = repr(rows) + repr(list(OutboxMessage.objects.values()))
    assert secret not in stored
    assert place not in stored
    assert Task.objects.get(pk=task_id).failure_message == "Could not open […] with password=[…]"


@pytest.mark.accepts("H12")
@pytest.mark.parametrize("text", ["暂不支持该文件格式，请转换为 PDF 后重试", "Page 3/10 is torn: try again at 12:30."])
def test_a_plain_sentence_is_read_as_it_was_written(carol, text):
    """In any language, with numbers, times and slashes."""
    assert carol.detail(fails(carol, text))["failure"]["message"] == text


@pytest.mark.accepts("H12")
@pytest.mark.parametrize(("length", "status"), [(1, 200), (512, 200), (513, 400)])
def test_it_has_512_characters_at_most(carol, length, status):
    """A longer one is refused, and changes nothing; the longest is kept whole."""
    worker = carol.running()
    body = worker.event("STEP_FAILED", error=error_body(userMessage="破" * length))
    if status == 200:
        worker.send(body).accepted()
        assert carol.detail(worker.context["taskId"])["failure"]["message"] == "破" * length
        return
    with unchanged():
        problem = worker.send(body).refused(400, "INVALID_FIELD")
    assert [error["pointer"] for error in problem["errors"]] == ["/error/userMessage"]


@pytest.mark.accepts("H12")
def test_what_becomes_longer_by_its_marks_is_cut(carol):
    """Marks may be longer than what they hide: the text still fits."""
    shown = carol.detail(fails(carol, " ".join(["~/a"] * 128)))["failure"]["message"]
    assert len(shown) <= 512
    assert "~/a" not in shown


@pytest.mark.accepts("H12")
def test_what_is_for_engineers_leaves_nowhere(carol, caplog):
    """diagnosticsRef is stored for operators: no answer, message, receipt, problem or log names it."""
    with caplog.at_level(logging.DEBUG):
        task_id = fails(carol, "It broke.")
        worker = carol.running()
        error = error_body(diagnosticsRef=REFERENCE)
        refused = worker.report("STEP_COMPLETED", error=error, businessStatus="UNHEARD_OF")
        receipts = [worker.report("STEP_FAILED", error=error), refused]
        shown = "\n".join([*told(task_id), *[repr(receipt.body) for receipt in receipts]])
    assert refused.code == "UNKNOWN_BUSINESS_STATUS"
    assert Step.objects.filter(diagnostics_ref=REFERENCE).count() == 2
    logged = caplog.text + repr([vars(record) for record in caplog.records if record.name != "django.db.backends"])
    for place in (shown, logged, repr(list(RefusedReport.objects.values()))):
        assert REFERENCE not in place
        assert "diagnostics" not in place.lower()


@pytest.mark.accepts("H12")
def test_a_retry_of_the_same_report_is_the_same_whatever_was_hidden(carol):
    """What is hidden still counts as content: another secret under the same eventId is another report."""
    worker = carol.running()
    body = worker.event("STEP_FAILED", error=error_body(userMessage="password=one1"))
    first = worker.send(body).accepted()
    assert worker.send(body).accepted() == {**first, "duplicate": True}
    with unchanged():
        other = {**body, "error": error_body(userMessage="password=two2")}
        worker.send(other).refused(409, "EVENT_ID_REUSED")


@pytest.mark.accepts("H12")
def test_a_batch_hides_alike(carol):
    """The same words, one by one or many at once."""
    worker = carol.running()
    body = worker.event("STEP_FAILED", error=error_body(userMessage="Lost 10.0.0.1:5432"))
    worker.api.post("/task-events:batch", {"events": [body, {**body, "eventId": fresh()}]}).ok()
    assert carol.detail(worker.context["taskId"])["failure"]["message"] == "Lost […]"
