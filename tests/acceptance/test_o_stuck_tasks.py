"""O06: an operator finds a task that is STALE or RUNNING for long, learns why, and repairs it."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models.functions import Now
from django.urls import reverse

from outbox.models import OutboxMessage
from taskstatus.models import AuditEntry, ServicePulse, Task
from tests.admin.support import operator, text_of
from tests.admin.tasks import page_of, shown
from tests.support.cast import Worker, step_body
from tests.support.corrections import REASON
from tests.support.reconciling import reconciled, sign, silence

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("O06")]

WORK = reverse("admin:taskstatus_task_work")
EVERY_DEED = ("correct_task", "reconcile_task", "revoke_execution", "requeue_outboxmessage")


@pytest.fixture
def rita(patience):
    """An operator of acme who may look at tasks and repair them."""
    return operator("rita", "view_task", *EVERY_DEED)


def findings(rita, task_id):
    return [one.sentence for one in rita.get(page_of(task_id, "why")).context["findings"]]


def correct(rita, task_id, **values):
    """Fill in the form of a correction, look at the preview, and confirm."""
    page, filled = page_of(task_id, "correct"), {"reason": REASON, **values}
    preview = rita.post(page, {**filled, "_preview": ""}).context["preview"]
    answer = rita.post(page, {**filled, "seen": preview.seen, "_confirm": ""}, follow=True)
    assert "The correction is made" in text_of(answer)


def test_a_silent_executor_is_found_explained_and_corrected_and_the_task_moves(rita, carol):
    """The worker of the first step is gone, its work was done: the operator states that, the coordinator goes on."""
    task_id = carol.task(step_body(), step_body("s2"), title="Parse the contract")["taskId"]
    gone = carol.worker(task_id)
    gone.started()
    silence(gone)
    reconciled()
    page = rita.get(WORK)
    assert shown(page) == [task_id]
    assert page.context["rows"][0]["first"].sentence == "worker-a, which runs step s1, has been silent for 1 min."
    assert page_of(task_id, "why") in text_of(page)
    assert page_of(task_id, "correct") in text_of(rita.get(page_of(task_id, "why")))

    correct(rita, task_id, stepId="s1", lifecycleStatus="SUCCEEDED")
    assert shown(rita.get(WORK)) == []
    why = findings(rita, task_id)[0]
    assert why.startswith("Nothing is under way, and nobody has activated what is left: s2.")
    late = gone.report("STEP_FAILED", error={"category": "X", "code": "LATE", "retryable": False, "userMessage": "No."})
    assert (late.status, late.code) == (409, "TERMINAL_STATE")

    following = carol.worker(task_id, "s2")
    following.started()
    assert "Nothing is wrong as far as we know" in findings(rita, task_id)[-1]
    following.completed()
    assert findings(rita, task_id)[-1].startswith("All of its steps have ended")
    carol.end(task_id)
    assert "It ended" in findings(rita, task_id)[0]


@pytest.mark.usefixtures("unhurried")
def test_a_silent_executor_is_explained_on_the_command_line_and_superseded_by_its_coordinator(rita, carol):
    """At night: the command says who is silent, the coordinator's own list says the same, and a new attempt goes on."""
    worker = carol.running()
    silence(worker)
    sign(ServicePulse.RECONCILER)
    told = StringIO()
    call_command("reconcile", "--explain", stdout=told)
    assert f"{worker.context['executionId']} s1#1.1 by worker-a" in told.getvalue()
    call_command("reconcile", stdout=told)
    assert "changed 1 executions" in told.getvalue()
    (item,) = carol.api.get("/executions?health=STALE&olderThanSeconds=0").ok()["items"]
    following = Worker(carol.activate(item["taskId"], item["stepId"], supersede=True))
    following.started()
    following.completed()
    carol.end(item["taskId"])
    assert carol.api.get("/executions?health=STALE").ok()["items"] == []
    assert shown(rita.get(WORK)) == []


def test_a_task_that_runs_for_long_is_found_by_what_is_refused_of_it(rita, carol):
    """The worker is well and beats, but what it sends is not taken; the page names code, number and sender."""
    worker = carol.running()
    long_ago = Now() - timedelta(hours=3)
    Task.objects.update(created_at=long_ago, started_at=long_ago)
    unheard = {"schema": "document.parse.progress.v9", "value": {"page": 1}}
    for _ in range(31):
        assert worker.report("STEP_PROGRESS", progressSeq=1, data=unheard).code == "SCHEMA_NOT_ALLOWED"
    task_id = worker.context["taskId"]
    assert shown(rita.get(WORK)) == []
    assert shown(rita.get(WORK, {"trouble": "LONG"})) == [task_id]
    assert findings(rita, task_id)[0].startswith(
        "Reports are being refused: SCHEMA_NOT_ALLOWED x 31 from worker-a, the last one"
    )
    rita.post(f"{page_of(task_id, 'revoke')}?execution={worker.context['executionId']}")
    assert worker.report("STEP_CANCELLED").code == "TOKEN_INVALID"
    repaired = Worker(carol.activate(task_id, supersede=True))
    repaired.started()
    assert not [why for why in findings(rita, task_id) if "refused" in why]
    repaired.completed()
    assert AuditEntry.objects.filter(action="REVOKE_CREDENTIALS", actor="rita").count() == 1


def test_a_task_that_only_looks_stuck_gets_its_messages_back(rita, carol):
    """It has moved, and no screen knows: its messages were given up, and are sent again."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    OutboxMessage.objects.update(status="DEAD", last_error="the channel was refused")
    assert "given up in the outbox" in findings(rita, task_id)[0]
    rita.post(page_of(task_id, "requeue"))
    assert "given up" not in " ".join(findings(rita, task_id))
    messages = OutboxMessage.objects.filter(aggregate_id=task_id)
    assert set(messages.values_list("status", flat=True)) == {"PENDING"}
