"""Logs carry ids and never a credential (convention 22)."""

import json
import logging

import pytest

from taskstatus.config.logging import JsonFormatter, TextFormatter, logging_config, redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"
HANDLE = "exh_0A1_" + "ABCDEFGH234567AB" * 2
SECRETS = [JWT, HANDLE, "Bearer abc.def-123", "bearer s3cret"]


def record(message="it happened", *args, **extra):
    made = logging.makeLogRecord({"name": "taskstatus.services", "levelname": "INFO", "msg": message, "args": args})
    vars(made).update(extra)
    return made


@pytest.mark.parametrize("secret", SECRETS)
def test_a_credential_is_masked_wherever_it_stands(secret):
    assert redact(f"got {secret}, refused") == "got [redacted], refused"


@pytest.mark.parametrize("text", ["tsk_0A1_01J", "exe_0A1_01J", "version 1.2.3", "the bearer", "eyJust.a.word"])
def test_what_is_no_credential_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()])
@pytest.mark.parametrize("secret", SECRETS)
def test_no_part_of_a_line_lets_a_credential_through(formatter, secret):
    error = RuntimeError(f"refused {secret}")
    failure = (RuntimeError, error, None)
    line = formatter.format(
        record(
            "saw %s",
            secret,
            header=f"x {secret}",
            nested={"a": [secret]},
            other=ValueError(secret),
            exc_info=failure,
        ),
    )
    assert secret not in line
    assert "[redacted]" in line


def test_json_has_one_object_a_line_with_its_ids():
    line = JsonFormatter().format(record("applied %s", "x", taskId="tsk_1", taskVersion=4))
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["message"], entry["level"], entry["taskId"], entry["taskVersion"]) == (
        "applied x",
        "INFO",
        "tsk_1",
        4,
    )
    assert entry["timestamp"].endswith("+00:00")


def test_an_extra_member_cannot_replace_a_fixed_one():
    assert json.loads(JsonFormatter().format(record("true", level="FORGED", logger="forged")))["level"] == "INFO"


def test_text_shows_the_ids():
    assert TextFormatter().format(record(taskId="tsk_1")).endswith("it happened taskId=tsk_1")


@pytest.mark.parametrize(
    ("environment", "form"),
    [({}, "json"), ({"DEBUG": "on"}, "text"), ({"DEBUG": "on", "LOG_FORMAT": "json"}, "json")],
)
def test_the_form_follows_the_settings(load, environment, form):
    assert logging_config(load(**environment))["handlers"]["stderr"]["formatter"] == form
