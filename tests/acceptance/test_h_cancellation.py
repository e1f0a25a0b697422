"""H09 end to end: a user asks that a task be cancelled, the worker's next beat says so, the coordinator acts."""

from typing import Any

import pytest

from taskstatus.models import AuditEntry, TaskEvent
from tests.support.api import Answer, fresh, user_api
from tests.support.beats import beat, results
from tests.support.cast import ALICE, BOB, MALLORY, Coordinator
from tests.support.projected import messages, notices
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.accepts("H09")

REASON = "Wrong file.\nSorry!"


def ask(task_id: str, user_id: str = ALICE, body: Any = None, **who: Any) -> Answer:
    """Ask that the task be cancelled, as this user."""
    return user_api(user_id, **who).post(f"/tasks/{task_id}:requestCancel", body)


def share(carol: Coordinator, task_id: str, permission: str, kind: str = "USER", principal: str = BOB) -> None:
    """Give somebody a permission on the task."""
    carol.api.put(f"/tasks/{task_id}/grants/{kind}/{principal}", {"permission": permission}).ok()


def test_the_worker_hears_of_it_with_its_next_beat_and_the_coordinator_ends_the_task(carol):
    """The service tells and changes no lifecycle; step and task are cancelled by those whose they are."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    assert results(beat(worker))[0]["cancelRequested"] is False
    ask(task_id, body={"reason": REASON}).ok()
    (item,) = results(beat(worker, 2))
    assert (item["accepted"], item["cancelRequested"], item["superseded"]) == (True, True, False)
    assert carol.detail(task_id)["lifecycleStatus"] == "RUNNING"
    worker.report("STEP_CANCELLED").accepted()
    carol.end(task_id, "TASK_CANCELLED")
    detail = user_api(ALICE).get(f"/tasks/{task_id}").ok()
    assert (detail["lifecycleStatus"], detail["steps"][0]["lifecycleStatus"]) == ("CANCELLED", "CANCELLED")
    assert detail["cancelRequestedAt"] is not None


def test_the_wish_is_one_version_with_one_event_that_says_who_asked_and_not_why(carol):
    """Summary and detail tell of it; the reason stays with the service, for those who look into its audit."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    before = carol.detail(task_id)
    told = ask(task_id, body={"reason": REASON}).ok()
    assert told.keys() == {"taskVersion", "epoch", "cancelRequestedAt"}
    assert (int(told["taskVersion"]), told["epoch"]) == (int(before["version"]) + 1, "1")
    changed = {"cancelRequestedAt": told["cancelRequestedAt"], "version": told["taskVersion"]}
    (summary, detail) = (messages(kind, task_id)[-1] for kind in ("task.summary", "task.detail"))
    for state in (summary["task"], detail["state"], carol.detail(task_id)):
        assert {name: state[name] for name in changed} == changed
        assert (state["lifecycleStatus"], state["businessStatus"]) == ("RUNNING", "RUNNING")
        assert state["updatedAt"] == told["cancelRequestedAt"]
    event = detail["triggerEvent"]
    assert (event["eventType"], event["producerId"]) == ("TASK_CANCEL_REQUESTED", ALICE)
    assert user_api(ALICE).get(f"/tasks/{task_id}/events?afterTaskVersion=3").ok()["items"] == [event]
    assert "Wrong file" not in repr([summary, detail])
    assert notices(task_id) == []


def test_the_audit_knows_who_asked_and_why(carol):
    """It holds the user's id, the task, and the reason."""
    task_id = carol.task()["taskId"]
    ask(task_id, body={"reason": REASON}).ok()
    entry = AuditEntry.objects.get(action="REQUEST_CANCEL")
    assert (entry.tenant_id, entry.authority_scope, entry.actor) == ("acme", None, ALICE)
    assert (entry.outcome, entry.object_id, entry.detail["reason"]) == ("DONE", task_id, REASON)


@pytest.mark.parametrize("body", [None, {}, {"reason": None}, {"reason": "x" * 2000}], ids=lambda b: str(b)[:20])
def test_a_reason_may_be_given_and_need_not(carol, body):
    """Nothing at all, null, and up to 2,000 characters are taken, also while the task waits for its start."""
    assert ask(carol.task()["taskId"], body=body).ok()["taskVersion"] == "2"


def test_asked_again_by_whomever_the_first_answer_comes_again(carol):
    """The same bytes, however much happened meanwhile, and nothing changes."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    share(carol, task_id, "OPERATE")
    first = ask(task_id, body={"reason": REASON}).ok()
    worker.progress()
    with unchanged():
        again = [ask(task_id), ask(task_id, body={"reason": "Other."}), ask(task_id, BOB)]
    assert [answer.ok() for answer in again] == [first] * 3
    assert TaskEvent.objects.filter(event_type="TASK_CANCEL_REQUESTED").count() == 1
    assert AuditEntry.objects.filter(action="REQUEST_CANCEL").count() == 1


def test_the_first_answer_outlives_the_log(carol):
    """Timelines are purged after a time; a task that runs on still gives the same answer."""
    task_id = carol.running().context["taskId"]
    first = ask(task_id).ok()
    TaskEvent.objects.filter(task_id=task_id).delete()
    assert ask(task_id).ok() == first


def test_a_task_that_has_ended_is_not_cancelled_even_when_it_was_asked_before(carol):
    """409 TERMINAL_STATE, in every end."""
    for ending in ("TASK_COMPLETED", "TASK_FAILED", "TASK_CANCELLED"):
        task_id = carol.running().context["taskId"]
        ask(task_id).ok()
        carol.end(task_id, ending)
        with unchanged():
            ask(task_id).refused(409, "TERMINAL_STATE")


def test_a_new_attempt_begins_without_the_wish(carol):
    """It can be asked for again, and that is another version with an answer of its own."""
    worker = carol.running()
    task_id = worker.context["taskId"]
    first = ask(task_id).ok()
    carol.end(task_id, "TASK_CANCELLED")
    carol.api.post(f"/tasks/{task_id}:retry", {"eventId": fresh(), "reason": "It was right after all."}).ok()
    assert carol.detail(task_id)["cancelRequestedAt"] is None
    worker = carol.worker(task_id)
    worker.started()
    assert results(beat(worker))[0]["cancelRequested"] is False
    second = ask(task_id).ok()
    assert int(second["taskVersion"]) > int(first["taskVersion"])
    assert ask(task_id).ok() == second
    assert results(beat(worker, 2))[0]["cancelRequested"] is True


@pytest.mark.accepts("S04")
def test_only_who_may_operate_a_task_can_ask_and_others_learn_no_more_than_they_see(carol):
    """Who sees it only: 403. Who doesn't: 404, as for one that isn't there, in the same words."""
    task_id = carol.task(clientTaskKey="t")["taskId"]
    share(carol, task_id, "VIEW")
    share(carol, task_id, "OPERATE", "ROLE", "editor")
    absent = "tsk_1MC_01K5M6Z3Q8V4N2T7X9R0B1C2D3"
    with unchanged():
        ask(task_id, BOB).refused(403, "PERMISSION_REQUIRED")
        refusals = [
            ask(task_id, MALLORY).refused(404, "TASK_NOT_FOUND"),
            ask(task_id, ALICE, tenant="globex").refused(404, "TASK_NOT_FOUND"),
            ask(task_id, MALLORY, tenant="globex", roles=["editor"]).refused(404, "TASK_NOT_FOUND"),
            ask(absent).refused(404, "TASK_NOT_FOUND"),
        ]
    assert [refusal == refusals[0] for refusal in refusals] == [True] * 4
    ask(task_id, BOB, roles=["editor"]).ok()


def test_a_workflows_owner_does_not_by_that_cancel_its_tasks(carol):
    """Bob's task in Alice's workflow is Bob's."""
    created = carol.workflow({"clientTaskKey": "t", "title": "Bob's", "ownerId": BOB})
    task_id = created["tasks"][0]["taskId"]
    ask(task_id, ALICE).refused(404, "TASK_NOT_FOUND")
    ask(task_id, BOB).ok()


@pytest.mark.accepts("S07")
def test_who_oversteps_is_audited_by_their_own_name(carol):
    """A user is named as such, and bound by no scope."""
    task_id = carol.task()["taskId"]
    share(carol, task_id, "VIEW")
    ask(task_id, BOB, body={"reason": "my secret"}).refused(403, "PERMISSION_REQUIRED")
    entry = AuditEntry.objects.get(actor=BOB)
    assert (entry.tenant_id, entry.authority_scope, entry.outcome) == ("acme", None, "PERMISSION_REQUIRED")
    assert "my secret" not in repr(vars(entry))


def test_no_service_can_take_the_place_of_the_answer(carol):
    """Whatever ids events have had, a user's wish is noted; and no path for receipts leads to its answer."""
    task_id = carol.task()["taskId"]
    key = f"cancel/{task_id}/1"
    carol.report("TASK_STATUS_CHANGED", task_id, eventId=key, businessStatus="RUNNING").refused(400, "INVALID_FIELD")
    ask(task_id).ok()
    for spelled in (key, key.replace("/", "%2F")):
        assert carol.api.get(f"/events/{spelled}").status == 404
