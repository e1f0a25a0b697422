"""Gunicorn's settings: ``gunicorn -c python:taskstatus.config.gunicorn taskstatus.config.wsgi``."""

from typing import Any

from taskstatus.config.env import load_env
from taskstatus.config.logging import logging_config

_env = load_env()

bind = f"{_env.bind_address}:{_env.port}"
workers = _env.web_workers
worker_class = "gthread"
threads = _env.web_threads
# A request's statements end sooner (databases.py); this is for a worker that hangs for good.
timeout = 60
# What SIGTERM leaves running requests to finish; a supervisor's own patience must be longer.
graceful_timeout = 15
keepalive = 30
control_socket_disable = True

_own = logging_config(_env)
logconfig_dict: dict[str, Any] = _own | {
    "loggers": _own["loggers"]
    | {
        "gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True},
        "gunicorn.access": {"level": "INFO", "handlers": [], "propagate": True},
    },
}


def post_fork(_server: object, _worker: object) -> None:
    """Give the new worker connections of its own: a socket shared between processes mixes answers."""
    from django.db import connections  # noqa: PLC0415 - settings are not loaded when this file is

    connections.close_all()
