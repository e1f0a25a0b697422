"""One key sent by many at the same moment makes one thing."""

from collections import Counter
from functools import partial

import pytest

from taskstatus.models import Step, Task, TaskEvent, Workflow
from tests.support.api import Answer, fresh, service_api
from tests.support.cast import ALICE, coordinator, step_body, task_body
from tests.support.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)

RACERS = 20


def one_made(answers: list[Answer], id_name: str) -> str:
    """The id that all answers agree on, where exactly one of them says that it was made now."""
    assert Counter(a.status for a in answers) == {201: 1, 200: len(answers) - 1}
    assert [a.body["created"] for a in answers].count(True) == 1
    (the_id,) = {str(a.body[id_name]) for a in answers}
    return the_id


@pytest.mark.accepts("C03")
def test_twenty_racing_creations_make_one_workflow_with_its_tasks():
    api = service_api("coordinator", "business")
    body = {"clientWorkflowKey": fresh(), "ownerId": ALICE, "title": "T", "initialTasks": [task_body(), task_body()]}
    answers = together([partial(api.post, "/workflows", body)] * RACERS)
    workflow_id = one_made(answers, "workflowId")
    assert Workflow.objects.count() == 1
    assert len({tuple(t["taskId"] for t in a.body["tasks"]) for a in answers}) == 1
    assert Task.objects.filter(workflow_id=workflow_id).count() == Task.objects.count() == 2


@pytest.mark.accepts("C03")
def test_twenty_racing_additions_make_one_task_and_one_workflow_version():
    carol = coordinator()
    workflow_id = carol.workflow()["workflowId"]
    call = partial(carol.api.post, f"/workflows/{workflow_id}/tasks", task_body(clientTaskKey="k"))
    answers = together([call] * RACERS)
    one_made(answers, "taskId")
    assert Task.objects.count() == TaskEvent.objects.count() == 1
    assert Workflow.objects.get().version == 2


@pytest.mark.accepts("C07")
def test_twenty_racing_registrations_make_one_execution():
    carol = coordinator()
    task_id = carol.task()["taskId"]
    body = {"clientStepKey": "page-1", "operationCode": "OPS.RUN", "producerId": "worker-a"}
    answers = together([partial(carol.api.post, f"/tasks/{task_id}/executions:register", body)] * RACERS)
    execution_id = one_made(answers, "executionId")
    assert Step.objects.get().execution_id == execution_id
    assert Task.objects.get().version == 2
    assert len({a.body["executionHandle"] for a in answers}) == RACERS


@pytest.mark.accepts("C27")
def test_racing_activations_under_one_command_id_give_one_execution():
    carol = coordinator()
    task_id = carol.task(step_body())["taskId"]
    body = {"producerId": "worker-a", "commandId": "go"}
    answers = together([partial(carol.api.post, f"/tasks/{task_id}/steps/s1:activate", body)] * 8)
    assert Counter(a.status for a in answers) == {201: 1, 200: 7}
    assert len({a.body["executionId"] for a in answers}) == 1
    assert Step.objects.count() == 1
    assert Task.objects.get().version == 2


def test_racing_retries_under_one_event_id_open_one_attempt():
    carol = coordinator()
    task_id = carol.task(step_body())["taskId"]
    carol.end(task_id, "TASK_FAILED")
    body = {"eventId": fresh(), "reason": "again"}
    answers = together([partial(carol.api.post, f"/tasks/{task_id}:retry", body)] * 8)
    assert {a.status for a in answers} == {200}
    assert answers == [answers[0]] * 8
    assert Task.objects.get().attempt == 2
    assert Step.objects.count() == 2
