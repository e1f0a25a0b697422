"""The keys that may prove a token; each is bound to one algorithm, whatever a token's header says.

The binding is what refuses `none`, and a public key used as a shared secret (RFC 8725 3.1).
"""

from dataclasses import dataclass, field
from typing import Final

from jwt import PyJWK
from jwt.exceptions import PyJWTError
from jwt.utils import base64url_encode

HMAC: Final = "HS256"
_ALGORITHM_OF: Final = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
ALGORITHMS: Final = frozenset({HMAC, *_ALGORITHM_OF.values()})


class UnusableJwksError(Exception):
    """A JWK set that gives no key; its text quotes nothing of the set."""


@dataclass(frozen=True, slots=True, eq=False)
class KeySet:
    """All keys at one moment. A changed key means another set, so caches compare sets by identity."""

    keys: tuple[PyJWK, ...] = field(repr=False)

    def find(self, algorithm: str, kid: str | None) -> PyJWK | None:
        """Return the one key that fits, or None where none or several do.

        A key without an id fits every `kid`; a token without one fits where no choice is left.
        """
        fitting = [key for key in self.keys if key.algorithm_name == algorithm]
        if kid is not None:
            fitting = [key for key in fitting if key.key_id in (None, kid)]
        return fitting[0] if len(fitting) == 1 else None


def secret_key(secret: str, kid: str | None = None) -> PyJWK:
    """Return a shared secret as an HS256 key."""
    return PyJWK({"kty": "oct", "kid": kid, "k": base64url_encode(secret.encode()).decode()}, HMAC)


def parse_jwks(document: object) -> tuple[PyJWK, ...]:
    """Return the public RS256, ES256 and EdDSA signature keys of a JWK set (RFC 7517); skip all others.

    Raises UnusableJwksError where the document is no JWK set or holds no such key.
    """
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise UnusableJwksError("it is no JWK set, which is an object with a list 'keys'")
    keys = tuple(key for entry in entries if (key := _usable(entry)) is not None)
    if not keys:
        raise UnusableJwksError("it holds no public RS256, ES256 or EdDSA key for signatures")
    return keys


def _usable(entry: object) -> PyJWK | None:
    if not isinstance(entry, dict):
        return None
    algorithm = _algorithm_of(entry)
    if algorithm is None or not _verifies(entry):
        return None
    try:
        key = PyJWK(entry, algorithm)
    except (PyJWTError, KeyError):
        return None
    return None if key.Algorithm.check_key_length(key.key) else key


def _algorithm_of(entry: dict[str, object]) -> str | None:
    kind, curve = entry.get("kty"), entry.get("crv")
    if not isinstance(kind, str) or not isinstance(curve, str | None):
        return None
    algorithm = _ALGORITHM_OF.get((kind, curve))
    return algorithm if entry.get("alg", algorithm) == algorithm else None


def _verifies(entry: dict[str, object]) -> bool:
    operations = entry.get("key_ops", ["verify"])
    return (
        "d" not in entry  # a private key has no place in a set that is handed out
        and entry.get("use", "sig") == "sig"
        and isinstance(operations, list)
        and "verify" in operations
    )
