"""Only a signature by a known key, with that key's own algorithm, proves a token."""

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from taskstatus.identity.bearer import read_service
from tests.identity.support import (
    PrivateKey,
    bearer,
    ec_key,
    ed_key,
    jwks,
    public_jwk,
    refused,
    rsa_key,
    service_claims,
    sign,
    unhurried,
)
from tests.settings import SERVICE_TOKEN_SECRET

SIGNERS: list[tuple[str, PrivateKey]] = [("RS256", rsa_key()), ("ES256", ec_key()), ("EdDSA", ed_key())]


@pytest.fixture
def three_keys(settings: Settings, tmp_path: Any) -> None:
    """Trust one key of each kind, and no shared secret."""
    path = tmp_path / "jwks.json"
    path.write_text(json.dumps(jwks(*(public_jwk(key, name, kid=name) for name, key in SIGNERS))))
    settings.SERVICE_TOKEN_JWKS = str(path)
    settings.SERVICE_TOKEN_SECRET = ""


def segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_shared_secret_proves_a_token_whatever_its_kid() -> None:
    for kid in (None, "k1", ""):
        assert read_service(bearer(sign(service_claims(), kid=kid))).tenant == "acme"


@pytest.mark.parametrize(("algorithm", "key"), SIGNERS)
def test_each_asymmetric_algorithm_is_accepted(three_keys: None, algorithm: str, key: PrivateKey) -> None:
    for kid in (algorithm, None):
        assert read_service(bearer(sign(service_claims(), key, algorithm, kid))).tenant == "acme"


def test_another_secret_is_refused() -> None:
    for secret in ("x" * 40, SERVICE_TOKEN_SECRET + "x", SERVICE_TOKEN_SECRET[:-1]):
        with refused("TOKEN_INVALID"):
            read_service(bearer(sign(service_claims(), secret)))


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_the_right_secret_with_another_algorithm_is_refused(algorithm: str) -> None:
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(), SERVICE_TOKEN_SECRET + "x" * 64, algorithm)))
    with pytest.warns(match="below the minimum"), refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(), SERVICE_TOKEN_SECRET, algorithm)))


@pytest.mark.parametrize("algorithm", ["PS256", "RS384", "RS512"])
def test_the_right_rsa_key_with_another_algorithm_is_refused(three_keys: None, algorithm: str) -> None:
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(), rsa_key(), algorithm, "RS256")))


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", None, 1, ["HS256"], "HS256 "])
@pytest.mark.parametrize("signature", ["", ".AAAA", "AAAA"])
def test_an_unsigned_token_is_refused(algorithm: object, signature: str) -> None:
    token = f"{segment({'alg': algorithm, 'typ': 'JWT'})}.{segment(service_claims())}.{signature}"
    with refused("TOKEN_INVALID"):
        read_service(bearer(token))


@pytest.mark.parametrize("encoding", [serialization.Encoding.PEM, serialization.Encoding.DER])
def test_a_public_key_is_no_shared_secret(three_keys: None, encoding: serialization.Encoding) -> None:
    public = rsa_key().public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
    signing_input = f"{segment({'alg': 'HS256', 'kid': 'RS256'})}.{segment(service_claims())}"
    with refused("TOKEN_INVALID"):
        read_service(bearer(f"{signing_input}.{hmac_sha256(public, signing_input)}"))


def hmac_sha256(secret: bytes, text: str) -> str:
    digest = hmac.digest(secret, text.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@pytest.mark.parametrize(("claimed", "signer"), [("ES256", 0), ("EdDSA", 1), ("RS256", 2)])
def test_a_kid_of_another_kind_of_key_is_refused(three_keys: None, claimed: str, signer: int) -> None:
    algorithm, key = SIGNERS[signer]
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(), key, algorithm, kid=claimed)))


def test_the_right_kid_with_anothers_key_is_refused(three_keys: None) -> None:
    strangers: list[tuple[str, PrivateKey]] = [
        ("RS256", rsa_key(1)),
        ("ES256", ec_key(1)),
        ("EdDSA", ed_key(1)),
    ]
    for algorithm, key in strangers:
        with refused("TOKEN_INVALID"):
            read_service(bearer(sign(service_claims(), key, algorithm, algorithm)))


def test_without_any_key_no_token_is_good(settings: Settings) -> None:
    settings.SERVICE_TOKEN_SECRET = settings.SERVICE_TOKEN_JWKS = ""
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims())))


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "HS256", "crit": ["b64"], "b64": False},
        {"alg": "HS256", "crit": ["exp"]},
        {"alg": "HS256", "kid": 7},
        {"alg": "HS256", "kid": ["k"]},
        ["alg", "HS256"],
        "HS256",
        {},
    ],
)
def test_a_header_that_is_not_understood_is_refused(header: object) -> None:
    signing_input = f"{segment(header)}.{segment(service_claims())}"
    with refused("TOKEN_INVALID"):
        read_service(bearer(f"{signing_input}.{hmac_sha256(SERVICE_TOKEN_SECRET.encode(), signing_input)}"))


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"null", b"7", b"{", b"\xff", b"[" * 3_000, b'{"exp":' + b"9" * 5_000 + b"}"]
)
def test_a_signed_payload_that_is_no_object_is_refused(payload: bytes) -> None:
    body = base64.urlsafe_b64encode(payload).rstrip(b"=").decode()
    signing_input = f"{segment({'alg': 'HS256'})}.{body}"
    with refused("TOKEN_INVALID"):
        read_service(bearer(f"{signing_input}.{hmac_sha256(SERVICE_TOKEN_SECRET.encode(), signing_input)}"))


TOKEN = sign(service_claims())


@unhurried
@given(
    place=st.integers(0, len(TOKEN) - 1),
    character=st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.="),
)
def test_a_token_changed_in_one_character_is_refused(place: int, character: str) -> None:
    changed = TOKEN[:place] + character + TOKEN[place + 1 :]
    if changed != TOKEN:
        with refused("TOKEN_INVALID"):
            read_service(bearer(changed))
