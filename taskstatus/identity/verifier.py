"""Proves one kind of token: its signature, audience, issuer and time; a reader makes the principal of it."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Final, Generic

from jwt import PyJWK, PyJWS
from jwt.exceptions import PyJWTError
from jwt.utils import base64url_decode

from taskstatus.identity.claims import Claims
from taskstatus.identity.key_sources import KeySource
from taskstatus.identity.keys import ALGORITHMS, KeySet
from taskstatus.identity.proofs import PrincipalT, Proof, ProofCache
from taskstatus.identity.refusals import token_invalid

MAX_TOKEN_CHARS: Final = 8_192
_COMPACT: Final = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_JWS: Final = PyJWS(options={"enforce_minimum_key_length": True})


class Verifier(Generic[PrincipalT]):
    """Turns tokens of one audience into principals."""

    def __init__(
        self,
        source: KeySource,
        audience: str,
        issuer: str,
        read: Callable[[Claims, str], PrincipalT],
    ) -> None:
        """Take any issuer where `issuer` is empty; `read` gets the claims and the token's SHA-256 in hex."""
        self._source = source
        self._audience = audience
        self._issuer = issuer
        self._read = read
        self._proofs: ProofCache[PrincipalT] = ProofCache()

    def verify(self, token: str) -> PrincipalT:
        """Return whom the token stands for; raise TOKEN_INVALID or TOKEN_EXPIRED."""
        _require_compact(token)
        digest = hashlib.sha256(token.encode())
        keys = self._source.current()
        proof = self._proofs.get(digest.digest(), keys)
        if proof is None:
            proof = self._prove(token, digest.hexdigest(), keys)
            self._proofs.put(digest.digest(), proof)
        return proof.principal

    def _prove(self, token: str, digest: str, keys: KeySet) -> Proof[PrincipalT]:
        key, keys = self._find_key(token, keys)
        claims = Claims.parse(_signed_payload(token, key))
        claims.require_audience(self._audience)
        claims.require_issuer(self._issuer)
        expires_at = claims.require_time()
        return Proof(self._read(claims, digest), expires_at, keys)

    def _find_key(self, token: str, keys: KeySet) -> tuple[PyJWK, KeySet]:
        header = unproven_part(token, 0)
        algorithm, kid = header.get("alg"), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS or not isinstance(kid, str | None):
            raise token_invalid("The token's header names an algorithm or a key that is not accepted.")
        key = keys.find(algorithm, kid)
        if key is None:
            keys = self._source.refreshed()
            key = keys.find(algorithm, kid)
        if key is None:
            raise token_invalid("No known key fits the token.")
        return key, keys


def _require_compact(token: str) -> None:
    """Refuse what can't be a signed JWT, before any work is spent on it."""
    if len(token) > MAX_TOKEN_CHARS:
        raise token_invalid(f"The token is longer than {MAX_TOKEN_CHARS} characters.")
    if not _COMPACT.fullmatch(token):
        raise token_invalid("The credential is no signed JSON Web Token.")


def unproven_part(token: str, index: int) -> Mapping[str, object]:
    """Return the header (0) or the claims (1) as sent, nothing of it proven; empty if it is no object."""
    if len(token) > MAX_TOKEN_CHARS:
        return {}
    try:
        part = json.loads(base64url_decode(token.split(".")[index]))
    except (ValueError, IndexError, RecursionError):
        return {}
    return part if isinstance(part, dict) else {}


def _signed_payload(token: str, key: PyJWK) -> bytes:
    try:
        payload = _JWS.decode_complete(token, key, algorithms=[key.algorithm_name])["payload"]
    except PyJWTError:
        # The library's reasons quote parts of the token.
        raise token_invalid("The token's signature or form is wrong.") from None
    return bytes(payload)
