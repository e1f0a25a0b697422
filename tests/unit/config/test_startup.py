"""No process of the service starts with settings that it must not run with."""

import os
import subprocess
import sys

import pytest
from django.core.checks import Error

from taskstatus.config import startup
from taskstatus.config.celery_settings import celery_settings
from taskstatus.config.env import BASE_DIR

STARTS = {
    "manage.py": ["manage.py", "migrate", "--plan"],
    "gunicorn": ["-m", "gunicorn", "-c", "python:taskstatus.config.gunicorn"],
    "celery": ["-m", "celery", "-A", "taskstatus.config.celery:app", "worker", "--pool", "solo"],
    "asgi": ["-c", "import taskstatus.config.asgi"],
}


@pytest.fixture
def bare(tmp_path):
    """Return an environment without any setting of ours."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"ENV_FILE": os.devnull, "VAR_DIR": str(tmp_path)}


@pytest.mark.parametrize("kind", STARTS)
def test_it_stops_with_the_names_of_what_is_missing(bare, kind):
    answer = subprocess.run(
        [sys.executable, *STARTS[kind]],
        cwd=BASE_DIR,
        env=bare,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    said = answer.stdout + answer.stderr
    assert answer.returncode != 0
    for name in (
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "SERVICE_TOKEN_SECRET",
        "USER_TOKEN_SECRET",
        "EXECUTION_TOKEN_KEYS",
    ):
        assert name in said


def test_it_stops_at_text_that_cannot_be_read(bare):
    command = [sys.executable, "manage.py", "check"]
    environment = bare | {"RATE_LIMIT_REPORTS": "lots"}
    answer = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode != 0
    assert "RATE_LIMIT_REPORTS" in answer.stderr


def test_warnings_alone_stop_nothing(monkeypatch):
    monkeypatch.setattr(startup, "run_checks", list)
    startup.require_sound_settings()


def test_an_error_names_its_number_and_its_remedy(monkeypatch):
    fault = Error("X is missing.", hint="Set X.", id="taskstatus.E999")
    monkeypatch.setattr(startup, "run_checks", lambda: [fault])
    with pytest.raises(startup.ImproperlyConfigured, match=r"taskstatus.E999: X is missing. Set X."):
        startup.require_sound_settings()


def test_without_redis_the_broker_is_a_folder(load, tmp_path):
    settings = celery_settings(load())
    assert settings["CELERY_BROKER_URL"] == "filesystem://localhost"
    assert (tmp_path / "var" / "broker" / "queue").is_dir()


def test_with_redis_it_is_the_broker(load):
    assert celery_settings(load(REDIS_URL="redis://127.0.0.1:1/2"))["CELERY_BROKER_URL"] == "redis://127.0.0.1:1/2"


def test_every_tick_expires(load):
    schedule = celery_settings(load())["CELERY_BEAT_SCHEDULE"]
    assert schedule
    assert all(entry["options"]["expires"] for entry in schedule.values())
