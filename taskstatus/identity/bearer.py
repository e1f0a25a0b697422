"""Reads the `Authorization` header: who sends this call (protocol 2)."""

import re
from typing import Final

from taskstatus.identity import execution_tokens, service_tokens, user_tokens
from taskstatus.identity.principals import ExecutionClaims, Service, User
from taskstatus.identity.refusals import token_invalid, token_missing
from taskstatus.identity.verifier import unproven_part

_BEARER: Final = re.compile(r"bearer +([!-~]+)", re.IGNORECASE)


def read_service_or_execution(
    authorization: str | None, certificate_thumbprint: str | None = None
) -> Service | ExecutionClaims:
    """Return the service or the execution that the header's token proves, as its `aud` says.

    Raises TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED.
    """
    token = _token(authorization)
    # Only the choice of the verifier rests on this unproven claim: the verifier judges it again.
    if unproven_part(token, 1).get("aud") == execution_tokens.AUDIENCE:
        return execution_tokens.verify(token)
    return service_tokens.verify(token, certificate_thumbprint)


def read_service(authorization: str | None, certificate_thumbprint: str | None = None) -> Service:
    """Return the service that the header's token proves; raise TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED.

    `certificate_thumbprint` is the SHA-256 of the client's certificate, where the proxy hands it on.
    """
    return service_tokens.verify(_token(authorization), certificate_thumbprint)


def read_user(authorization: str | None) -> User:
    """Return the user that the header's token proves; raise TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED."""
    return user_tokens.verify(_token(authorization))


def _token(authorization: str | None) -> str:
    text = (authorization or "").strip()
    if not text:
        raise token_missing()
    match = _BEARER.fullmatch(text)
    if match is None:
        raise token_invalid("The header 'Authorization' must be 'Bearer' and one token.")
    return match[1]
