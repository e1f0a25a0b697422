"""One task, or some named ones, as a user reads them: detail with its tag, attempts, batchGet, lookup (protocol 5)."""

import pytest

from taskstatus.services.raise_epoch import raise_epoch
from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, BOB, Coordinator, coordinator, step_body
from tests.support.projected import messages
from tests.support.screen import UNVERSIONED

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


@pytest.fixture
def worker(carol):
    return carol.running(title="Read")


def read(worker, **headers):
    path = f"/tasks/{worker.context['taskId']}"
    return user_api(ALICE).get(path, headers={name.replace("_", "-"): text for name, text in headers.items()})


class TestDetail:
    """The detail of a task."""

    def test_it_is_what_was_pushed_with_the_readers_permissions(self, worker):
        pushed = messages("task.detail", worker.context["taskId"])[-1]["state"]
        detail = read(worker).ok()
        assert plain(detail) == plain(pushed)
        assert (pushed["permissions"], detail["permissions"]) == (None, ["VIEW", "OPERATE", "ADMIN"])

    @pytest.mark.parametrize(
        ("granted", "seen"),
        [("VIEW", ["VIEW"]), ("OPERATE", ["VIEW", "OPERATE"]), ("ADMIN", ["VIEW", "OPERATE", "ADMIN"])],
    )
    def test_a_grant_says_what_its_reader_may_do(self, carol, worker, granted, seen):
        task_id = worker.context["taskId"]
        carol.api.put(f"/tasks/{task_id}/grants/USER/{BOB}", {"permission": granted}).ok()
        carol.api.put(f"/tasks/{task_id}/grants/ROLE/editor", {"permission": "VIEW"}).ok()
        bob = user_api(BOB, roles=["editor"])
        assert bob.get(f"/tasks/{task_id}").ok()["permissions"] == seen

    def test_its_tag_is_the_epoch_and_the_version(self, worker):
        assert read(worker).headers["ETag"] == '"task-version-1.3"'
        worker.completed()
        assert read(worker).headers["ETag"] == '"task-version-1.4"'

    def test_who_has_this_very_version_is_told_no_more_than_that(self, worker):
        tag = read(worker).headers["ETag"]
        same = read(worker, If_None_Match=tag)
        assert (same.status, same.body, same.headers["ETag"]) == (304, None, tag)
        worker.completed()
        assert read(worker, If_None_Match=tag).ok()["version"] == "4"

    def test_a_tag_of_an_older_epoch_is_worth_nothing(self, worker):
        tag = read(worker).headers["ETag"]
        raise_epoch()
        answer = read(worker, If_None_Match=tag)
        assert (answer.status, answer.headers["ETag"]) == (200, '"task-version-2.3"')


def plain(state):
    """A state without what no version names."""
    if isinstance(state, dict):
        return {name: plain(inner) for name, inner in state.items() if name not in UNVERSIONED}
    return [plain(inner) for inner in state] if isinstance(state, list) else state


class TestAttempts:
    """Every attempt of every step stays readable."""

    def test_each_attempt_of_the_task_has_those_of_its_steps(self, carol):
        task_id = carol.task(step_body("s1"), step_body("s2"))["taskId"]
        first = carol.worker(task_id)
        first.started()
        first.failed(retryable=True, code="FIRST")
        again = carol.worker(task_id)
        again.started()
        again.failed(code="SECOND")
        carol.end(task_id, "TASK_FAILED")
        carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "again"}).ok()
        answer = user_api(ALICE).get(f"/tasks/{task_id}/attempts").ok()
        told = [
            (item["taskAttempt"], [(step["stepId"], step["attempt"]) for step in item["steps"]])
            for item in answer["items"]
        ]
        assert told == [(1, [("s1", 1), ("s1", 2), ("s2", 1)]), (2, [("s1", 1), ("s2", 1)])]
        errors = [step["error"] and step["error"]["code"] for step in answer["items"][0]["steps"]]
        assert (errors, answer["epoch"]) == (["FIRST", "SECOND", None], "1")
        assert answer["items"][1]["steps"][0]["executionId"] is None


class TestBatchGet:
    """Snapshots of named tasks, only what is newer."""

    def ask(self, *task_ids, **members):
        return user_api(ALICE).post("/tasks/status:batchGet", {"taskIds": list(task_ids), **members})

    def test_what_the_reader_has_is_left_out_and_what_is_newer_comes(self, carol, worker):
        task_id, other = worker.context["taskId"], carol.task()["taskId"]
        answer = self.ask(task_id, other, knownVersions={task_id: "2", other: "1"}, epoch="1").ok()
        assert [(item["taskId"], item["taskVersion"]) for item in answer["items"]] == [(task_id, "3")]
        assert (answer["removed"], answer["kind"], answer["schemaVersion"]) == ([], "task.summary.batch", 1)
        summary = messages("task.summary", task_id)[-1]["task"]
        assert plain(answer["items"][0]["task"]) == plain(summary)

    def test_without_known_versions_all_come(self, carol, worker):
        other = carol.task()["taskId"]
        answer = self.ask(worker.context["taskId"], other).ok()
        assert {item["taskId"] for item in answer["items"]} == {worker.context["taskId"], other}

    def test_versions_of_another_epoch_count_as_unknown(self, worker):
        task_id = worker.context["taskId"]
        raise_epoch()
        known = {"knownVersions": {task_id: "999"}}
        assert len(self.ask(task_id, **known, epoch="1").ok()["items"]) == 1
        assert self.ask(task_id, **known, epoch="2").ok()["items"] == []

    def test_unseen_and_absent_ones_are_removed(self, carol, worker):
        unseen = carol.workflow({"clientTaskKey": "t", "title": "T"}, ownerId=BOB)["tasks"][0]["taskId"]
        answer = self.ask(worker.context["taskId"], unseen, "tsk_none").ok()
        assert answer["removed"] == sorted([unseen, "tsk_none"])
        assert len(answer["items"]) == 1

    @pytest.mark.parametrize(
        "body",
        [
            {"taskIds": []},
            {"taskIds": ["t"] * 201},
            {"taskIds": ["t"], "knownVersions": {"t": "x"}},
            {"taskIds": ["t"], "knownVersions": {"t": 1}},
            {"taskIds": ["t"], "epoch": "-1"},
        ],
    )
    def test_what_is_no_question_is_refused(self, body):
        user_api(ALICE).post("/tasks/status:batchGet", body).refused(400, "INVALID_FIELD")


class TestLookUp:
    """Finding a task by the number that another system has for it."""

    @pytest.fixture
    def task(self, carol):
        task = carol.task()
        carol.api.put(f"/tasks/{task['taskId']}/external-refs/ORDER/17").ok()
        return task

    def find(self, user=ALICE, **members):
        query = {"refType": "ORDER", "refValue": "17", "authorityScope": "content-platform", **members}
        return user_api(user).get("/tasks:lookup?" + "&".join(f"{name}={text}" for name, text in query.items()))

    def test_it_names_task_and_workflow(self, task):
        assert self.find().ok() == {"taskId": task["taskId"], "workflowId": task["workflowId"], "epoch": "1"}

    @pytest.mark.usefixtures("task")
    @pytest.mark.parametrize("members", [{"refValue": "18"}, {"refType": "order"}, {"authorityScope": "other"}])
    def test_another_number_kind_or_scope_finds_nothing(self, members):
        self.find(**members).refused(404, "TASK_NOT_FOUND")

    @pytest.mark.accepts("S04")
    @pytest.mark.usefixtures("task")
    def test_who_may_not_see_the_task_does_not_find_it(self):
        unseen = self.find(BOB).refused(404, "TASK_NOT_FOUND")
        assert unseen == self.find(BOB, refValue="18").body
