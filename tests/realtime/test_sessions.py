"""A realtime session is given to verified users alone, and says exactly what they may hear (S01, S03, S06)."""

import json
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from django.contrib.auth import get_user_model

from realtime.endpoints import centrifugo_endpoints
from taskstatus.models import UserProfile
from tests.support.api import Api, service_api, user_api
from tests.support.cast import ALICE

pytestmark = pytest.mark.django_db
SESSION = "/realtime/session"
CONNECTION_KEY, SUBSCRIPTION_KEY, API_KEY = "connection-" * 4, "subscription-" * 4, "api-key-" * 4


@pytest.fixture
def over_centrifugo(settings):
    settings.REALTIME_TRANSPORT = "centrifugo"
    settings.CENTRIFUGO_PUBLIC_URL = "wss://rt.example.com/connection/websocket"
    settings.CENTRIFUGO_TOKEN_SECRET = CONNECTION_KEY
    settings.CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET = SUBSCRIPTION_KEY
    settings.CENTRIFUGO_API_KEY = API_KEY


def claims(session):
    return jwt.decode(session["token"], CONNECTION_KEY, ["HS256"], audience="task-realtime")


def test_it_names_the_channels_the_limits_and_the_way(settings):
    settings.MAX_DETAIL_SUBSCRIPTIONS, settings.MAX_WATCHED_TASKS = 7, 9
    session = user_api(ALICE, projects=["p2", "p1"]).get(SESSION).ok()
    assert session["channels"] == {
        "user": "task_user:acme/alice",
        "tenant": "task_tenant:acme",
        "system": "task_system:public",
        "projects": ["task_project:acme/p1", "task_project:acme/p2"],
    }
    assert session["limits"] == {"maxDetailSubscriptions": 7, "maxWatchedTasks": 9}
    assert (session["epoch"], session["transport"]) == ("1", "sse")
    assert session["endpoints"] == {"stream": "/api/v1/me/task-stream"}


@pytest.mark.accepts("S01")
def test_the_token_is_of_this_user_subscribes_exactly_those_channels_and_lives_minutes(over_centrifugo):
    session = user_api(ALICE, projects=["p1"]).get(SESSION).ok()
    token = claims(session)
    channels = session["channels"]
    assert token["sub"] == "acme/alice"
    assert token["channels"] == [channels["user"], channels["tenant"], channels["system"], *channels["projects"]]
    assert token["iss"] == "task-status-service"
    assert "channel" not in token
    ends = datetime.fromtimestamp(token["exp"], UTC)
    assert timedelta(0) < ends - datetime.now(UTC) <= timedelta(minutes=10)
    assert datetime.fromisoformat(session["expiresAt"]) == ends


@pytest.mark.accepts("S01")
def test_nobody_else_gets_one():
    Api(None, "/api/v1").get(SESSION).refused(401, "TOKEN_MISSING")
    Api("no.real.token", "/api/v1").get(SESSION).refused(401, "TOKEN_INVALID")
    worker = service_api("worker-a", "worker")
    Api(worker.token, "/api/v1").get(SESSION).refused(401, "TOKEN_INVALID")


@pytest.mark.accepts("S01")
def test_a_login_here_gets_one_for_its_profile_and_none_without(client, over_centrifugo):
    account = get_user_model().objects.create_user("al")
    client.force_login(account)
    api = Api(None, "/api/v1", client)
    api.get(SESSION).refused(403, "PERMISSION_REQUIRED")
    UserProfile.objects.create(account=account, tenant_id="acme", user_id=ALICE, projects=["p1"])
    session = api.get(SESSION).ok()
    assert session["channels"]["user"] == "task_user:acme/alice"
    assert client.session.session_key not in json.dumps(claims(session))


@pytest.mark.accepts("S03")
@pytest.mark.parametrize("asked", ["?channel=task_user:acme/bob", "?tenantId=umbrella", "?userId=bob", "?channels=x"])
def test_a_browser_cannot_ask_for_another_channel_tenant_or_user(asked):
    user_api(ALICE).get(SESSION + asked).refused(400, "UNKNOWN_FIELD")


@pytest.mark.accepts("S06")
def test_no_key_is_in_any_answer(over_centrifugo, caplog):
    alice = user_api(ALICE)
    bodies = [alice.get(SESSION).body, alice.post("/realtime/subscription-token", {"taskId": "tsk_none"}).body]
    bodies.append(Api(None, "/internal/v1").post("/centrifugo/sub-refresh", {}, headers={"X-API-Key": "wrong"}).body)
    told = json.dumps(bodies) + caplog.text
    assert not [key for key in (CONNECTION_KEY, SUBSCRIPTION_KEY, API_KEY) if key in told]


@pytest.mark.parametrize(
    ("public_url", "root"),
    [
        ("wss://rt.example.com/connection/websocket", "https://rt.example.com"),
        ("https://rt.example.com", "https://rt.example.com"),
        ("ws://127.0.0.1:8001/connection/websocket", "http://127.0.0.1:8001"),
        ("https://example.com/rt/", "https://example.com/rt"),
    ],
)
def test_every_transport_of_centrifugo_is_found_from_its_address(public_url, root):
    assert centrifugo_endpoints(public_url) == {
        "websocket": root.replace("http", "ws", 1) + "/connection/websocket",
        "httpStream": root + "/connection/http_stream",
        "sse": root + "/connection/sse",
        "emulation": root + "/emulation",
    }


def test_the_native_stream_is_offered_beside_centrifugo(over_centrifugo):
    endpoints = user_api(ALICE).get(SESSION).ok()["endpoints"]
    assert list(endpoints) == ["stream", "websocket", "httpStream", "sse", "emulation"]
