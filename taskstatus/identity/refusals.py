"""The refusals of a credential. Their texts name a claim at most: never its value, a token or a key."""

from taskstatus.domain.errors import DomainError


def token_missing() -> DomainError:
    """Return the refusal of a call without a credential."""
    return DomainError("TOKEN_MISSING", "Send a token in the header 'Authorization: Bearer …'.")


def token_invalid(detail: str) -> DomainError:
    """Return the refusal of a token that proves nothing; `detail` must not quote it."""
    return DomainError("TOKEN_INVALID", detail)


def token_expired() -> DomainError:
    """Return the refusal of a token that was good until its `exp`."""
    return DomainError("TOKEN_EXPIRED", "The token has expired; ask its issuer for a new one.")
