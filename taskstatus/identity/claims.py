"""Reads the signed claims of a token by type; whatever is missing or malformed is TOKEN_INVALID."""

import json
import re
from collections.abc import Mapping
from typing import Final, Self, TypeGuard

from taskstatus.domain import characters
from taskstatus.identity import clock
from taskstatus.identity.refusals import token_expired, token_invalid

# Clocks of issuers run ahead of ours by a little; no such grace is given to `exp`.
START_LEEWAY_SECONDS: Final = 5
_LATEST_MOMENT: Final = 253_402_300_799  # the last second of year 9999
_MAX_NAME_CHARS: Final = 64
_MAX_TEXT_CHARS: Final = 255
_NAME: Final = re.compile(characters.NAME)
_TEXT: Final = re.compile(characters.PRINTABLE)


class Claims:
    """The statements of one token whose signature was already checked."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, object]) -> None:
        """Take the claims by name; null counts as absent."""
        self._values = values

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        """Read a token's payload, which must be a JSON object."""
        try:
            values = json.loads(payload)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise token_invalid("The token's payload is no JSON object.")
        return cls(values)

    def optional(self, claim: str) -> object:
        """Return the claim as it was sent, or None."""
        return self._values.get(claim)

    def name(self, claim: str) -> str:
        """Return an identifier of 1 to 64 characters (protocol 1: tenantId, producerId and their kind)."""
        return _name(claim, self._values.get(claim))

    def names(self, claim: str) -> frozenset[str]:
        """Return a list of such identifiers, which may be empty."""
        values = self._values.get(claim)
        if not isinstance(values, list):
            raise token_invalid(f"Claim '{claim}' must be a list.")
        return frozenset(_name(claim, value) for value in values)

    def text(self, claim: str) -> str:
        """Return 1 to 255 printable ASCII characters without a space."""
        value = self._values.get(claim)
        if not _is_text(value, _TEXT, _MAX_TEXT_CHARS):
            raise token_invalid(f"Claim '{claim}' must be 1-255 printable ASCII characters without spaces.")
        return value

    def whole(self, claim: str) -> int:
        """Return a whole number that is not negative."""
        value = self._values.get(claim)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise token_invalid(f"Claim '{claim}' must be a whole number.")
        return value

    def moment(self, claim: str) -> float | None:
        """Return a JWT NumericDate in Unix seconds, or None where the claim is absent."""
        value = self._values.get(claim)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not _in_calendar(value):
            raise token_invalid(f"Claim '{claim}' must be a time in seconds since 1970.")
        return value

    def require_audience(self, audience: str) -> None:
        """Refuse a token that was made for somebody else (RFC 7519 4.1.3: one name or a list)."""
        sent = self._values.get("aud")
        if sent != audience and not (isinstance(sent, list) and audience in sent):
            raise token_invalid("The token is meant for another audience.")

    def require_issuer(self, issuer: str) -> None:
        """Refuse a token without an issuer; of another one too, unless `issuer` is empty."""
        if self.text("iss") != issuer and issuer:
            raise token_invalid("The token comes from another issuer.")

    def require_time(self) -> float:
        """Return `exp` in Unix seconds; raise TOKEN_EXPIRED since then, TOKEN_INVALID before `nbf`, `iat`."""
        expires_at = self.moment("exp")
        if expires_at is None:
            raise token_invalid("Claim 'exp' is missing.")
        now = clock.unix_now()
        if now >= expires_at:
            raise token_expired()
        for claim in ("nbf", "iat"):
            if (self.moment(claim) or 0) > now + START_LEEWAY_SECONDS:
                raise token_invalid(f"The token is not valid yet; its '{claim}' lies in the future.")
        return expires_at


def _name(claim: str, value: object) -> str:
    if not _is_text(value, _NAME, _MAX_NAME_CHARS):
        raise token_invalid(f"Claim '{claim}' must hold 1-64 characters of A-Z a-z 0-9 . _ -")
    return value


def _is_text(value: object, pattern: re.Pattern[str], max_chars: int) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= max_chars and pattern.fullmatch(value) is not None


def _in_calendar(seconds: float) -> bool:
    # NaN fails both comparisons; a huge int is compared without becoming a float.
    return 0 <= seconds <= _LATEST_MOMENT
