"""Operators who correct at the same moment as each other, as workers and as coordinators: one is first, and counts."""

from collections import Counter
from functools import partial

import pytest

from taskstatus.domain.errors import DomainError
from taskstatus.models import AuditEntry, ExecutionLease, Step, Task, TaskEvent
from taskstatus.services.correct_task import correct_task
from tests.support.api import service_api
from tests.support.beats import PATH, beat
from tests.support.cast import Coordinator, coordinator
from tests.support.corrections import OLGA, stated
from tests.support.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("C30")]

RUNNING = 3
CORRECTED = str(RUNNING + 1)


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def correction(task_id, lifecycle, **members):
    """A correction by somebody who saw the task running: the version it became, or the code of its refusal."""
    command = stated(task_id, lifecycle, **members)

    def act() -> str:
        try:
            return str(correct_task(task_id, command, OLGA))
        except DomainError as error:
            return error.code

    return act


def report(worker, event_type):
    """A worker's report: the version it became, or the code of its refusal."""
    body = worker.event(event_type)

    def act() -> str:
        answer = worker.send(body)
        return str(answer.body["taskVersion"]) if answer.status == 200 else str(answer.code)

    return act


def kinds(task_id):
    return list(TaskEvent.objects.filter(task_id=task_id).order_by("task_version").values_list("event_type", flat=True))


def test_of_eight_operators_one_corrects_and_seven_look_again(carol):
    task_id = carol.running().context["taskId"]
    ends = ("SUCCEEDED", "FAILED", "CANCELLED", "FAILED")
    found = together([correction(task_id, end) for end in ends * 2])
    assert Counter(found) == {CORRECTED: 1, "VERSION_MISMATCH": 7}
    assert (AuditEntry.objects.count(), Task.objects.get().version) == (1, RUNNING + 1)
    assert kinds(task_id)[RUNNING:] == ["TASK_CORRECTED"]


@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_a_correction_beside_the_steps_own_end_is_first_or_looks_again(carol, step_id):
    """Whoever is second changes nothing: the operator is told that the task moved, the worker that the step ended."""
    workers = [carol.running() for _ in range(4)]
    corrections = [correction(worker.context["taskId"], "FAILED", stepId=step_id) for worker in workers]
    found = together([*corrections, *(report(worker, "STEP_COMPLETED") for worker in workers)])
    for worker, corrected, reported in zip(workers, found[:4], found[4:], strict=True):
        pair = (corrected, reported)
        assert pair in {(CORRECTED, "TERMINAL_STATE"), ("VERSION_MISMATCH", CORRECTED)}
        was_first = corrected == CORRECTED
        task_id = worker.context["taskId"]
        assert kinds(task_id)[RUNNING:] == ["TASK_CORRECTED" if was_first else "STEP_COMPLETED"]
        assert Task.objects.get(pk=task_id).version == RUNNING + 1
    assert AuditEntry.objects.count() == found[:4].count(CORRECTED)


def test_a_correction_beside_the_coordinators_own_end_is_first_or_looks_again(carol):
    task_ids = [carol.running().context["taskId"] for _ in range(4)]
    ends = [partial(carol.report, "TASK_COMPLETED", task_id) for task_id in task_ids]
    found = together([*(correction(task_id, "FAILED") for task_id in task_ids), *ends])
    for task_id, corrected, ended in zip(task_ids, found[:4], found[4:], strict=True):
        was_first = corrected == CORRECTED
        assert was_first or corrected == "VERSION_MISMATCH"
        assert ended.code == ("TERMINAL_STATE" if was_first else None)
        assert Task.objects.get(pk=task_id).lifecycle_status == ("FAILED" if was_first else "SUCCEEDED")


@pytest.mark.parametrize("step_id", [None, "s1"], ids=["task", "step"])
def test_a_correction_beside_beats_is_made_and_leaves_no_lease(carol, step_id):
    """A beat is no version, so the operator never has to look again for its sake."""
    workers = [carol.running() for _ in range(4)]
    corrections = [correction(worker.context["taskId"], "CANCELLED", stepId=step_id) for worker in workers]
    beats = {"heartbeats": [beat(worker) for worker in workers]}
    *corrected, answer = together([*corrections, partial(service_api("worker-a", "worker").post, PATH, beats)])
    assert corrected == [CORRECTED] * 4
    assert {item["reason"] for item in answer.ok()["results"]} <= {None, "TERMINAL_STATE"}
    assert not ExecutionLease.objects.exists()
    assert set(Step.objects.values_list("health", flat=True)) == {"HEALTHY"}
