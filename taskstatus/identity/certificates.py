"""Binds a service token to the client certificate that the deployment's proxy saw (RFC 8705 3)."""

import hmac
import re
from collections.abc import Mapping
from typing import Final

from django.conf import settings
from jwt.utils import base64url_decode

from taskstatus.identity.refusals import token_invalid

_HEX: Final = re.compile(r"[0-9A-Fa-f]{64}")
_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]{43}=?")


def presented_thumbprint(headers: Mapping[str, str]) -> str | None:
    """Return the thumbprint in the header that CLIENT_CERTIFICATE_HEADER names; None while it names none.

    The proxy must set or strip that header on every call: whoever can write it can borrow a bound token.
    """
    name: str = settings.CLIENT_CERTIFICATE_HEADER
    return headers.get(name.lower()) if name else None


def read_binding(confirmation: object) -> bytes | None:
    """Return the thumbprint that a token's `cnf` claim demands, None for an unbound token.

    A confirmation that asks for anything else can't be honoured, so it is refused rather than ignored.
    """
    if confirmation is None:
        return None
    demanded = confirmation.get("x5t#S256") if isinstance(confirmation, Mapping) else None
    thumbprint = _thumbprint(demanded) if isinstance(demanded, str) else None
    if thumbprint is None:
        raise token_invalid("Claim 'cnf' must hold the member 'x5t#S256', a SHA-256 thumbprint.")
    return thumbprint


def require_certificate(demanded: bytes | None, presented: str | None) -> None:
    """Refuse a bound token unless the proxy hands on its certificate's thumbprint, in hex or base64url."""
    if demanded is None:
        return
    thumbprint = _thumbprint(presented or "")
    if thumbprint is None or not hmac.compare_digest(demanded, thumbprint):
        raise token_invalid("The token is bound to a client certificate that did not come with the call.")


def _thumbprint(text: str) -> bytes | None:
    digits = text.strip().replace(":", "")
    if _HEX.fullmatch(digits):
        return bytes.fromhex(digits)
    return base64url_decode(digits.rstrip("=")) if _BASE64URL.fullmatch(digits) else None
