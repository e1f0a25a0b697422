"""A rule that only the bound operation can judge points at the member as it stands in the body."""

import pytest

from tests.support.api import fresh
from tests.support.cast import coordinator, step_body, task_body
from tests.support.unchanged import unchanged

SHORT = {"heartbeatTimeoutSeconds": 20}  # under three of the operation's own intervals


@pytest.mark.django_db
def test_a_timeout_that_the_operation_does_not_allow_is_pointed_at():
    carol = coordinator()
    task = task_body(step_body("s1"), step_body("s2", **SHORT))
    workflow_id = carol.workflow()["workflowId"]
    body = {"clientWorkflowKey": fresh("wf"), "ownerId": "alice", "title": "T", "initialTasks": [task_body(), task]}
    with unchanged():
        created = carol.api.post("/workflows", body).refused(400, "INVALID_FIELD")
        added = carol.api.post(f"/workflows/{workflow_id}/tasks", task).refused(400, "INVALID_FIELD")
    pointers = [[error["pointer"] for error in refusal["errors"]] for refusal in (created, added)]
    assert pointers == [
        ["/initialTasks/1/knownSteps/1/heartbeatTimeoutSeconds"],
        ["/knownSteps/1/heartbeatTimeoutSeconds"],
    ]
