"""The settings of the suite: the service's own, with secrets of the suite and no ``.env``.

``DATABASE_URL``, ``REDIS_URL`` and ``TEST_DB_NAME`` of the environment decide what the tests run
against; everything else that a developer's shell may set is left as the service would read it.
"""

import os

os.environ["ENV_FILE"] = os.devnull
os.environ.setdefault("SECRET_KEY", "suite-" + "k" * 60)
os.environ.setdefault("ALLOWED_HOSTS", "localhost,127.0.0.1,testserver")
os.environ.setdefault("SERVICE_TOKEN_SECRET", "suite-service-" + "s" * 32)
os.environ.setdefault("USER_TOKEN_SECRET", "suite-user-" + "u" * 32)
os.environ.setdefault("EXECUTION_TOKEN_KEYS", "suite:" + "e" * 40)

from taskstatus.config.settings import *  # noqa: F403 - the environment comes first

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
