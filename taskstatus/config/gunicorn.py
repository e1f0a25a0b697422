"""Gunicorn's settings: ``gunicorn -c python:taskstatus.config.gunicorn``."""

import gc
import os
from typing import Any

from django.db import connections

from taskstatus.config.env import load_env
from taskstatus.config.logging import logging_config

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskstatus.config.settings")
_env = load_env()

bind = f"{_env.bind_address}:{_env.port}"
wsgi_app = "taskstatus.config.asgi:application"
workers = _env.web_workers
worker_class = "taskstatus.config.worker.StreamingWorker"
# Requests that a worker runs at once; native streams need no thread.
threads = _env.web_threads
# A request's statements end sooner (databases.py); this is for a worker that hangs for good.
timeout = 60
# What SIGTERM leaves running requests to finish; a supervisor's own patience must be longer.
graceful_timeout = 15
keepalive = 30
control_socket_disable = True
# Loaded once and shared by the workers; and settings that must not run end the master, not a worker.
preload_app = True

_own = logging_config(_env)
logconfig_dict: dict[str, Any] = _own | {
    "loggers": _own["loggers"]
    | {
        "gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True},
        # A proxy writes the access log; here it is for those who look for something.
        "gunicorn.access": {
            "level": "INFO" if _env.log_level == "DEBUG" else "WARNING",
            "handlers": [],
            "propagate": True,
        },
    },
}


def when_ready(_server: object) -> None:
    """Keep what is loaded out of later collections, so that forked workers go on sharing its pages."""
    gc.collect()
    gc.freeze()


def post_fork(_server: object, _worker: object) -> None:
    """Give a new worker connections of its own: a socket shared between processes mixes answers."""
    connections.close_all()
