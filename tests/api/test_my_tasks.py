"""Lists of what a user may see: newest first, filtered, searched, page by page (protocol 5)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F

from taskstatus.models import Task, Workflow
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB, MALLORY, Coordinator, coordinator, step_body, task_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def titles(query="", path="/me/tasks", api=None):
    return [item["title"] for item in (api or user_api(ALICE)).get(f"{path}{query}").ok()["items"]]


def share(carol, kind, object_id, principal_type="USER", principal_id=BOB, permission="VIEW"):
    path = f"/{kind}/{object_id}/grants/{principal_type}/{principal_id}"
    carol.api.put(path, {"permission": permission}).ok()


def test_the_newest_update_comes_first(carol):
    first = carol.task(step_body(), title="First")["taskId"]
    carol.task(title="Second")
    assert titles() == ["Second", "First"]
    carol.worker(first)
    assert titles() == ["First", "Second"]


def test_a_page_says_its_epoch_its_moment_and_that_it_is_the_last(carol):
    carol.task()
    page = user_api(ALICE).get("/me/tasks").ok()
    assert page.keys() == {"items", "nextCursor", "epoch", "asOf"}
    assert (page["nextCursor"], page["epoch"], page["items"][0]["version"]) == (None, "1", "1")
    assert abs(datetime.fromisoformat(page["asOf"]) - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.fixture
def library(carol):
    """Tasks that differ in everything a list can be filtered by."""
    papers = carol.workflow(
        task_body(step_body(), title="Read me", taskType="PAPER", productId="p1", batchId="b1"),
        task_body(step_body(), title="Read on", taskType="PAPER", productId="p2"),
    )
    other = carol.workflow(task_body(step_body(failurePolicy="CONTINUE_WITH_WARNING"), title="Note", batchId="b2"))
    child = task_body(title="Child", parentTaskId=papers["tasks"][0]["taskId"])
    carol.api.post(f"/workflows/{papers['workflowId']}/tasks", child).ok()
    carol.worker(papers["tasks"][1]["taskId"]).started()
    carol.worker(other["tasks"][0]["taskId"]).started()
    carol.end(other["tasks"][0]["taskId"])
    Task.objects.filter(title="Read on").update(health="STALE", health_reason="NO_HEARTBEAT")
    return papers, other


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?lifecycleStatus=PENDING", {"Read me", "Child"}),
        ("?lifecycleStatus=RUNNING&lifecycleStatus=SUCCEEDED", {"Read on", "Note"}),
        ("?health=STALE", {"Read on"}),
        ("?health=STALE&health=HEALTHY", {"Read me", "Read on", "Note", "Child"}),
        ("?taskType=PAPER", {"Read me", "Read on"}),
        ("?productId=p1&productId=p2", {"Read me", "Read on"}),
        ("?batchId=b2", {"Note"}),
        ("?taskType=PAPER&lifecycleStatus=RUNNING", {"Read on"}),
        ("?taskType=PAPERS", set()),
        ("?productId=none", set()),
    ],
)
@pytest.mark.usefixtures("library")
def test_a_filter_lets_through_any_of_its_values_and_filters_add_up(query, found):
    assert set(titles(query)) == found


def test_tasks_of_one_workflow_or_one_parent(library):
    papers, other = library
    assert set(titles(f"?workflowId={papers['workflowId']}")) == {"Read me", "Read on", "Child"}
    assert set(titles("", f"/workflows/{papers['workflowId']}/tasks")) == {"Read me", "Read on", "Child"}
    both = f"?workflowId={papers['workflowId']}&workflowId={other['workflowId']}"
    assert len(titles(both)) == 4
    assert titles(f"?parentTaskId={papers['tasks'][0]['taskId']}") == ["Child"]
    nothing = f"/workflows/{other['workflowId']}/tasks?workflowId={papers['workflowId']}"
    assert titles("", nothing) == ["Note"]


def test_only_what_was_updated_after_a_moment(carol):
    carol.task(title="Old")
    Task.objects.update(updated_at=F("updated_at") - timedelta(hours=2))
    carol.task(title="New")
    an_hour_ago = (datetime.now(UTC) - timedelta(hours=1)).isoformat().replace("+", "%2B")
    assert titles(f"?updatedAfter={an_hour_ago}") == ["New"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CONTRACT", ["Contract 50%_off"]),
        ("50%25_o", ["Contract 50%_off"]),
        ("0_o", []),
        ("%25", ["Contract 50%_off"]),
        ("STRASSE", ["Die Straße"]),
        ("%E6%A6%82%E8%A7%88", ["概览"]),
        ("no such", []),
    ],
)
def test_a_search_is_a_literal_part_of_the_title_whatever_the_case(carol, text, found):
    carol.workflow(*[task_body(title=title) for title in ("Contract 50%_off", "Die Straße", "概览")])
    assert titles(f"?q={text}") == found


@pytest.fixture
def seven(carol):
    """Seven tasks of Alice's, three of them updated at the very same moment."""
    carol.workflow(*[task_body(title=f"T{number}") for number in range(7)])
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(7):
        at = moment + timedelta(seconds=0 if number in {2, 3, 4} else number)
        Task.objects.filter(title=f"T{number}").update(updated_at=at)


def pages(path, limit):
    """The items of each page."""
    alice, cursor = user_api(ALICE), ""
    while cursor is not None:
        page = alice.get(f"{path}?limit={limit}{cursor}").ok()
        yield page["items"]
        cursor = f"&cursor={page['nextCursor']}" if page["nextCursor"] else None


@pytest.mark.usefixtures("seven")
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 200])
def test_pages_lose_and_double_nothing_where_moments_are_the_same(limit):
    told = [item["title"] for items in pages("/me/tasks", limit) for item in items]
    assert told == titles()
    assert len(set(told)) == 7


@pytest.mark.usefixtures("seven")
def test_what_moves_while_somebody_reads_moves_nothing_else(carol):
    reading = pages("/me/tasks", 3)
    first = [item["title"] for item in next(reading)]
    moved = Task.objects.exclude(title__in=first).order_by("updated_at", "id").first()
    Task.objects.filter(pk=moved.pk).update(updated_at=datetime.now(UTC))
    carol.task(title="New")
    rest = [item["title"] for items in reading for item in items]
    assert sorted([*first, *rest, moved.title]) == [f"T{number}" for number in range(7)]


@pytest.mark.parametrize("cursor", ["x", "abc.def", "%00", "🙂", "a" * 513])
@pytest.mark.parametrize("path", ["/me/tasks", "/me/workflows"])
def test_a_cursor_that_was_never_given_out_is_refused(path, cursor):
    user_api(ALICE).get(f"{path}?cursor={cursor}").refused(400, "INVALID_FIELD")


@pytest.mark.parametrize("query", ["?limit=0", "?limit=201", "?limit=x", "?lifecycleStatus=ODD", "?page=2", "?q="])
def test_bad_and_unknown_parameters_are_refused(query):
    assert user_api(ALICE).get(f"/me/tasks{query}").status == 400


def test_the_character_that_stands_for_unreadable_bytes_can_be_looked_for(carol):
    carol.task(title="Scan \ufffd")
    found = user_api(ALICE).get("/me/tasks?q=%EF%BF%BD").ok()
    assert [item["title"] for item in found["items"]] == ["Scan \ufffd"]


class TestRights:
    """Owners and those with a grant; nobody else, and unseen is as absent (S04)."""

    def test_a_grant_by_name_project_or_role_shows_a_task(self, carol):
        for title, principal in {
            "By name": ("USER", BOB),
            "By project": ("PROJECT", "p1"),
            "By role": ("ROLE", "editor"),
            "Not at all": ("USER", "somebody"),
        }.items():
            share(carol, "tasks", carol.task(title=title)["taskId"], *principal)
        assert titles(api=user_api(BOB)) == ["By name"]
        whole = user_api(BOB, projects=["p1"], roles=["editor"])
        assert set(titles(api=whole)) == {"By name", "By project", "By role"}
        assert titles(api=user_api(BOB, tenant="umbrella", projects=["p1"], roles=["editor"])) == []

    def test_what_is_owned_and_granted_is_there_once(self, carol):
        share(carol, "tasks", carol.task(title="Both")["taskId"], "USER", ALICE)
        share(carol, "tasks", Task.objects.get().pk, "ROLE", "editor")
        assert titles(api=user_api(ALICE, roles=["editor"])) == ["Both"]

    def test_owned_and_shared_tasks_are_one_list_in_one_order(self, carol):
        for number in range(6):
            owner = ALICE if number % 2 else BOB
            created = carol.workflow(task_body(title=f"T{number}"), ownerId=owner)
            share(carol, "tasks", created["tasks"][0]["taskId"], "USER", ALICE)
        assert titles() == ["T5", "T4", "T3", "T2", "T1", "T0"]
        told = [item["title"] for items in pages("/me/tasks", 2) for item in items]
        assert told == ["T5", "T4", "T3", "T2", "T1", "T0"]

    @pytest.mark.accepts("S04")
    def test_a_stranger_learns_nothing_by_knowing_an_id(self, carol):
        task = carol.task()
        for stranger in (user_api(BOB), user_api(MALLORY), user_api(ALICE, tenant="umbrella")):
            for path in ("", "/events", "/attempts"):
                unseen = stranger.get(f"/tasks/{task['taskId']}{path}").refused(404, "TASK_NOT_FOUND")
                assert unseen == stranger.get(f"/tasks/tsk_none{path}").body
            for path in ("", "/tasks"):
                unseen = stranger.get(f"/workflows/{task['workflowId']}{path}").refused(404, "WORKFLOW_NOT_FOUND")
                assert unseen == stranger.get(f"/workflows/wfl_none{path}").body
            asked = stranger.post("/tasks/status:batchGet", {"taskIds": [task["taskId"], "tsk_none"]}).ok()
            assert (asked["items"], set(asked["removed"])) == ([], {task["taskId"], "tsk_none"})
            assert stranger.get(f"/me/tasks?workflowId={task['workflowId']}").ok()["items"] == []
            assert sum(stranger.get("/me/counts").ok()["lifecycleStatus"].values()) == 0


class TestWorkflows:
    """Each with counts over the tasks that its reader may see, read live."""

    def test_the_newest_update_comes_first_page_by_page(self, carol):
        for number in range(5):
            carol.workflow(title=f"W{number}")
        Workflow.objects.filter(title__in=["W1", "W2", "W3"]).update(updated_at=datetime(2026, 1, 1, tzinfo=UTC))
        told = [item["title"] for items in pages("/me/workflows", 2) for item in items]
        assert told == titles(path="/me/workflows")
        assert (told[:2], sorted(told)) == (["W4", "W0"], [f"W{number}" for number in range(5)])

    def test_counts_follow_the_tasks_at_once_and_no_version(self, carol):
        created = carol.workflow(task_body(step_body()), task_body(step_body(failurePolicy="WAIT_FOR_USER")))
        path = f"/workflows/{created['workflowId']}"
        before = user_api(ALICE).get(path).ok()
        assert (before["taskCount"], before["counts"]["lifecycleStatus"]["PENDING"]) == (2, 2)
        worker = carol.worker(created["tasks"][1]["taskId"])
        worker.started()
        worker.failed()
        after = user_api(ALICE).get(path).ok()
        assert (after["counts"]["lifecycleStatus"]["RUNNING"], after["requiresAction"]) == (1, True)
        assert after["version"] == before["version"]
        assert user_api(ALICE).get("/me/workflows").ok()["items"][0]["counts"] == after["counts"]

    def test_everybody_counts_what_they_may_see(self, carol):
        tasks = [task_body(title="Shared"), task_body(title="Bob's own", ownerId=BOB), task_body(title="Alice's")]
        created = carol.workflow(*tasks)
        path = f"/workflows/{created['workflowId']}"
        share(carol, "workflows", created["workflowId"])
        share(carol, "tasks", created["tasks"][0]["taskId"])
        alice, bob = user_api(ALICE), user_api(BOB)
        assert (alice.get(path).ok()["taskCount"], bob.get(path).ok()["taskCount"]) == (2, 2)
        assert set(titles("", f"{path}/tasks", alice)) == {"Shared", "Alice's"}
        assert set(titles("", f"{path}/tasks", bob)) == {"Shared", "Bob's own"}

    def test_a_grant_shows_the_workflow_and_none_of_its_tasks(self, carol):
        created = carol.workflow(task_body())
        share(carol, "workflows", created["workflowId"], "ROLE", "editor")
        editor = user_api(BOB, roles=["editor"])
        page = editor.get(f"/workflows/{created['workflowId']}").ok()
        assert (page["taskCount"], page["counts"]["lifecycleStatus"]["PENDING"]) == (0, 0)
        assert editor.get(f"/workflows/{created['workflowId']}/tasks").ok()["items"] == []
        assert editor.get("/me/tasks").ok()["items"] == []


def test_numbers_are_those_of_the_whole_list(carol):
    carol.workflow(*[task_body(step_body(), title=f"T{number}") for number in range(3)])
    running = carol.running()
    shared = carol.workflow(task_body(), ownerId=BOB)["tasks"][0]["taskId"]
    share(carol, "tasks", shared, "USER", ALICE)
    carol.workflow(task_body(), ownerId=BOB)
    Task.objects.filter(pk=running.context["taskId"]).update(health="DEGRADED", health_reason="NO_PROGRESS")
    counts = user_api(ALICE).get("/me/counts").ok()
    assert counts["lifecycleStatus"] == {"PENDING": 4, "RUNNING": 1, "SUCCEEDED": 0, "FAILED": 0, "CANCELLED": 0}
    assert counts["health"] == {"HEALTHY": 4, "DEGRADED": 1, "STALE": 0}
    assert (counts["requiresAction"], counts["epoch"]) == (0, "1")
