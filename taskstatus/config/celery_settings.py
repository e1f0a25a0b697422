"""Celery's settings: Redis where ``REDIS_URL`` names it, else a broker of files under ``VAR_DIR``."""

from pathlib import Path
from typing import Any

from taskstatus.config.env import Env

# A tick that waited longer than this is worth nothing: the next one does its work.
TICK_EXPIRES_SECONDS = 5
FILE_POLLING_SECONDS = 0.2
PURGE_SECONDS = 600.0


def celery_settings(env: Env) -> dict[str, Any]:
    """Return the ``CELERY_`` settings; makes the folders of the file broker where it is used."""
    broker = {"CELERY_BROKER_URL": env.redis_url} if env.redis_url else _file_broker(env.var_dir / "broker")
    return broker | {
        "CELERY_TASK_IGNORE_RESULT": True,
        "CELERY_TASK_SERIALIZER": "json",
        "CELERY_ACCEPT_CONTENT": ["json"],
        "CELERY_TASK_DEFAULT_QUEUE": "task-status",
        "CELERY_TIMEZONE": "UTC",
        "CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP": True,
        "CELERY_BEAT_SCHEDULE_FILENAME": str(env.var_dir / "celerybeat-schedule"),
        "CELERY_BEAT_SCHEDULE": {
            "flush-progress": {
                "task": "taskstatus.tasks.flush_progress",
                "schedule": 1.0,
                "options": {"expires": TICK_EXPIRES_SECONDS},
            },
            "reconcile-health": {
                "task": "taskstatus.tasks.reconcile_health",
                "schedule": float(env.health_scan_seconds),
                "options": {"expires": TICK_EXPIRES_SECONDS},
            },
            "drain-outbox": {
                "task": "outbox.tasks.drain",
                "schedule": 1.0,
                "options": {"expires": TICK_EXPIRES_SECONDS},
            },
            "purge-outbox": {
                "task": "outbox.tasks.purge",
                "schedule": PURGE_SECONDS,
                "options": {"expires": PURGE_SECONDS},
            },
            "purge-realtime": {
                "task": "realtime.tasks.purge",
                "schedule": PURGE_SECONDS,
                "options": {"expires": PURGE_SECONDS},
            },
        },
    }


def _file_broker(folder: Path) -> dict[str, Any]:
    queue, control = folder / "queue", folder / "control"
    for path in (queue, control):
        path.mkdir(parents=True, exist_ok=True)
    return {
        "CELERY_BROKER_URL": "filesystem://localhost",
        "CELERY_BROKER_TRANSPORT": "taskstatus.config.file_broker:Transport",
        # Remote control would leave a queue of files behind for every worker that ever ran.
        "CELERY_WORKER_ENABLE_REMOTE_CONTROL": False,
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            # One folder for both directions: whoever puts a message and whoever takes it share it.
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "control_folder": str(control),
            "polling_interval": FILE_POLLING_SECONDS,
        },
    }
