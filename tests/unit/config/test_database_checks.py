"""E012 against a real session of whatever database the suite runs on."""

import pytest
from django.db import connection

from taskstatus.config import database_checks


@pytest.fixture
def server(db):
    if connection.vendor != "mysql":
        pytest.skip("this check is for servers of the MySQL family")
    return connection


def check():
    return [message.msg for message in database_checks.check_database_server(databases=["default"])]


def test_the_session_is_what_the_settings_ask_for(db):
    assert check() == []


def test_it_asks_no_database_that_it_was_not_given():
    assert database_checks.check_database_server(databases=None) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("SET sql_mode=''", "ONLY_FULL_GROUP_BY, STRICT_ALL_TABLES"),
        ("SET time_zone='+02:00'", "time zone"),
        ("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "REPEATABLE-READ"),
    ],
)
def test_e012_another_session(server, restored_session, change, word):
    with server.cursor() as cursor:
        cursor.execute(change)
    (fault,) = check()
    assert word in fault


def test_e012_a_server_without_skip_locked(server, monkeypatch):
    monkeypatch.setattr(server.features, "has_select_for_update_skip_locked", False)
    (fault,) = check()
    assert "SKIP LOCKED" in fault


@pytest.fixture
def restored_session(server):
    yield
    with server.cursor() as cursor:
        cursor.execute(server.settings_dict["OPTIONS"]["init_command"])
        cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
