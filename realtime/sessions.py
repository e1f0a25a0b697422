"""Which channels a user's session listens to, and where it can connect (protocol 5)."""

import hashlib
from typing import Any, Final

from django.conf import settings

from realtime.endpoints import endpoints
from realtime.tokens import connection_token
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.identity.principals import User
from taskstatus.projections.channels import SYSTEM_CHANNEL, project_channel, tenant_channel, user_channel
from taskstatus.queries.clock import read_epoch

# Every connection pays for each of its channels; nobody reads the news of more projects than this.
MAX_PROJECTS: Final = 100


def session_channels(user: User) -> dict[str, Any]:
    """The channels that every session of this user listens to: `{user, tenant, system, projects}`."""
    return {
        "user": user_channel(user.tenant, user.user_id),
        "tenant": tenant_channel(user.tenant),
        "system": SYSTEM_CHANNEL,
        "projects": [project_channel(user.tenant, project) for project in sorted(user.projects)[:MAX_PROJECTS]],
    }


def channel_names(user: User) -> list[str]:
    """The same channels as a list."""
    channels = session_channels(user)
    return [channels["user"], channels["tenant"], channels["system"], *channels["projects"]]


def describe_session(user: User) -> dict[str, Any]:
    """How this session gets its messages; the token subscribes to exactly the channels that are named."""
    token = connection_token(user, channel_names(user), session_key(user))
    return {
        "epoch": str(read_epoch()),
        "transport": settings.REALTIME_TRANSPORT,
        "endpoints": endpoints(),
        "token": token.text,
        "expiresAt": format_utc_millis(token.expires_at),
        "channels": session_channels(user),
        "limits": {
            "maxDetailSubscriptions": settings.MAX_DETAIL_SUBSCRIPTIONS,
            "maxWatchedTasks": settings.MAX_WATCHED_TASKS,
        },
    }


def session_key(user: User) -> str:
    """A name for the session of this user that proves nothing to whoever reads it: 64 hexadecimal digits."""
    return digest("session", user.tenant, user.user_id, user.session_id)


def digest(*parts: str) -> str:
    """SHA-256 of the parts; no two lists of parts are spelled alike."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()
