"""Who is logged in by Django's session is a user of /api/v1; who isn't, and sends no token, is nobody."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from taskstatus.models import UserProfile
from tests.support.cast import ALICE, coordinator
from tests.support.unchanged import unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    """Alice's account of Django."""
    return get_user_model().objects.create_user(username=ALICE)


def test_the_session_of_an_account_with_a_profile_reads_what_the_user_may(client, account):
    UserProfile.objects.create(account=account, tenant_id="acme")
    task = coordinator().task()
    client.force_login(account)
    assert client.get(f"/api/v1/tasks/{task['taskId']}").json()["ownerId"] == ALICE


def test_an_account_without_a_profile_may_read_nothing(client, account):
    client.force_login(account)
    response = client.get("/api/v1/me/tasks")
    assert (response.status_code, response.json()["code"]) == (403, "PERMISSION_REQUIRED")


def test_without_session_and_token_a_user_is_nobody(client):
    response = client.get("/api/v1/me/tasks")
    assert (response.status_code, response.json()["code"]) == (401, "TOKEN_MISSING")


def test_what_changes_something_needs_the_sessions_csrf_token(account):
    UserProfile.objects.create(account=account, tenant_id="acme")
    path = f"/api/v1/tasks/{coordinator().task()['taskId']}:requestCancel"
    client = Client(enforce_csrf_checks=True)
    client.force_login(account)
    with unchanged():
        response = client.post(path, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "PERMISSION_REQUIRED")
    token = re.search(r'"csrfToken": "(\w+)"', client.get("/").content.decode())
    response = client.post(path, content_type="application/json", headers={"X-CSRFToken": token[1]})
    assert (response.status_code, response.json()["taskVersion"]) == (200, "2")
