"""The settings of the suite: the service's own, with secrets of the suite and no ``.env``.

``DATABASE_URL`` of the environment decides what the tests run against, and ``TEST_DB_NAME`` (xy for
test_xy) keeps people who share a server apart.
"""

import os

# Tests that want Redis ask for it by a fixture; the rest runs as the embedded default does.
# Set in the environment, so that the processes of a parallel run agree.
os.environ.setdefault("STACK_REDIS_URL", os.environ.get("REDIS_URL", ""))
os.environ["REDIS_URL"] = ""
os.environ["ENV_FILE"] = os.devnull
os.environ.setdefault("SECRET_KEY", "suite-" + "k" * 60)
os.environ.setdefault("ALLOWED_HOSTS", "localhost,127.0.0.1,testserver")
os.environ.setdefault("SERVICE_TOKEN_SECRET", "suite-service-" + "s" * 32)
os.environ.setdefault("USER_TOKEN_SECRET", "suite-user-" + "u" * 32)
os.environ.setdefault("EXECUTION_TOKEN_KEYS", "suite:" + "e" * 40)
# Whoever waits for a lock gets it in the end, however busy the machine is; a test of the limit sets its own.
os.environ.setdefault("DB_LOCK_WAIT_SECONDS", "25")

from taskstatus.config.settings import *  # noqa: F403 - the environment comes first

if "connect_timeout" in DATABASES["default"]["OPTIONS"]:  # noqa: F405
    DATABASES["default"]["OPTIONS"] |= {"connect_timeout": 60, "read_timeout": 120, "write_timeout": 120}  # noqa: F405
else:
    DATABASES["default"]["OPTIONS"]["timeout"] = 30  # noqa: F405
WHITENOISE_AUTOREFRESH = True  # looks a file up when it is asked for, instead of listing all at start
# What a test sends reaches no worker that happens to run in this checkout.
CELERY_BROKER_TRANSPORT, CELERY_BROKER_URL = "memory", "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.01}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
