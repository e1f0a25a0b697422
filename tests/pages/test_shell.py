"""The shells of the pages: who gets which, and what a page may do."""

import json
import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from taskstatus.models import UserProfile

pytestmark = pytest.mark.django_db
PATHS = ["/", "/tasks/tsk_000_00000000000000000000000000"]


@pytest.fixture
def alice():
    user = User.objects.create_user("alice", password="correct horse")
    UserProfile.objects.create(account=user, tenant_id="acme")
    return user


@pytest.fixture
def browser(alice):
    client = Client()
    client.force_login(alice)
    return client


def settings_of(response):
    text = response.content.decode()
    return json.loads(re.search(r'<script id="page-settings" type="application/json">(.*?)</script>', text)[1])


@pytest.mark.parametrize("path", PATHS)
def test_who_is_not_logged_in_is_sent_to_the_login_and_back(client, path):
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (302, f"/login?next={path}")


def test_the_login_leads_to_the_board(client, alice):
    response = client.post("/login", {"username": "alice", "password": "correct horse"})
    assert (response.status_code, response["Location"]) == (302, "/")


def test_a_wrong_password_is_said_and_not_repeated(client, alice):
    text = client.post("/login", {"username": "alice", "password": "wrong-secret"}).content.decode()
    assert 'role="alert"' in text
    assert "wrong-secret" not in text


def test_the_login_leads_to_no_other_host(client, alice):
    credentials = {"username": "alice", "password": "correct horse", "next": "https://evil.example/"}
    assert client.post("/login", credentials)["Location"] == "/"


def test_logging_out_takes_a_post(browser):
    assert browser.get("/logout").status_code == 405
    assert browser.post("/logout")["Location"] == "/login"
    assert browser.get("/").status_code == 302


@pytest.mark.accepts("S04")
def test_the_shell_of_a_task_says_nothing_about_whether_there_is_one(browser):
    first, second = (re.sub(r"csrf\S+|[A-Za-z0-9]{64}", "", browser.get(path).content.decode()) for path in PATHS)
    assert first.replace(PATHS[0], "") == second.replace(PATHS[1], "").replace(PATHS[0], "")


def test_an_account_without_a_profile_is_told_so(client):
    client.force_login(User.objects.create_user("nobody"))
    response = client.get("/")
    assert response.status_code == 403
    assert "profile" in response.content.decode()


@pytest.mark.accepts("S06")
def test_a_page_knows_its_reader_and_no_secret(browser, settings):
    settings.CENTRIFUGO_API_KEY = "key-of-the-api"
    settings.CENTRIFUGO_TOKEN_SECRET = "secret-of-tokens"
    settings.CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET = "secret-of-subscriptions"
    settings.REALTIME_TRANSPORT = "centrifugo"
    settings.CENTRIFUGO_PUBLIC_URL = "ws://rt.example/connection/websocket"
    response = browser.get("/")
    names = ("SECRET_KEY", "SERVICE_TOKEN_SECRET", "CENTRIFUGO_API_KEY", "CENTRIFUGO_TOKEN_SECRET")
    secrets = [getattr(settings, name) for name in (*names, "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET")]
    assert not [secret for secret in secrets if secret in response.content.decode() or secret in str(response.headers)]
    known = settings_of(response)
    assert known.pop("csrfToken")
    assert known == {
        "language": "en",
        "reader": "acme/alice",
        "loginUrl": "/login",
        "centrifuge": "/static/taskstatus/centrifuge/index.mjs",
    }


@pytest.mark.parametrize("path", ["/", "/login", "/nowhere"])
def test_a_page_has_no_script_or_style_written_into_it_and_names_no_other_host(browser, client, path):
    text = (client if path == "/login" else browser).get(path).content.decode()
    written = re.findall(r"<script(?![^>]*(?:src=|application/json))[^>]*>|<style|\sstyle=|\son[a-z]+=", text)
    assert written == []
    assert re.findall(r'(?:src|href|action)="(?:https?:)?//', text) == []


@pytest.mark.parametrize("path", ["/", "/login"])
def test_a_page_may_load_its_own_files_alone(browser, client, path):
    policy = (client if path == "/login" else browser).get(path)["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"


def test_with_centrifugo_a_page_may_call_that_too(browser, settings):
    settings.REALTIME_TRANSPORT = "centrifugo"
    settings.CENTRIFUGO_PUBLIC_URL = "wss://rt.example:8443/connection/websocket"
    policy = browser.get("/")["Content-Security-Policy"]
    assert "connect-src 'self' https://rt.example:8443 wss://rt.example:8443" in policy


def test_the_reader_chooses_the_language(browser):
    assert '<html lang="en">' in browser.get("/").content.decode()
    browser.post("/i18n/language", {"language": "zh-hans", "next": "/"})
    response = browser.get("/")
    assert '<html lang="zh-Hans">' in response.content.decode()
    assert settings_of(response)["language"] == "zh-hans"
    assert json.dumps("任务")[1:-1] in browser.get("/i18n/words.js?language=zh-hans").content.decode()


@pytest.mark.parametrize("path", ["js/main.js", "sdk/index.js", "css/tokens.css", "mark.svg"])
def test_scripts_and_styles_are_served_as_they_are(client, path):
    response = client.get(f"{settings.STATIC_URL}taskstatus/{path}")
    assert response.status_code == 200
    assert re.match(r"text/javascript|text/css|image/svg", response["Content-Type"])
    response.close()


def test_an_address_that_leads_nowhere_leads_back(browser):
    response = browser.get("/nowhere")
    assert response.status_code == 404
    assert 'href="/"' in response.content.decode()
