"""Tokens that claim what their issuer never said, or are signed by somebody else."""

from typing import Any

import jwt


def resigned(token: str, secret: str = "x" * 32, algorithm: str = "HS256", **changes: Any) -> str:
    """The token's claims with these changes, signed with another secret unless the right one is given."""
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(claims | changes, secret, algorithm=algorithm)
