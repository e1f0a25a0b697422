"""How many statements each read of the users' API sends, however much there is to read; each budget lists them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.api import user_api
from tests.support.cast import ALICE, BOB, coordinator, step_body, task_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("definitions_at_hand")]

TASKS = 12


@pytest.fixture
def places():
    """Two workflows with tasks of two steps each, half of them Bob's and shared with Alice; the ids to ask for."""
    carol = coordinator()
    shared = [{"principalType": "USER", "principalId": ALICE, "permission": "VIEW"}]
    refs = [{"refType": "ORDER", "refValue": "17"}]
    owned = [task_body(step_body(), step_body("s2"), externalRefs=refs if not n else []) for n in range(TASKS)]
    created = carol.workflow(*owned)
    others = carol.workflow(*[task_body(step_body(), ownerId=BOB, sharedWith=shared) for _ in range(TASKS)])
    task_id = created["tasks"][0]["taskId"]
    worker = carol.worker(task_id)
    worker.started()
    worker.completed()
    everyone = [task["taskId"] for task in [*created["tasks"], *others["tasks"]]]
    return {"workflow": created["workflowId"], "task": task_id, "tasks": everyone}


# Steps are read after their tasks; the tasks' versions are read again, so that both are of one moment.
# A list: the owned tasks, the shared tasks, the steps of the page with their leases, the versions, the clock and epoch.
# A page of a workflow's tasks asks first whether the workflow may be seen.
LIST = 5
# The workflows of the page, the counts of all of them, the clock.
WORKFLOWS = 3
BUDGETS = {
    "/me/tasks": LIST,
    "/me/tasks?limit=200&q=parse&lifecycleStatus=PENDING&health=HEALTHY": LIST,
    "/workflows/{workflow}/tasks": LIST + 1,
    "/me/workflows": WORKFLOWS,
    # The workflow with clock and epoch, its counts.
    "/workflows/{workflow}": 2,
    # The groups of visible tasks, the clock.
    "/me/counts": 2,
    # The task with clock and epoch, its steps with their leases, the version; an owner's permissions cost nothing.
    "/tasks/{task}": 3,
    # The task, the oldest event kept, the page.
    "/tasks/{task}/events": 3,
    # The task, all of its steps with their leases.
    "/tasks/{task}/attempts": 2,
    # The number, the task.
    "/tasks:lookup?refType=ORDER&refValue=17&authorityScope=content-platform": 2,
}


def statements(call):
    """The beginnings of the statements that an accepted request sends."""
    with CaptureQueriesContext(connection) as captured:
        call().ok()
    return [query["sql"][:90] for query in captured]


@pytest.mark.parametrize("path", BUDGETS)
def test_a_read(places, path):
    alice = user_api(ALICE)
    sent = statements(lambda: alice.get(path.format(**places)))
    assert len(sent) <= BUDGETS[path], sent


# The clock, the named tasks that may be seen, the steps of those that are newer, the versions.
def test_a_batch_get_of_many_tasks(places):
    alice = user_api(ALICE)
    sent = statements(lambda: alice.post("/tasks/status:batchGet", {"taskIds": places["tasks"]}))
    assert len(sent) <= 4, sent


# The same, without steps and versions.
def test_a_batch_get_that_finds_nothing_new(places):
    alice = user_api(ALICE)
    known = {"knownVersions": dict.fromkeys(places["tasks"], "9"), "epoch": "1"}
    sent = statements(lambda: alice.post("/tasks/status:batchGet", {"taskIds": places["tasks"], **known}))
    assert len(sent) <= 2, sent


# A session: the epoch. A subscription token: the right, then the place: the clock, the holder's places, the new one.
@pytest.mark.parametrize(("path", "budget"), [("/realtime/session", 1), ("/realtime/subscription-token", 4)])
def test_realtime(places, path, budget):
    alice = user_api(ALICE)
    if path == "/realtime/session":
        sent = statements(lambda: alice.get(path))
    else:
        sent = statements(lambda: alice.post(path, {"taskId": places["task"]}))
    assert len(sent) <= budget, sent


# begin; the tasks that may be seen; the clock; delete the old set; insert the new one; commit.
def test_a_watch_set(places):
    alice = user_api(ALICE)
    sent = statements(lambda: alice.put("/me/task-watch-set", {"taskIds": places["tasks"][:20]}))
    assert len(sent) <= 6, sent
