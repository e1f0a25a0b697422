"""Of a JWK set, only public signature keys of the three algorithms are taken."""

from typing import Any

import pytest

from taskstatus.identity.keys import KeySet, UnusableJwksError, parse_jwks, secret_key
from tests.identity.support import ec_key, ed_key, jwks, public_jwk, rsa_key

RSA = public_jwk(rsa_key(), "RS256")
EC = public_jwk(ec_key(), "ES256")
ED = public_jwk(ed_key(), "EdDSA")


@pytest.mark.parametrize(("key", "algorithm"), [(RSA, "RS256"), (EC, "ES256"), (ED, "EdDSA")])
def test_a_key_is_bound_to_the_algorithm_of_its_kind(key: dict[str, Any], algorithm: str) -> None:
    for members in ({}, {"alg": algorithm, "use": "sig", "key_ops": ["verify"], "kid": "k"}):
        (parsed,) = parse_jwks(jwks(key | members))
        assert parsed.algorithm_name == algorithm


UNUSABLE: list[Any] = [
    RSA | {"alg": "PS256"},
    RSA | {"alg": "RSA-OAEP"},
    RSA | {"alg": "none"},
    RSA | {"alg": None},
    RSA | {"use": "enc"},
    RSA | {"key_ops": ["encrypt"]},
    RSA | {"key_ops": "verify"},
    RSA | {"d": "AQAB"},
    RSA | {"n": "!"},
    {"kty": "RSA"},
    {"kty": "RSA", "e": "AQAB", "n": 7},
    {"kty": ["RSA"]},
    {"kty": "EC", "crv": ["P-256"]},
    EC | {"crv": "P-384"},
    EC | {"x": EC["y"], "y": EC["y"]},
    {"kty": "EC", "crv": "P-256"},
    ED | {"crv": "X25519"},
    ED | {"x": "AA"},
    {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"},
    public_jwk(rsa_key(bits=1_024), "RS256"),
    {},
    "key",
    None,
    7,
]


@pytest.mark.parametrize("entry", UNUSABLE)
def test_a_key_of_no_use_is_skipped_and_spoils_no_other(entry: Any) -> None:
    (parsed,) = parse_jwks({"keys": [entry, ED]})
    assert parsed.algorithm_name == "EdDSA"
    with pytest.raises(UnusableJwksError):
        parse_jwks({"keys": [entry]})


@pytest.mark.parametrize("document", [None, [], "keys", {}, {"keys": None}, {"keys": {}}, {"keys": []}])
def test_what_is_no_key_set_is_refused(document: Any) -> None:
    with pytest.raises(UnusableJwksError):
        parse_jwks(document)


def test_a_key_is_found_by_algorithm_and_id_and_never_by_guessing() -> None:
    keys = KeySet(
        (
            secret_key("s" * 32),
            *parse_jwks(jwks(RSA | {"kid": "a"}, public_jwk(rsa_key(1), "RS256", kid="b"), EC, ED | {"kid": "e"})),
        )
    )
    named = {"HS256": None, "RS256": "a", "ES256": None, "EdDSA": "e"}
    for algorithm, kid in named.items():
        found = keys.find(algorithm, kid)
        assert found is not None
        assert (found.algorithm_name, found.key_id) == (algorithm, kid)
    assert keys.find("RS256", None) is None
    assert keys.find("RS256", "c") is None
    assert keys.find("ES256", "anything") is not None
    assert keys.find("EdDSA", "a") is None
    assert keys.find("none", None) is None


def test_two_keys_of_one_id_are_no_key() -> None:
    keys = KeySet(parse_jwks(jwks(RSA | {"kid": "a"}, public_jwk(rsa_key(1), "RS256", kid="a"))))
    assert keys.find("RS256", "a") is None
