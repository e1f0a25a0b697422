"""Is the database one on which a report becomes a fact exactly once?

E010 and E011 read the settings; E012 asks the server, and runs where Django's database checks run:
at ``migrate`` and at ``check --database default``.
"""

from collections.abc import Sequence

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

LOCKING_VENDORS = frozenset({"mysql", "sqlite"})
# What this service's statements are tested under; more than this may be set, less may not.
REQUIRED_SQL_MODES = frozenset({"STRICT_ALL_TABLES", "ONLY_FULL_GROUP_BY"})


def check_database_vendor(**_kwargs: object) -> list[CheckMessage]:
    """E010: the database is of a kind whose locks this service relies on."""
    vendor = connections["default"].vendor
    if vendor in LOCKING_VENDORS:
        return []
    return [
        Error(
            f"DATABASE_URL names {vendor}, whose locks the service is not tested with.",
            hint="Use mysql:// (MySQL 8 or MariaDB 10.6 and later) or sqlite:///",
            id="taskstatus.E010",
        ),
    ]


def check_sqlite_transactions(**_kwargs: object) -> list[CheckMessage]:
    """E011: on SQLite a transaction takes the write lock when it begins, not at its first write."""
    database = settings.DATABASES["default"]
    if connections["default"].vendor != "sqlite":
        return []
    if database.get("OPTIONS", {}).get("transaction_mode") == "IMMEDIATE":
        return []
    return [
        Error(
            "DATABASE_URL names SQLite, but its transactions don't begin IMMEDIATE.",
            hint='Set OPTIONS["transaction_mode"] = "IMMEDIATE" for this database.',
            id="taskstatus.E011",
        ),
    ]


def check_database_server(databases: Sequence[str] | None = None, **_kwargs: object) -> list[CheckMessage]:
    """E012: a MySQL-family server can skip locked rows, and the session is what ``databases.py`` asks for."""
    connection = connections["default"]
    if "default" not in (databases or ()) or connection.vendor != "mysql":
        return []
    return [
        Error(f"DATABASE_URL: {fault}.", hint=hint, id="taskstatus.E012") for fault, hint in _server_faults(connection)
    ]


def _server_faults(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    isolation, modes, charset, zone = _session(connection)
    own_hint = "Something between settings and server changes the session: an init_connect, or a proxy."
    faults = []
    if not connection.features.has_select_for_update_skip_locked:
        faults.append(("the server has no SKIP LOCKED", "Use MySQL 8 or MariaDB 10.6, or later."))
    if isolation != "READ-COMMITTED":
        faults.append((f"the isolation is {isolation} and not READ-COMMITTED", own_hint))
    if missing := REQUIRED_SQL_MODES - modes:
        faults.append((f"sql_mode lacks {', '.join(sorted(missing))}", own_hint))
    if charset != "utf8mb4":
        hint = "ALTER DATABASE … CHARACTER SET utf8mb4, before the first migration."
        faults.append((f"the database's character set is {charset} and not utf8mb4", hint))
    if zone != "+00:00":
        faults.append((f"the session's time zone is {zone} and not UTC", own_hint))
    return faults


def _session(connection: BaseDatabaseWrapper) -> tuple[str, frozenset[str], str, str]:
    # MariaDB 10.11 still calls it tx_isolation; MySQL 8 dropped that name.
    isolation_name = "tx_isolation" if getattr(connection, "mysql_is_mariadb", False) else "transaction_isolation"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT @@{isolation_name}, @@sql_mode, @@character_set_database, @@time_zone")
        isolation, modes, charset, zone = cursor.fetchone()
    return isolation, frozenset(modes.split(",")), charset, zone
