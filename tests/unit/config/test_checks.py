"""Each check finds its fault, names the setting, and is quiet where all is well."""

import json
from types import SimpleNamespace

import pytest

from taskstatus.config import checks, database_checks

LONG = "x" * 32


def ids(messages):
    return [message.id.removeprefix("taskstatus.") for message in messages]


@pytest.fixture(autouse=True)
def _sound(settings):
    settings.DEBUG = False
    settings.SECRET_KEY = "a-key-of-many-different-characters-" + "0123456789" * 3
    settings.ALLOWED_HOSTS = ["tasks.example.com"]
    settings.SERVICE_TOKEN_SECRET = settings.USER_TOKEN_SECRET = LONG
    settings.SERVICE_TOKEN_JWKS = settings.USER_TOKEN_JWKS = ""
    settings.EXECUTION_TOKEN_KEYS = (("k1", LONG),)


def test_sound_settings_have_no_fault():
    assert [message for check in checks.SETTINGS_CHECKS for message in check()] == []


@pytest.mark.parametrize("key", ["", "short", "a" * 80, "django-insecure-" + "0123456789abcdef" * 4])
def test_e001_secret_key(settings, key):
    settings.SECRET_KEY = key
    (message,) = checks.check_secret_key()
    assert ids([message]) == ["E001"]
    assert "SECRET_KEY" in message.msg


def test_e002_allowed_hosts(settings):
    settings.ALLOWED_HOSTS = []
    assert ids(checks.check_allowed_hosts()) == ["E002"]
    settings.DEBUG = True
    assert checks.check_allowed_hosts() == []


@pytest.mark.parametrize(("prefix", "number"), [("SERVICE_TOKEN", "E003"), ("USER_TOKEN", "E004")])
def test_e003_and_e004_no_key_for_tokens(settings, prefix, number):
    setattr(settings, f"{prefix}_SECRET", "")
    (message,) = checks.check_token_keys()
    assert ids([message]) == [number]
    assert f"{prefix}_SECRET" in message.msg


@pytest.mark.parametrize(("prefix", "number"), [("SERVICE_TOKEN", "E005"), ("USER_TOKEN", "E006")])
def test_e005_and_e006_a_short_secret(settings, prefix, number):
    setattr(settings, f"{prefix}_SECRET", "x" * 31)
    assert ids(checks.check_token_keys()) == [number]


@pytest.mark.parametrize(("prefix", "number"), [("SERVICE_TOKEN", "E005"), ("USER_TOKEN", "E006")])
@pytest.mark.parametrize("content", [None, "no json", "[]", "{}", '{"keys": []}', '{"keys": {}}', b"\xff"])
def test_e005_and_e006_a_jwks_that_is_none(settings, tmp_path, prefix, number, content):
    file = tmp_path / "jwks.json"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    setattr(settings, f"{prefix}_JWKS", str(file))
    (message,) = checks.check_token_keys()
    assert ids([message]) == [number]
    assert f"{prefix}_JWKS" in message.msg


def test_a_jwks_file_alone_is_enough(settings, tmp_path):
    file = tmp_path / "jwks.json"
    file.write_text(json.dumps({"keys": [{"kty": "OKP"}]}))
    settings.SERVICE_TOKEN_SECRET, settings.SERVICE_TOKEN_JWKS = "", str(file)
    assert checks.check_token_keys() == []


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://issuer.example.com/jwks", []),
        ("http://127.0.0.1:9000/jwks", []),
        ("http://issuer.example.com/jwks", ["E005"]),
    ],
)
def test_a_jwks_url_is_not_fetched_in_the_open(settings, url, fault):
    settings.SERVICE_TOKEN_JWKS = url
    assert ids(checks.check_token_keys()) == fault


@pytest.mark.parametrize(
    ("keys", "word"),
    [
        ((), "missing"),
        ((("k1", LONG), ("k1", LONG + "y")), "twice"),
        ((("k1", LONG), ("k2", "x" * 31)), "32 bytes"),
    ],
)
def test_e007_execution_token_keys(settings, keys, word):
    settings.EXECUTION_TOKEN_KEYS = keys
    (message,) = checks.check_execution_token_keys()
    assert ids([message]) == ["E007"]
    assert word in message.msg
    assert LONG not in f"{message.msg}{message.hint}"


@pytest.mark.parametrize(("lease", "fault"), [(11, []), (10, ["E008"]), (9, ["E008"])])
def test_e008_a_lease_no_longer_than_a_publish_may_take(settings, lease, fault):
    settings.OUTBOX_PUBLISH_DEADLINE_SECONDS, settings.OUTBOX_LEASE_SECONDS = 10, lease
    assert ids(checks.check_outbox_lease()) == fault


def test_e009_centrifugo_without_its_settings(settings):
    settings.REALTIME_TRANSPORT = "centrifugo"
    for name in checks.CENTRIFUGO_SETTINGS:
        setattr(settings, name, "x")
    assert checks.check_realtime_transport() == []
    settings.CENTRIFUGO_API_KEY = ""
    (message,) = checks.check_realtime_transport()
    assert ids([message]) == ["E009"]
    assert "CENTRIFUGO_API_KEY" in message.msg


class OtherConnection:
    def __init__(self, vendor):
        self.vendor = vendor


def test_e010_a_database_of_another_kind(monkeypatch):
    monkeypatch.setattr(database_checks, "connections", {"default": OtherConnection("postgresql")})
    assert ids(database_checks.check_database_vendor()) == ["E010"]


def test_e011_sqlite_without_immediate_transactions(monkeypatch):
    monkeypatch.setattr(database_checks, "connections", {"default": OtherConnection("sqlite")})
    options = {"transaction_mode": "DEFERRED"}
    databases = SimpleNamespace(DATABASES={"default": {"OPTIONS": options}})
    monkeypatch.setattr(database_checks, "settings", databases)
    assert ids(database_checks.check_sqlite_transactions()) == ["E011"]
    options["transaction_mode"] = "IMMEDIATE"
    assert database_checks.check_sqlite_transactions() == []
