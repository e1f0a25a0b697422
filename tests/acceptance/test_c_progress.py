"""C33: progress is coalesced on the server, shown as versions only, and never lost at the end (ruling 35)."""

from datetime import timedelta

import pytest
from django.db.models import F

from outbox.models import OutboxMessage
from taskstatus.models import EventDedup, Step, Task, TaskEvent
from taskstatus.services.flush_progress import flush_progress
from tests.support.api import Api, fresh
from tests.support.cast import error_body
from tests.support.definitions import define, operation
from tests.support.unchanged import unchanged

INTERVAL_SECONDS = 60


@pytest.fixture
def worker(carol):
    """A running execution that made its first progress a version just now, and may make the next one in a minute."""
    define(operations=[operation(progressMinIntervalSeconds=INTERVAL_SECONDS)])
    runner = carol.running()
    assert runner.progress(current=1, phaseCode="READ")["reason"] is None
    return runner


def coalesced(worker, current, **members):
    """Report progress that has to be kept without becoming a version; the body that was sent."""
    body = worker.progress_event(current=current, **members)
    receipt = worker.send(body).accepted()
    assert (receipt["reason"], receipt["duplicate"], receipt["committedAt"]) == ("COALESCED", False, None)
    assert receipt["taskVersion"] == str(Task.objects.get(pk=receipt["taskId"]).version)
    return body


def let_interval_pass():
    """The kept progress is due now."""
    past = timedelta(seconds=INTERVAL_SECONDS)
    Step.objects.filter(pending_flush_at__isnull=False).update(pending_flush_at=F("pending_flush_at") - past)


def shown(carol, worker):
    """The task's version and the step's progress as readers see them."""
    detail = carol.detail(worker.context["taskId"])
    return int(detail["version"]), detail["steps"][0]["progress"]["current"]


def facts():
    """How many versions, events, idempotency records and messages there are."""
    return sum(Task.objects.values_list("version", flat=True)), *(
        model.objects.count() for model in (TaskEvent, EventDedup, OutboxMessage)
    )


@pytest.mark.accepts("C33")
def test_progress_that_comes_too_soon_is_kept_and_not_shown(carol, worker):
    """It is accepted with the versions of now: no version, event, record or message; one ETag names one state."""
    path = f"/tasks/{worker.context['taskId']}"
    before, tag, was = shown(carol, worker), carol.api.get(path).headers["ETag"], facts()
    body = coalesced(worker, 2, phaseLabel="On", message="Fine")
    assert (shown(carol, worker), carol.api.get(path).headers["ETag"], facts()) == (before, tag, was)
    carol.api.get(f"/events/{body['eventId']}").refused(404, "EVENT_NOT_FOUND")


@pytest.mark.accepts("C33")
def test_kept_progress_advances_both_sequences(worker):
    """What is older than kept progress is stale, by either number; kept progress itself is known, and only as sent."""
    body = coalesced(worker, 5, sourceSeq=20, progressSeq=20)
    with unchanged():
        worker.send(worker.progress_event(sourceSeq=19, progressSeq=30)).stale("STALE_SEQUENCE")
        worker.send(worker.progress_event(sourceSeq=30, progressSeq=20)).stale("STALE_PROGRESS")
        again = worker.send(body).accepted()
        assert (again["duplicate"], again["stale"]) == (True, False)
        worker.send({**body, "progress": {"current": 6}}).refused(409, "EVENT_ID_REUSED")


@pytest.mark.accepts("C33")
def test_the_event_id_of_kept_progress_is_taken_for_the_rest_of_its_task(carol, worker):
    """Neither a sibling's report nor the coordinator's takes it over, or the kept one would never be a fact."""
    task_id = worker.context["taskId"]
    sibling = carol.api.post(
        f"/tasks/{task_id}/executions:register",
        {"clientStepKey": fresh("call"), "operationCode": "SEARCH.WEB", "producerId": "searcher"},
    ).ok()
    body = coalesced(worker, 5)
    started = {"eventId": body["eventId"], "eventType": "STEP_STARTED", "sourceSeq": 1}
    with unchanged():
        Api(sibling["executionToken"]).post("/task-events", started).refused(409, "EVENT_ID_REUSED")
        carol.report("TASK_CANCELLED", task_id, eventId=body["eventId"]).refused(409, "EVENT_ID_REUSED")
    let_interval_pass()
    flush_progress()
    assert carol.api.get(f"/events/{body['eventId']}").ok()["executionId"] == worker.context["executionId"]


@pytest.mark.accepts("C33")
def test_only_the_latest_kept_progress_stays(carol, worker):
    """A later one takes the place of an earlier one, which is then stale; the flush makes one version of it."""
    overtaken, latest = coalesced(worker, 2), coalesced(worker, 3)
    with unchanged():
        worker.send(overtaken).stale("STALE_SEQUENCE")
    version, _ = shown(carol, worker)
    let_interval_pass()
    flush_progress()
    assert shown(carol, worker) == (version + 1, 3)
    with unchanged():
        flush_progress()
    logged = TaskEvent.objects.get(task_version=version + 1)
    assert (logged.event_id, logged.event_type) == (latest["eventId"], "STEP_PROGRESS")


@pytest.mark.accepts("C33")
def test_flushed_progress_is_a_fact_like_any_other(carol, worker):
    """After the flush its receipt can be asked for, its repetition is a duplicate, and other content is refused."""
    body = coalesced(worker, 4, message="Going well")
    with unchanged():
        flush_progress()
    let_interval_pass()
    flush_progress()
    receipt = carol.api.get(f"/events/{body['eventId']}").ok()
    version, current = shown(carol, worker)
    assert (receipt["taskVersion"], receipt["accepted"], receipt["reason"], current) == (str(version), True, None, 4)
    with unchanged():
        assert worker.send(body).ok() == {**receipt, "duplicate": True}
        worker.send({**body, "message": "Going badly"}).refused(409, "EVENT_ID_REUSED")
    assert coalesced(worker, 5)["progress"]["current"] == 5
    assert OutboxMessage.objects.filter(event_id=body["eventId"]).count() == 2


@pytest.mark.accepts("C33")
@pytest.mark.parametrize(
    ("event_type", "members"),
    [("STEP_COMPLETED", {}), ("STEP_FAILED", {"error": error_body()}), ("STEP_CANCELLED", {})],
)
@pytest.mark.parametrize("own", [None, {"current": 9, "total": 10, "unit": "page"}])
def test_a_terminal_event_keeps_the_last_progress(carol, worker, event_type, members, own):
    """The end takes kept progress over in its own version, unless it brings some itself; nothing comes after it."""
    absorbed = coalesced(worker, 8, phaseLabel="Nearly there")
    version, _ = shown(carol, worker)
    receipt = worker.report(event_type, progress=own, **members).accepted()
    assert receipt["taskVersion"] == str(version + 1)
    assert shown(carol, worker) == (version + 1, 9 if own else 8)
    assert carol.detail(worker.context["taskId"])["steps"][0]["phaseLabel"] == "Nearly there"
    carol.api.get(f"/events/{absorbed['eventId']}").refused(404, "EVENT_NOT_FOUND")
    let_interval_pass()
    with unchanged():
        worker.send(absorbed).stale("STALE_SEQUENCE")
        flush_progress()


@pytest.mark.accepts("C33")
@pytest.mark.parametrize("how", ["task ends", "superseded", "next phase"])
def test_whatever_comes_next_absorbs_kept_progress_in_one_version(carol, worker, how):
    """The end of the task, a fencing and a new phase each take kept progress with them; no flush follows."""
    task_id = worker.context["taskId"]
    coalesced(worker, 7)
    if how == "task ends":
        carol.end(task_id)
    elif how == "superseded":
        carol.activate(task_id, supersede=True)
    else:
        assert worker.progress(phaseCode="WRITE", progress=None)["reason"] is None
    step = Step.objects.get(execution_id=worker.context["executionId"])
    assert (step.progress["current"], step.pending_event_id) == (7, None)
    let_interval_pass()
    with unchanged():
        flush_progress()


@pytest.mark.accepts("C33")
def test_after_the_interval_progress_is_a_version_at_once(carol, worker):
    """What comes late enough is not kept back, and takes the place of what was."""
    coalesced(worker, 2)
    Step.objects.update(progress_versioned_at=F("progress_versioned_at") - timedelta(seconds=INTERVAL_SECONDS))
    version, _ = shown(carol, worker)
    assert worker.progress(current=3)["reason"] is None
    assert shown(carol, worker) == (version + 1, 3)


@pytest.mark.accepts("C33")
def test_kept_progress_of_a_task_gone_by_never_comes_back(carol, worker):
    """Once the task was ended and opened again, nothing of the old attempt is flushed into the new one."""
    task_id = worker.context["taskId"]
    coalesced(worker, 6)
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
    let_interval_pass()
    with unchanged():
        flush_progress()
    assert carol.detail(task_id)["progress"] is None


@pytest.mark.accepts("C33")
def test_refused_progress_is_not_kept(worker):
    """It is judged like any report: with an unknown status or schema it is refused, and nothing is kept."""
    with unchanged():
        worker.send(worker.progress_event(businessStatus="NO_SUCH")).refused(422, "UNKNOWN_BUSINESS_STATUS")
        body = worker.progress_event(data={"schema": "other.v1", "value": {}})
        worker.send(body).refused(422, "SCHEMA_NOT_ALLOWED")


@pytest.mark.accepts("C33")
def test_a_batch_of_progress_makes_one_version_and_one_kept(carol, worker):
    """Many reports in one request end as the last one's progress once the step completes within the same request."""
    events = [worker.progress_event(current=number) for number in range(2, 9)]
    events.append(worker.event("STEP_COMPLETED"))
    version, _ = shown(carol, worker)
    results = worker.api.post("/task-events:batch", {"events": events}).ok()["results"]
    assert [result["reason"] for result in results] == ["COALESCED"] * 7 + [None]
    assert shown(carol, worker) == (version + 1, 8)
