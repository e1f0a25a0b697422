"""Tokens for Centrifugo: who connects, and who hears of one task or workflow (protocol 5, source design 7).

Made for verified users alone, good for minutes. Each is signed with a key of its own, so that neither kind can stand
for the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import jwt
from django.conf import settings
from django.utils.crypto import salted_hmac

from taskstatus.identity import clock
from taskstatus.identity.principals import User

CONNECTION_SECONDS: Final = 600
SUBSCRIPTION_SECONDS: Final = 300
CONNECTION_AUDIENCE: Final = "task-realtime"
SUBSCRIPTION_AUDIENCE: Final = "task-realtime-sub"
ISSUER: Final = "task-status-service"
_ALGORITHM: Final = "HS256"


@dataclass(frozen=True, slots=True)
class Token:
    """A signed token and its end."""

    text: str = field(repr=False)
    expires_at: datetime


def connection_token(user: User, channels: Sequence[str], session: str) -> Token:
    """A token with which this user connects and is subscribed to exactly these channels.

    `meta` stays on Centrifugo's side of the connection and comes back when a subscription is to be renewed.
    """
    meta = {"session": session, "projects": sorted(user.projects), "roles": sorted(user.roles)}
    claims = {"channels": list(channels), "aud": CONNECTION_AUDIENCE, "meta": meta}
    return _sign(settings.CENTRIFUGO_TOKEN_SECRET, CONNECTION_AUDIENCE, subject(user), claims, CONNECTION_SECONDS)


def subscription_token(user: User, channel: str) -> Token:
    """A token with which this user's connection, and no other's, may subscribe to this channel."""
    claims = {"channel": channel, "aud": SUBSCRIPTION_AUDIENCE}
    secret = settings.CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET
    return _sign(secret, SUBSCRIPTION_AUDIENCE, subject(user), claims, SUBSCRIPTION_SECONDS)


def subject(user: User) -> str:
    """Centrifugo's name for the user."""
    return f"{user.tenant}/{user.user_id}"


def _sign(secret: str, audience: str, sub: str, claims: Mapping[str, object], seconds: int) -> Token:
    ends_at = int(clock.unix_now()) + seconds
    text = jwt.encode({"sub": sub, "iss": ISSUER, **claims, "exp": ends_at}, secret or _own_key(audience), _ALGORITHM)
    return Token(text, datetime.fromtimestamp(ends_at, UTC))


def _own_key(audience: str) -> str:
    """Without Centrifugo nobody takes these tokens; they keep their form, so that clients know only one."""
    return salted_hmac(audience, "realtime", algorithm="sha256").hexdigest()
