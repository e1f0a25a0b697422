"""The benchmark's Django: settings like production's on the server of DATABASE_URL, in a database of its own.

Import this before anything that needs Django: it sets the environment, for this process and for its children.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import django

TENANT = "bench"
SCOPE = "bench"
WORKER = "bench-worker"

_DEFINITIONS = Path(__file__).with_name("definitions.yaml")
_SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings",
    # No .env of a developer may switch DEBUG on, which keeps every statement in memory.
    "ENV_FILE": os.devnull,
    "DEBUG": "off",
    "LOG_LEVEL": "WARNING",
    "SECRET_KEY": "bench-" + "".join(map(str, range(50))),
    "ALLOWED_HOSTS": "127.0.0.1",
    "SERVICE_TOKEN_SECRET": "bench-service-" + "s" * 32,
    "USER_TOKEN_SECRET": "bench-user-" + "u" * 32,
    "EXECUTION_TOKEN_KEYS": "bench:" + "e" * 40,
    # Counted as in production, and never refused.
    "RATE_LIMIT_REPORTS": "1000000/s",
    "TEST_DB_NAME": f"bench_{os.getpid()}",
}

if not os.environ.get("DATABASE_URL", "").startswith("mysql://"):
    sys.exit("bench: DATABASE_URL has to name a MariaDB server (mysql://…); `make bench` starts one")
os.environ |= _SETTINGS
django.setup()


@contextmanager
def scratch_database() -> Iterator[str]:
    """Make a database with definitions beside that of DATABASE_URL, yield its URL, and drop it at the end."""
    from django.core.management import call_command  # noqa: PLC0415 - needs Django to be set up
    from django.db import connection  # noqa: PLC0415 - the same

    own_name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        call_command("load_definitions", str(_DEFINITIONS), stdout=io.StringIO())
        url = urlsplit(os.environ["DATABASE_URL"])
        yield url._replace(path="/" + connection.settings_dict["NAME"]).geturl()
    finally:
        connection.creation.destroy_test_db(own_name, verbosity=0)
