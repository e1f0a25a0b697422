"""Where settings come from, and what they are when nobody says anything."""

import dataclasses
import re
import stat
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured

from taskstatus.config.env import BASE_DIR, Env


def test_the_environment_beats_the_file(load, tmp_path):
    file = tmp_path / ".env"
    file.write_text("PORT=9001\nWEB_WORKERS=7\n")
    env = load(file, PORT="9002")
    assert (env.port, env.web_workers) == (9002, 7)


def test_one_reading_leaves_nothing_behind_for_the_next(load, tmp_path):
    file = tmp_path / ".env"
    file.write_text("PORT=9001\n")
    load(file)
    assert load().port == 8000


def test_a_value_may_lie_in_a_file_of_its_own(load, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("x" * 40 + "\n")
    assert load(SERVICE_TOKEN_SECRET_FILE=str(secret)).service_token_secret == "x" * 40


def test_a_missing_value_file_is_named(load, tmp_path):
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FILE"):
        load(SECRET_KEY_FILE=str(tmp_path / "nowhere"))


def test_an_empty_value_is_an_unset_one(load):
    assert load(PORT="", EXECUTION_TOKEN_TTL=" ").execution_token_ttl == timedelta(hours=1)


def test_the_defaults_are_those_of_production(load):
    env = load()
    assert not env.debug
    assert env.secret_key == env.service_token_secret == env.user_token_secret == ""
    assert env.execution_token_keys == ()
    assert (env.retention_tasks, env.retention_dedup) == (timedelta(days=90), timedelta(days=30))
    assert env.rate_limit_reports is not None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DEBUG", "maybe"),
        ("RATE_LIMIT_REPORTS", "lots"),
        ("RETENTION_EVENTS", "a month"),
        ("EXECUTION_TOKEN_KEYS", "nokid"),
        ("BUILTIN_PROFILE_OFF", "tenant"),
        ("REALTIME_TRANSPORT", "carrier-pigeon"),
        ("REDIS_URL", "http://127.0.0.1"),
        ("OUTBOX_LEASE_SECONDS", "-3"),
        ("LOG_LEVEL", "LOUD"),
    ],
)
def test_text_that_cannot_be_read_stops_the_start_with_the_settings_name(load, name, text):
    with pytest.raises(ImproperlyConfigured, match=f"^{name}: "):
        load(**{name: text})


def test_development_secrets_are_made_once_and_kept_private(load, tmp_path):
    first, second = load(DEBUG="on"), load(DEBUG="on")
    assert first == second
    assert len(first.secret_key) >= 50
    assert first.execution_token_keys[0][0] == "dev"
    mode = (tmp_path / "var" / "dev-secrets.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_two_checkouts_have_other_development_secrets(load, tmp_path):
    assert load(DEBUG="on").secret_key != load(DEBUG="on", VAR_DIR=str(tmp_path / "other")).secret_key


def test_a_secret_that_is_set_is_kept_while_developing(load):
    assert load(DEBUG="on", USER_TOKEN_SECRET="u" * 32).user_token_secret == "u" * 32


def test_no_development_secret_is_made_outside_development(load, tmp_path):
    load()
    assert not (tmp_path / "var").exists()


def test_every_setting_stands_in_the_example_file_with_its_default(load):
    text = (BASE_DIR / ".env.example").read_text()
    examples = dict(re.findall(r"(?m)^#([A-Z_]+)=(.*)$", text))
    assert set(examples) == {field.name.upper() for field in dataclasses.fields(Env)}
    for field in dataclasses.fields(Env):
        default = field.metadata["default"]
        if default:
            assert examples[field.name.upper()] == default
