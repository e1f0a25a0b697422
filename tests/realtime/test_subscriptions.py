"""A subscription needs the right to its task each time, is counted on the server, and lives minutes (S02, S04, S08)."""

from datetime import UTC, datetime, timedelta

import jwt
import pytest

from realtime.models import Seat
from taskstatus.models import TaskGrant, WorkflowGrant
from tests.support.api import Api, user_api
from tests.support.cast import ALICE, BOB, MALLORY, coordinator

pytestmark = pytest.mark.django_db
ASK, KEY = "/realtime/subscription-token", "subscription-" * 4


@pytest.fixture(autouse=True)
def keys(settings):
    settings.CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET, settings.CENTRIFUGO_API_KEY = KEY, "api-key-" * 4


@pytest.fixture
def task():
    return coordinator().task()


def share(task_id, **principal):
    TaskGrant.objects.create(
        task_id=task_id, permission="VIEW", granted_by="carol", created_at=datetime.now(UTC), **principal
    )


def test_the_token_is_for_this_user_and_this_channel(task):
    answer = user_api(ALICE).post(ASK, {"taskId": task["taskId"]}).ok()
    token = jwt.decode(answer["token"], KEY, ["HS256"], audience="task-realtime-sub")
    assert answer["channel"] == token["channel"] == f"task_detail:acme/{task['taskId']}"
    assert (token["sub"], token["iss"]) == ("acme/alice", "task-status-service")
    ends = datetime.fromtimestamp(token["exp"], UTC)
    assert timedelta(0) < ends - datetime.now(UTC) <= timedelta(minutes=5)
    assert datetime.fromisoformat(answer["expiresAt"]) == ends


def test_a_workflow_has_a_channel_of_its_own(task):
    answer = user_api(ALICE).post(ASK, {"workflowId": task["workflowId"]}).ok()
    assert answer["channel"] == f"workflow_summary:acme/{task['workflowId']}"


@pytest.mark.accepts("S02")
@pytest.mark.accepts("S04")
def test_unseen_and_absent_answer_alike(task):
    for stranger in (user_api(BOB), user_api(MALLORY), user_api(ALICE, tenant="umbrella")):
        unseen = stranger.post(ASK, {"taskId": task["taskId"]}).refused(404, "TASK_NOT_FOUND")
        assert unseen == stranger.post(ASK, {"taskId": "tsk_none"}).body
        hidden = stranger.post(ASK, {"workflowId": task["workflowId"]}).refused(404, "WORKFLOW_NOT_FOUND")
        assert hidden == stranger.post(ASK, {"workflowId": "wfl_none"}).body
    assert not Seat.objects.exists()


@pytest.mark.accepts("S02")
def test_a_right_that_was_taken_away_gives_no_further_token(task):
    share(task["taskId"], principal_type="PROJECT", principal_id="p1")
    member, outsider = user_api(BOB, projects=["p1"]), user_api(BOB, projects=["p2"])
    member.post(ASK, {"taskId": task["taskId"]}).ok()
    outsider.post(ASK, {"taskId": task["taskId"]}).refused(404, "TASK_NOT_FOUND")
    TaskGrant.objects.update(revoked_at=datetime.now(UTC))
    member.post(ASK, {"taskId": task["taskId"]}).refused(404, "TASK_NOT_FOUND")


@pytest.mark.accepts("S11")
def test_a_shared_workflow_opens_none_of_its_tasks(task):
    WorkflowGrant.objects.create(
        workflow_id=task["workflowId"],
        permission="VIEW",
        granted_by="carol",
        created_at=datetime.now(UTC),
        principal_type="USER",
        principal_id=BOB,
    )
    bob = user_api(BOB)
    bob.post(ASK, {"workflowId": task["workflowId"]}).ok()
    bob.post(ASK, {"taskId": task["taskId"]}).refused(404, "TASK_NOT_FOUND")


@pytest.mark.accepts("S03")
@pytest.mark.parametrize(
    "more", [{"channel": "task_user:acme/bob"}, {"tenantId": "umbrella"}, {"userId": "bob"}, {"sub": "acme/bob"}]
)
def test_a_browser_cannot_name_a_channel_a_tenant_or_a_user(task, more):
    user_api(ALICE).post(ASK, {"taskId": task["taskId"], **more}).refused(400, "UNKNOWN_FIELD")


@pytest.mark.parametrize("body", [{}, {"taskId": "a", "workflowId": "b"}, {"taskId": None}, {"taskId": 5}])
def test_exactly_one_thing_is_asked_for(body):
    user_api(ALICE).post(ASK, body).refused(400, "INVALID_FIELD")


@pytest.mark.accepts("S08")
def test_a_session_has_no_more_than_its_limit_and_another_has_its_own(settings):
    settings.MAX_DETAIL_SUBSCRIPTIONS = 2
    carol, alice = coordinator(), user_api(ALICE)
    workflow = carol.workflow(*[{"clientTaskKey": f"t{n}", "title": "T"} for n in range(3)])
    asked = [alice.post(ASK, {"taskId": task["taskId"]}) for task in workflow["tasks"]]
    assert [answer.status for answer in asked] == [200, 200, 429]
    asked[2].refused(429, "DETAIL_SUBSCRIPTION_LIMIT")
    assert asked[2].body["retryable"] is False
    third = {"taskId": workflow["tasks"][2]["taskId"]}
    user_api(ALICE, projects=["another-token"]).post(ASK, third).ok()
    alice.post(ASK, {"taskId": workflow["tasks"][0]["taskId"]}).ok()
    alice.post(ASK, {"workflowId": workflow["workflowId"]}).ok()
    alice.post(ASK, third).refused(429, "DETAIL_SUBSCRIPTION_LIMIT")
    user_api(BOB).call("DELETE", f"/realtime/subscriptions/{asked[0].body['lease']}")
    alice.post(ASK, third).refused(429, "DETAIL_SUBSCRIPTION_LIMIT")
    assert alice.call("DELETE", f"/realtime/subscriptions/{asked[0].body['lease']}").status == 204
    alice.post(ASK, third).ok()


@pytest.mark.accepts("S08")
def test_a_lapsed_lease_frees_its_place(settings, task):
    settings.MAX_DETAIL_SUBSCRIPTIONS = 1
    other = coordinator().task()
    alice = user_api(ALICE)
    alice.post(ASK, {"taskId": task["taskId"]}).ok()
    alice.post(ASK, {"taskId": other["taskId"]}).refused(429, "DETAIL_SUBSCRIPTION_LIMIT")
    Seat.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    alice.post(ASK, {"taskId": other["taskId"]}).ok()


class TestRenewal:
    """What Centrifugo asks about a subscription that lives on."""

    PATH = "/centrifugo/sub-refresh"

    def ask(self, question, key="api-key-" * 4):
        headers = {} if key is None else {"X-API-Key": key}
        return Api(None, "/internal/v1").post(self.PATH, question, headers=headers)

    def question(self, alice, task, **members):
        answer = alice.post(ASK, {"taskId": task["taskId"]}).ok()
        session = alice.get("/realtime/session").ok()["token"]
        meta = jwt.decode(session, options={"verify_signature": False})["meta"]
        return {"user": "acme/alice", "channel": answer["channel"], "meta": meta, "client": "c1", **members}

    @pytest.mark.parametrize(("key", "code"), [(None, "TOKEN_MISSING"), ("wrong", "TOKEN_INVALID")])
    def test_only_centrifugo_may_ask(self, task, key, code):
        self.ask(self.question(user_api(ALICE), task), key).refused(401, code)

    def test_no_key_opens_it_where_none_is_set(self, settings):
        settings.CENTRIFUGO_API_KEY = ""
        self.ask({"user": "acme/alice"}, "x").refused(401, "TOKEN_INVALID")

    @pytest.mark.accepts("S08")
    def test_it_goes_on_for_minutes_and_keeps_its_lease(self, task):
        question = self.question(user_api(ALICE), task)
        Seat.objects.update(expires_at=datetime.now(UTC) + timedelta(seconds=5))
        until = self.ask(question).ok()["result"]["expire_at"]
        assert 0 < until - datetime.now(UTC).timestamp() <= 300
        assert Seat.objects.get().expires_at > datetime.now(UTC) + timedelta(minutes=5)

    @pytest.mark.accepts("S02")
    def test_it_ends_with_the_right(self, task):
        share(task["taskId"], principal_type="ROLE", principal_id="editor")
        bob = user_api(BOB, roles=["editor"])
        question = self.question(bob, task, user="acme/bob")
        assert "expire_at" in self.ask(question).ok()["result"]
        TaskGrant.objects.update(revoked_at=datetime.now(UTC))
        assert self.ask(question).ok()["result"] == {"expired": True}

    @pytest.mark.accepts("S08")
    def test_it_ends_where_the_place_was_given_to_another(self, task, settings):
        settings.MAX_DETAIL_SUBSCRIPTIONS = 1
        alice, other = user_api(ALICE), coordinator().task()
        question = self.question(alice, task)
        lease = alice.post(ASK, {"taskId": task["taskId"]}).ok()["lease"]
        alice.call("DELETE", f"/realtime/subscriptions/{lease}")
        alice.post(ASK, {"taskId": other["taskId"]}).ok()
        assert self.ask(question).ok()["result"] == {"expired": True}

    @pytest.mark.parametrize(
        "members",
        [
            {"user": "acme/bob"},
            {"user": "umbrella/alice"},
            {"channel": "task_user:acme/alice"},
            {"channel": "task_detail:umbrella/tsk_1"},
            {"channel": ""},
            {"meta": None},
            {"meta": {}},
            {"meta": "x"},
        ],
    )
    def test_what_was_never_allowed_does_not_go_on(self, task, members):
        question = self.question(user_api(ALICE), task)
        assert self.ask({**question, **members}).ok()["result"] == {"expired": True}
