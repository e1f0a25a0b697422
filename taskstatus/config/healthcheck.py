"""Asks this container's web server whether it is well: ``python -m taskstatus.config.healthcheck``."""

import http.client
import sys
from http import HTTPStatus

from taskstatus.config.env import Env, load_env

TIMEOUT_SECONDS = 2


def is_healthy(env: Env) -> bool:
    """Tell whether ``/healthz`` answers 200 on the port that the settings name."""
    connection = http.client.HTTPConnection("127.0.0.1", env.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/healthz", headers={"Host": _own_name(env)})
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _own_name(env: Env) -> str:
    # Django answers only to the names it was given; ".example.com" and "*" are patterns of names.
    first = env.allowed_hosts[0] if env.allowed_hosts else "localhost"
    return "localhost" if first == "*" else first.removeprefix(".")


if __name__ == "__main__":
    sys.exit(not is_healthy(load_env()))
