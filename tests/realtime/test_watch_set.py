"""A watch set holds only what its user may see, is one session's own, and neither grows nor stays for ever (R13)."""

from datetime import UTC, datetime, timedelta

import pytest

from realtime.models import WatchedTask
from taskstatus.models import TaskGrant
from tests.realtime.streaming import in_loop, in_thread, listening
from tests.support.api import user_api
from tests.support.cast import ALICE, BOB, coordinator, step_body

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("R13")]
SET = "/me/task-watch-set"


@pytest.fixture
def tasks():
    return [coordinator().task(step_body())["taskId"] for _ in range(3)]


def watch(api, *task_ids):
    return api.put(SET, {"taskIds": list(task_ids)})


def test_it_is_kept_for_some_minutes_and_replaced_as_a_whole(tasks, settings):
    settings.WATCH_SET_TTL = timedelta(minutes=3)
    alice = user_api(ALICE)
    assert alice.get(SET).ok() == {"taskIds": [], "expiresAt": None}
    put = watch(alice, tasks[1], tasks[0], tasks[1]).ok()
    assert put["taskIds"] == [tasks[1], tasks[0]]
    assert timedelta(minutes=2) < datetime.fromisoformat(put["expiresAt"]) - datetime.now(UTC) < timedelta(minutes=4)
    assert alice.get(SET).ok() == put
    assert watch(alice, tasks[2]).ok()["taskIds"] == alice.get(SET).ok()["taskIds"] == [tasks[2]]
    assert watch(alice).ok() == {"taskIds": [], "expiresAt": None}


def test_one_task_that_is_unseen_or_absent_refuses_the_whole_set(tasks):
    bob = user_api(BOB)
    TaskGrant.objects.create(
        task_id=tasks[0],
        permission="VIEW",
        granted_by="carol",
        created_at=datetime.now(UTC),
        principal_type="USER",
        principal_id=BOB,
    )
    watch(bob, tasks[0]).ok()
    unseen = watch(bob, tasks[0], tasks[1]).refused(404, "TASK_NOT_FOUND")
    assert watch(bob, tasks[0], "tsk_none").body == unseen
    assert bob.get(SET).ok()["taskIds"] == [tasks[0]]


def test_it_belongs_to_one_session_of_one_user(tasks):
    watch(user_api(ALICE), tasks[0]).ok()
    assert user_api(ALICE, roles=["another-token"]).get(SET).ok()["taskIds"] == []
    assert user_api(BOB).get(SET).ok()["taskIds"] == []


def test_it_is_limited(tasks, settings):
    settings.MAX_WATCHED_TASKS = 2
    alice = user_api(ALICE)
    watch(alice, *tasks[:2]).ok()
    watch(alice, *tasks).refused(429, "WATCH_SET_LIMIT")
    watch(alice, "tsk_1", "tsk_2", "tsk_3").refused(429, "WATCH_SET_LIMIT")
    assert alice.get(SET).ok()["taskIds"] == tasks[:2]


def test_it_lapses(tasks):
    alice = user_api(ALICE)
    watch(alice, tasks[0]).ok()
    WatchedTask.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert alice.get(SET).ok() == {"taskIds": [], "expiresAt": None}


@pytest.mark.parametrize(
    "body", [{}, {"taskIds": "x"}, {"taskIds": [5]}, {"taskIds": ["a b"]}, {"taskIds": ["x"] * 1_001}]
)
def test_a_body_that_is_no_set_is_refused(body):
    user_api(ALICE).put(SET, body).refused(400, "INVALID_FIELD")


class TestOnTheStream:
    """What the stream of a session carries of what it watches."""

    def test_details_of_watched_tasks_and_of_no_others_from_the_moment_of_the_answer(self, tasks):
        carol = coordinator()

        async def story(streams):
            alice = user_api(ALICE)
            async with listening(streams, alice) as stream:
                await in_thread(carol.worker, tasks[0])
                assert (await stream.event("message")).body["kind"] == "task.summary"
                await in_thread(watch, alice, tasks[1])
                await in_thread(carol.worker, tasks[1])
                kinds = {(body["kind"], body["taskId"]) for body in await stream.messages(2)}
                assert kinds == {("task.summary", tasks[1]), ("task.detail", tasks[1])}
                await in_thread(watch, alice)
                await in_thread(carol.end, tasks[1])
                await in_thread(carol.end, tasks[2])
                kinds = [(body["kind"], body["taskId"]) for body in await stream.messages(2)]
                assert kinds == [("task.summary", tasks[1]), ("task.summary", tasks[2])]

        in_loop(story)

    def test_a_right_that_is_lost_ends_the_details_at_once(self, tasks):
        carol, bob = coordinator(), user_api(BOB)
        TaskGrant.objects.create(
            task_id=tasks[0],
            permission="VIEW",
            granted_by="carol",
            created_at=datetime.now(UTC),
            principal_type="USER",
            principal_id=BOB,
        )
        watch(bob, tasks[0]).ok()

        async def story(streams):
            async with listening(streams, bob) as stream:
                await in_thread(carol.worker, tasks[0])
                assert (await stream.event("message")).body["kind"] == "task.detail"
                await in_thread(lambda: TaskGrant.objects.update(revoked_at=datetime.now(UTC)))
                await in_thread(carol.end, tasks[0])
                await in_thread(lambda: carol.workflow(ownerId=BOB))
                assert (await stream.event("message")).body["kind"] == "workflow.summary"

        in_loop(story)

    def test_what_was_missed_of_them_is_sent_to_one_who_comes_back(self, tasks):
        carol, alice = coordinator(), user_api(ALICE)
        watch(alice, tasks[0]).ok()

        async def story(streams):
            async with listening(streams, alice) as stream:
                last = (await stream.event("heartbeat")).id
            await in_thread(carol.worker, tasks[0])
            async with listening(streams, alice, last) as stream:
                kinds = {body["kind"] for body in await stream.messages(2)}
                assert kinds == {"task.summary", "task.detail"}

        in_loop(story)
