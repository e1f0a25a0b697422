"""H08: an execution's heartbeat agreement forgives two lost beats at least, wherever it is made."""

import pytest

from taskstatus.models import Step
from tests.support.api import fresh
from tests.support.cast import step_body, task_body
from tests.support.unchanged import unchanged

# Interval and timeout; the operation's own are 15 and 60.
TOO_SHORT = [(10, 29), (3600, 10_799), (None, 44), (21, 60)]
LONG_ENOUGH = [(10, 30), (3600, 10_800), (None, 45), (20, 60)]


def agreement(interval, timeout):
    """The members that name it; None names nothing."""
    members = {"heartbeatIntervalSeconds": interval, "heartbeatTimeoutSeconds": timeout}
    return {name: value for name, value in members.items() if value is not None}


def registration(interval, timeout):
    """A registration of a dynamic step with this agreement."""
    body = {"clientStepKey": fresh("key"), "operationCode": "OPS.RUN", "producerId": "worker-a"}
    return {**body, **agreement(interval, timeout)}


@pytest.mark.accepts("H08")
@pytest.mark.parametrize(("interval", "timeout"), TOO_SHORT)
def test_a_timeout_under_three_intervals_is_refused(carol, interval, timeout):
    """For a known step and for one that is registered, named in full or in part, and nothing is written."""
    task_id = carol.task()["taskId"]
    workflow = {"clientWorkflowKey": fresh("wf"), "ownerId": "alice", "title": "T"}
    known = task_body(step_body(**agreement(interval, timeout)))
    with unchanged():
        planned = carol.api.post("/workflows", {**workflow, "initialTasks": [known]}).refused(400, "INVALID_FIELD")
        registered = carol.api.post(f"/tasks/{task_id}/executions:register", registration(interval, timeout))
        refused = registered.refused(400, "INVALID_FIELD")
    pointers = [[error["pointer"] for error in answer["errors"]] for answer in (planned, refused)]
    assert pointers == [["/initialTasks/0/knownSteps/0/heartbeatTimeoutSeconds"], ["/heartbeatTimeoutSeconds"]]


@pytest.mark.accepts("H08")
@pytest.mark.parametrize(("interval", "timeout"), LONG_ENOUGH)
def test_three_intervals_are_enough(carol, interval, timeout):
    """What is agreed is kept with the execution, by which its worker is told when to beat."""
    task_id = carol.task(step_body(**agreement(interval, timeout)))["taskId"]
    carol.api.post(f"/tasks/{task_id}/executions:register", registration(interval, timeout)).ok()
    kept = Step.objects.values_list("heartbeat_interval_seconds", "heartbeat_timeout_seconds")
    assert set(kept) == {(interval or 15, timeout)}
