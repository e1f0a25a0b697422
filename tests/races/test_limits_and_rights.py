"""What the service decides by looking first holds when eight look at the same moment."""

from collections import Counter
from functools import partial

import pytest

from taskstatus.models import AuditEntry, ExternalRef, Step, Task, TaskEvent, TaskGrant
from tests.support.api import Answer
from tests.support.cast import BOB, Coordinator, coordinator, step_body
from tests.support.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def outcomes(answers: list[Answer]) -> Counter[str | int]:
    """How often each refusal's code, or each status of a success, was given."""
    return Counter(answer.code or answer.status for answer in answers)


@pytest.mark.accepts("C09")
def test_racing_registrations_together_keep_the_limit_of_parallel_executions(carol):
    policy = {"allowedParentOperations": [], "allowedChildOperations": [], "maxParallelExecutions": 3}
    task_id = carol.task(dynamicRegistrationPolicy=policy)["taskId"]
    bodies = [{"clientStepKey": f"p{n}", "operationCode": "OPS.RUN", "producerId": "w"} for n in range(8)]
    answers = together([partial(carol.api.post, f"/tasks/{task_id}/executions:register", body) for body in bodies])
    assert outcomes(answers) == {201: 3, "PARALLEL_LIMIT": 5}
    assert Step.objects.count() == 3
    assert sorted(int(a.body["taskVersion"]) for a in answers if a.status == 201) == [2, 3, 4]


@pytest.mark.accepts("C27")
def test_of_eight_activations_without_a_command_id_one_starts_an_execution(carol):
    task_id = carol.task(step_body())["taskId"]
    path, body = f"/tasks/{task_id}/steps/s1:activate", {"producerId": "worker-a"}
    answers = together([partial(carol.api.post, path, body)] * 8)
    assert outcomes(answers) == {201: 1, "ATTEMPT_STILL_RUNNING": 7}
    assert Step.objects.count() == 1


def test_the_same_grant_given_eight_times_at_once_is_one_change(carol):
    task_id = carol.task()["taskId"]
    call = partial(carol.api.put, f"/tasks/{task_id}/grants/USER/{BOB}", {"permission": "VIEW"})
    answers = together([call] * 8)
    assert outcomes(answers) == {201: 1, 200: 7}
    assert {a.body["taskVersion"] for a in answers} == {"2"}
    assert TaskGrant.objects.count() == AuditEntry.objects.filter(action="GRANT_TASK").count() == 1


def test_racing_grants_of_different_rights_leave_the_last_one_and_a_version_for_each(carol):
    task_id = carol.task()["taskId"]
    path, rights = f"/tasks/{task_id}/grants/USER/{BOB}", ["VIEW", "OPERATE", "ADMIN"]
    answers = together([partial(carol.api.put, path, {"permission": right}) for right in rights])
    assert outcomes(answers) == {201: 1, 200: 2}
    assert sorted(a.body["taskVersion"] for a in answers) == ["2", "3", "4"]
    last = TaskEvent.objects.get(task_version=4)
    assert TaskGrant.objects.get().permission == last.payload["permission"]


def test_racing_workflow_grants_are_one_change(carol):
    workflow_id = carol.workflow()["workflowId"]
    call = partial(carol.api.put, f"/workflows/{workflow_id}/grants/PROJECT/atlas", {"permission": "VIEW"})
    answers = together([call] * 8)
    assert outcomes(answers) == {201: 1, 200: 7}
    assert {a.body["workflowVersion"] for a in answers} == {"2"}


def test_an_outside_number_that_two_tasks_want_at_once_names_one_of_them(carol):
    tasks = [carol.task()["taskId"] for _ in range(2)]
    calls = [partial(carol.api.put, f"/tasks/{task_id}/external-refs/ORDER/42") for task_id in tasks]
    answers = together(calls * 4)
    assert outcomes(answers) == {201: 1, 200: 3, "EXTERNAL_REF_TAKEN": 4}
    winner = next(a.body["taskId"] for a in answers if a.status == 201)
    assert ExternalRef.objects.get().task_id == winner
    assert Task.objects.get(pk=winner).version == 2
    assert Task.objects.exclude(pk=winner).get().version == 1
