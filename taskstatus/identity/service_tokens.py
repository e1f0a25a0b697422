"""Service tokens: audience `task-status`, keys by SERVICE_TOKEN_SECRET, SERVICE_TOKEN_JWKS (protocol 2)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.conf import settings

from taskstatus.domain.lifecycle import Role
from taskstatus.identity.certificates import read_binding, require_certificate
from taskstatus.identity.claims import Claims
from taskstatus.identity.principals import Service
from taskstatus.identity.refusals import token_invalid
from taskstatus.identity.trust import key_source
from taskstatus.identity.verifier import Verifier

AUDIENCE: Final = "task-status"


@dataclass(frozen=True, slots=True)
class _BoundService:
    service: Service
    certificate: bytes | None


def verify(token: str, certificate_thumbprint: str | None = None) -> Service:
    """Return the service that the token proves; raise TOKEN_INVALID or TOKEN_EXPIRED.

    `certificate_thumbprint` is the SHA-256 of the client's certificate as the proxy hands it on.
    """
    verifier = _verifier(settings.SERVICE_TOKEN_SECRET, settings.SERVICE_TOKEN_JWKS, settings.SERVICE_TOKEN_ISSUER)
    bound = verifier.verify(token)
    require_certificate(bound.certificate, certificate_thumbprint)
    return bound.service


# Keyed by the settings, so that a changed setting never meets what another one has proven.
@lru_cache(maxsize=2)
def _verifier(secret: str, jwks: str, issuer: str) -> Verifier[_BoundService]:
    return Verifier(key_source(secret, jwks), AUDIENCE, issuer, _read)


def _read(claims: Claims, _digest: str) -> _BoundService:
    service = Service(
        tenant=claims.name("tenant"),
        scope=claims.name("scope"),
        producer_id=claims.name("sub"),
        roles=_roles(claims),
    )
    return _BoundService(service, read_binding(claims.optional("cnf")))


def _roles(claims: Claims) -> frozenset[Role]:
    try:
        return frozenset(map(Role, claims.names("roles")))
    except ValueError:
        raise token_invalid(f"Claim 'roles' may hold {', '.join(Role)} only.") from None
