"""User tokens: audience `task-status-user`, keys by USER_TOKEN_SECRET, USER_TOKEN_JWKS (protocol 2)."""

from functools import lru_cache
from typing import Final

from django.conf import settings

from taskstatus.identity.claims import Claims
from taskstatus.identity.principals import User
from taskstatus.identity.trust import key_source
from taskstatus.identity.verifier import Verifier

AUDIENCE: Final = "task-status-user"


def verify(token: str) -> User:
    """Return the user that the token proves; raise TOKEN_INVALID or TOKEN_EXPIRED."""
    verifier = _verifier(settings.USER_TOKEN_SECRET, settings.USER_TOKEN_JWKS, settings.USER_TOKEN_ISSUER)
    return verifier.verify(token)


@lru_cache(maxsize=2)
def _verifier(secret: str, jwks: str, issuer: str) -> Verifier[User]:
    return Verifier(key_source(secret, jwks), AUDIENCE, issuer, _read)


def _read(claims: Claims, digest: str) -> User:
    return User(
        tenant=claims.name("tenant"),
        user_id=claims.name("sub"),
        projects=claims.names("projects"),
        roles=claims.names("roles"),
        session_id=_session_id(claims, digest),
    )


def _session_id(claims: Claims, digest: str) -> str:
    for claim in ("sid", "jti"):
        if claims.optional(claim) is not None:
            return claims.text(claim)
    return digest
