"""Makes Django's database settings from ``DATABASE_URL``.

One isolation (READ COMMITTED), strict SQL, UTC and utf8mb4 on the MySQL family; on SQLite a
write-ahead log and transactions that take the write lock at their beginning (ruling 1).
"""

import contextlib
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from taskstatus.config.env import BASE_DIR, Env

SQLITE_ENGINE = "django.db.backends.sqlite3"
SCHEMES = ("mysql://", "sqlite://")

# What MySQL 8 has by default, named so that MariaDB refuses the same statements.
SQL_MODE = (
    "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,NO_ZERO_IN_DATE,"
    "ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES"
)
CONNECT_TIMEOUT_SECONDS = 5
# Far above the lock wait: it frees a thread from a server that went silent.
STATEMENT_TIMEOUT_SECONDS = 30
SQLITE_BUSY_SECONDS = 5


def databases(env: Env) -> dict[str, dict[str, Any]]:
    """Return ``DATABASES``; raise ``ImproperlyConfigured`` where the URL can't be understood."""
    url = env.database_url or f"sqlite:///{env.var_dir / 'db.sqlite3'}"
    config = _parsed(url) | {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True, "ATOMIC_REQUESTS": False}
    if config["ENGINE"] == SQLITE_ENGINE:
        config |= _sqlite(config["NAME"], env)
    else:
        config |= _mysql(env)
    return {"default": config}


def _parsed(url: str) -> dict[str, Any]:
    config: dict[str, Any] = {}
    if url.startswith(SCHEMES):
        with contextlib.suppress(ValueError):
            config = environ.Env.db_url_config(url)
    if not config.get("NAME"):
        # The URL may hold a password, so it is not repeated.
        raise ImproperlyConfigured(
            "DATABASE_URL: write sqlite:///path or mysql://user:password@host:port/name",
        )
    return config


def _sqlite(name: str, env: Env) -> dict[str, Any]:
    path = name if name == ":memory:" else str(BASE_DIR / name)
    test_name = f"test_{env.test_db_name or 'taskstatus'}.sqlite3"
    return {
        "NAME": path,
        # Races are told with real connections, which a database in memory doesn't give.
        "TEST": {"NAME": str(env.var_dir / test_name)},
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_BUSY_SECONDS,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _mysql(env: Env) -> dict[str, Any]:
    return {
        "ENGINE": "taskstatus.config.mysql",
        "TEST": {"NAME": f"test_{env.test_db_name}" if env.test_db_name else None, "CHARSET": "utf8mb4"},
        "OPTIONS": {
            "charset": "utf8mb4",
            "isolation_level": "read committed",
            "init_command": (
                f"SET sql_mode='{SQL_MODE}', time_zone='+00:00', innodb_lock_wait_timeout={env.db_lock_wait_seconds}"
            ),
            "connect_timeout": CONNECT_TIMEOUT_SECONDS,
            "read_timeout": STATEMENT_TIMEOUT_SECONDS,
            "write_timeout": STATEMENT_TIMEOUT_SECONDS,
        },
    }
