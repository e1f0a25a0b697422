"""Makes service and user tokens with the shared secrets, for development; production has its issuer."""

from collections.abc import Iterable, Mapping
from typing import Final

import jwt
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from taskstatus.identity import clock, service_tokens, user_tokens
from taskstatus.identity.keys import HMAC

DEFAULT_ISSUER: Final = "task-status-development"


def mint_service(*, tenant: str, scope: str, producer_id: str, roles: Iterable[str], ttl_seconds: int) -> str:
    """Return a service token that `read_service` accepts, good for `ttl_seconds`.

    Raises TOKEN_INVALID where a value is none that a token may hold, ImproperlyConfigured without a secret.
    """
    secret = _required("SERVICE_TOKEN_SECRET", settings.SERVICE_TOKEN_SECRET)
    who = {"sub": producer_id, "tenant": tenant, "scope": scope, "roles": sorted(roles)}
    token = _sign(secret, settings.SERVICE_TOKEN_ISSUER, service_tokens.AUDIENCE, ttl_seconds, who)
    service_tokens.verify(token)
    return token


def mint_user(*, tenant: str, user_id: str, projects: Iterable[str], roles: Iterable[str], ttl_seconds: int) -> str:
    """Return a user token that `read_user` accepts, good for `ttl_seconds`; raises as `mint_service` does."""
    secret = _required("USER_TOKEN_SECRET", settings.USER_TOKEN_SECRET)
    who = {"sub": user_id, "tenant": tenant, "projects": sorted(projects), "roles": sorted(roles)}
    token = _sign(secret, settings.USER_TOKEN_ISSUER, user_tokens.AUDIENCE, ttl_seconds, who)
    user_tokens.verify(token)
    return token


def _required(name: str, secret: str) -> str:
    if not secret:
        raise ImproperlyConfigured(f"{name} is not set: only a shared secret can sign here; a JWKS holds public keys.")
    return secret


def _sign(secret: str, issuer: str, audience: str, ttl_seconds: int, who: Mapping[str, object]) -> str:
    now = int(clock.unix_now())
    times = {"iat": now, "exp": now + ttl_seconds}
    return jwt.encode({"iss": issuer or DEFAULT_ISSUER, "aud": audience, **who, **times}, secret, HMAC)
