"""A JWKS file is read when it changes; while it is broken, the last good keys stay."""

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from taskstatus.identity.bearer import read_service
from tests.identity.support import bearer, ec_key, jwks, public_jwk, refused, service_claims, sign


@pytest.fixture
def keys_file(settings: Settings, tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    settings.SERVICE_TOKEN_JWKS = str(path)
    settings.SERVICE_TOKEN_SECRET = ""
    publish(path, 0)
    return path


def publish(path: Path, *numbers: int) -> None:
    """Replace the file as a deployment does: by rename."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(jwks(*(public_jwk(ec_key(n), "ES256", kid=f"k{n}") for n in numbers))))
    draft.replace(path)


def token(number: int) -> str:
    return bearer(sign(service_claims(), ec_key(number), "ES256", kid=f"k{number}"))


def test_a_rotated_file_counts_at_once(keys_file: Path) -> None:
    old, new = token(0), token(1)
    assert read_service(old).tenant == "acme"
    with refused("TOKEN_INVALID"):
        read_service(new)
    publish(keys_file, 0, 1)
    assert read_service(old).tenant == read_service(new).tenant == "acme"
    publish(keys_file, 1)
    assert read_service(new).tenant == "acme"
    with refused("TOKEN_INVALID"):
        read_service(old)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"keys": []}'])
def test_a_broken_file_leaves_the_last_good_keys_and_says_so_once(
    keys_file: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    good = token(0)
    assert read_service(good).tenant == "acme"
    keys_file.write_bytes(content)
    for _ in range(3):
        assert read_service(good).tenant == "acme"
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    publish(keys_file, 1)
    with refused("TOKEN_INVALID"):
        read_service(good)


def test_a_lost_file_leaves_the_last_good_keys(keys_file: Path) -> None:
    good = token(0)
    assert read_service(good).tenant == "acme"
    keys_file.unlink()
    assert read_service(good).tenant == "acme"


def test_a_file_that_was_never_there_proves_nothing_until_it_comes(keys_file: Path) -> None:
    keys_file.unlink()
    good = token(0)
    with refused("TOKEN_INVALID"):
        read_service(good)
    publish(keys_file, 0)
    assert read_service(good).tenant == "acme"


def test_a_secret_and_a_file_are_trusted_side_by_side(keys_file: Path, settings: Settings) -> None:
    settings.SERVICE_TOKEN_SECRET = "s" * 40
    assert read_service(token(0)).tenant == "acme"
    assert read_service(bearer(sign(service_claims(), "s" * 40))).tenant == "acme"
