"""One eventId sent from many processes at the same moment is one fact."""

from collections import Counter
from functools import partial
from typing import Any

import pytest

from outbox.models import OutboxMessage
from taskstatus.models import EventDedup, Task, TaskEvent, WorkflowEvent
from tests.support.api import Answer, fresh
from tests.support.cast import Coordinator, coordinator, error_body
from tests.support.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def codes(answers: list[Answer]) -> Counter[str | None]:
    """How often each refusal was given; None stands for success."""
    return Counter(answer.code for answer in answers)


@pytest.mark.accepts("C01")
def test_one_is_the_first_and_seven_are_its_duplicates(carol):
    worker = carol.running()
    event = worker.event("STEP_COMPLETED")
    answers = [answer.ok() for answer in together([partial(worker.send, event)] * 8)]
    assert Counter(body["duplicate"] for body in answers) == {False: 1, True: 7}
    first = next(body for body in answers if not body["duplicate"])
    assert all(body == {**first, "duplicate": body["duplicate"]} for body in answers)
    assert TaskEvent.objects.filter(event_id=event["eventId"]).count() == 1
    assert OutboxMessage.objects.filter(event_id=event["eventId"]).count() == 2
    assert Task.objects.get().version == int(first["taskVersion"]) == 4


@pytest.mark.accepts("C02")
def test_of_eight_contents_under_one_id_one_counts_and_seven_are_refused(carol):
    worker = carol.running()
    event = worker.event("STEP_PROGRESS", progressSeq=1, phaseCode="LAST")
    bodies: list[dict[str, Any]] = [{**event, "progress": {"current": number}} for number in range(8)]
    answers = together([partial(worker.send, body) for body in bodies])
    assert codes(answers) == {None: 1, "EVENT_ID_REUSED": 7}
    (winner,) = [body for body, answer in zip(bodies, answers, strict=True) if answer.status == 200]
    assert carol.detail(worker.context["taskId"])["steps"][0]["progress"]["current"] == winner["progress"]["current"]
    assert EventDedup.objects.filter(event_id=event["eventId"]).count() == 1


@pytest.mark.accepts("C02")
def test_one_id_for_two_tasks_at_once_counts_for_one_of_them(carol):
    workers = [carol.running(), carol.running()]
    event_id = fresh()
    events = [{**worker.event("STEP_COMPLETED"), "eventId": event_id} for worker in workers]
    answers = together([partial(worker.send, event) for worker, event in zip(workers, events, strict=True)])
    assert codes(answers) == {None: 1, "EVENT_ID_REUSED": 1}
    assert sorted(Task.objects.values_list("version", flat=True)) == [3, 4]
    winner = next(answer.body["taskId"] for answer in answers if not answer.code)
    assert EventDedup.objects.get(event_id=event_id).aggregate_id == winner


@pytest.mark.accepts("C02")
def test_a_batch_that_loses_an_id_to_another_task_loses_nothing_else(carol):
    ours, theirs = carol.running(), carol.running()
    event_id = fresh()
    batch = {"events": [ours.progress_event(phaseCode=f"P{n}") for n in range(5)]}
    batch["events"][2]["eventId"] = event_id
    single = {**theirs.event("STEP_COMPLETED"), "eventId": event_id}
    of_batch, of_single = together([partial(ours.api.post, "/task-events:batch", batch), partial(theirs.send, single)])
    items = of_batch.ok()["results"]
    outcomes = [item.get("error", {}).get("code") for item in items]
    assert Counter([outcomes[2], of_single.code]) == {None: 1, "EVENT_ID_REUSED": 1}
    assert [*outcomes[:2], *outcomes[3:]] == [None] * 4
    assert Task.objects.get(pk=ours.context["taskId"]).version == 3 + outcomes.count(None)


@pytest.mark.accepts("C19")
def test_a_task_that_eight_want_to_end_ends_once(carol):
    task_id = carol.running().context["taskId"]
    ends = [("TASK_COMPLETED", {}), ("TASK_FAILED", {"error": error_body()}), ("TASK_CANCELLED", {})]
    calls = [partial(carol.report, kind, task_id, **more) for kind, more in (ends * 3)[:8]]
    answers = together(calls)
    assert codes(answers) == {None: 1, "TERMINAL_STATE": 7}
    assert Task.objects.get().lifecycle_status == next(a.body["lifecycleStatus"] for a in answers if not a.code)
    assert Task.objects.get().version == 4


def test_a_workflow_that_eight_want_to_end_ends_once(carol):
    workflow_id = carol.workflow()["workflowId"]
    kinds = ["WORKFLOW_COMPLETED", "WORKFLOW_FAILED"] * 4
    bodies = [{"eventId": fresh(), "eventType": kind} for kind in kinds]
    path = f"/workflows/{workflow_id}/events"
    answers = together([partial(carol.api.post, path, body) for body in bodies])
    assert codes(answers) == {None: 1, "TERMINAL_STATE": 7}
    assert list(WorkflowEvent.objects.order_by("pk").values_list("workflow_version", flat=True)) == [1, 2]


def test_one_workflow_event_sent_eight_times_at_once_counts_once(carol):
    workflow_id = carol.workflow()["workflowId"]
    body = {"eventId": fresh(), "eventType": "WORKFLOW_SEALED"}
    answers = [a.ok() for a in together([partial(carol.api.post, f"/workflows/{workflow_id}/events", body)] * 8)]
    assert Counter(answer["duplicate"] for answer in answers) == {False: 1, True: 7}
    assert {answer["workflowVersion"] for answer in answers} == {"2"}
