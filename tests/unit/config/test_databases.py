"""What a database URL becomes."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from taskstatus.config.databases import databases


def test_the_default_is_sqlite_in_the_var_folder_with_one_writer_at_a_time(load, tmp_path):
    database = databases(load())["default"]
    assert database["NAME"] == str(tmp_path / "var" / "db.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert (database["ATOMIC_REQUESTS"], database["CONN_MAX_AGE"]) == (False, None)


def test_a_mysql_url_is_read_committed_strict_utc_and_utf8mb4(load):
    env = load(DATABASE_URL="mysql://u:p%40ss@db.example.com:3307/tasks", DB_LOCK_WAIT_SECONDS="3")
    database = databases(env)["default"]
    assert (database["HOST"], database["PORT"], database["PASSWORD"]) == ("db.example.com", 3307, "p@ss")
    options = database["OPTIONS"]
    assert (options["isolation_level"], options["charset"]) == ("read committed", "utf8mb4")
    for part in ("STRICT_ALL_TABLES", "time_zone='+00:00'", "innodb_lock_wait_timeout=3"):
        assert part in options["init_command"]


@pytest.mark.parametrize("url", ["nonsense", "mysql://user:hunter2@host", "oracledb://x/y", "mysql:"])
def test_a_url_that_cannot_be_read_is_refused_without_repeating_it(load, url):
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL: ") as refusal:
        databases(load(DATABASE_URL=url))
    assert "hunter2" not in str(refusal.value)


def test_the_suites_database_can_have_a_name_of_its_own(load):
    mysql = databases(load(DATABASE_URL="mysql://u:p@h/tasks", TEST_DB_NAME="ann"))["default"]
    assert mysql["TEST"]["NAME"] == "test_ann"


def test_foreign_keys_are_enforced(db):
    with connection.cursor() as cursor:
        query = "PRAGMA foreign_keys" if connection.vendor == "sqlite" else "SELECT @@foreign_key_checks"
        cursor.execute(query)
        assert cursor.fetchone()[0] == 1
