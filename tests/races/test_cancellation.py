"""Many who ask at the same moment that a task be cancelled, and a task that ends while somebody asks."""

from collections import Counter
from functools import partial

import pytest

from taskstatus.models import AuditEntry, EventDedup, Task, TaskEvent
from tests.support.api import fresh, user_api
from tests.support.cast import ALICE, BOB, coordinator
from tests.support.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H09")]


def test_twenty_wishes_of_two_users_are_one_version_with_one_answer():
    carol = coordinator()
    task_id = carol.running().context["taskId"]
    carol.api.put(f"/tasks/{task_id}/grants/USER/{BOB}", {"permission": "OPERATE"}).ok()
    before = Task.objects.get().version
    users = [user_api(ALICE), user_api(BOB)]
    path = f"/tasks/{task_id}:requestCancel"
    answers = together([partial(users[n % 2].post, path, {"reason": f"Number {n}."}) for n in range(20)])
    assert [answer.ok() for answer in answers] == [answers[0].body] * 20
    task = Task.objects.get()
    assert (task.version, answers[0].body["taskVersion"]) == (before + 1, str(before + 1))
    assert TaskEvent.objects.filter(event_type="TASK_CANCEL_REQUESTED").count() == 1
    assert AuditEntry.objects.filter(action="REQUEST_CANCEL").count() == 1


def test_a_task_that_ends_meanwhile_has_the_wish_before_its_end_or_not_at_all():
    carol, alice = coordinator(), user_api(ALICE)
    tasks = [carol.running().context["taskId"] for _ in range(6)]
    ends = [
        partial(
            carol.api.post,
            "/task-events",
            {"eventId": fresh(), "eventType": "TASK_COMPLETED", "taskId": task_id, "taskAttempt": 1},
        )
        for task_id in tasks
    ]
    wishes = [partial(alice.post, f"/tasks/{task_id}:requestCancel") for task_id in tasks]
    answers = together([call for pair in zip(ends, wishes, strict=True) for call in pair])
    assert all(answer.ok()["accepted"] for answer in answers[::2])
    asked = answers[1::2]
    assert Counter(a.code or a.status for a in asked).keys() <= {200, "TERMINAL_STATE"}
    for task_id, answer in zip(tasks, asked, strict=True):
        kinds = list(TaskEvent.objects.filter(task_id=task_id).order_by("task_version").values_list("event_type"))
        assert kinds[-1] == ("TASK_COMPLETED",)
        assert (("TASK_CANCEL_REQUESTED",) in kinds) == (answer.status == 200)
    assert EventDedup.objects.filter(event_id__startswith="cancel/").count() == sum(a.status == 200 for a in asked)
