"""Leave to hear of one task or workflow in detail (protocol 5, source design 6.5 and 7.2).

A subscription is counted on the server for as long as it lives: the lease is taken with the first token, kept by every
renewal that Centrifugo asks for, and lapses when nothing asks any more.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings

from realtime.seats import seats
from realtime.sessions import digest, session_key
from realtime.tokens import SUBSCRIPTION_SECONDS, subscription_token
from taskstatus.domain.errors import DomainError
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.identity import clock
from taskstatus.identity.principals import User
from taskstatus.projections.channels import detail_channel, workflow_channel
from taskstatus.queries.access import task_not_found, visible_tasks, visible_workflows, workflow_not_found

# Centrifugo asks for a renewal up to this long after a subscription's end.
RENEWAL_LAG_SECONDS: Final = 60
LEASE_SECONDS: Final = SUBSCRIPTION_SECONDS + RENEWAL_LAG_SECONDS
_TASK, _WORKFLOW = "task_detail", "workflow_summary"


def subscribe_to_task(user: User, task_id: str) -> dict[str, Any]:
    """A token for a task's details; raises TASK_NOT_FOUND, DETAIL_SUBSCRIPTION_LIMIT."""
    if not visible_tasks(user).filter(pk=task_id).exists():
        raise task_not_found()
    return _issue(user, _TASK, detail_channel(user.tenant, task_id))


def subscribe_to_workflow(user: User, workflow_id: str) -> dict[str, Any]:
    """A token for a workflow's summaries; raises WORKFLOW_NOT_FOUND, DETAIL_SUBSCRIPTION_LIMIT."""
    if not visible_workflows(user).filter(pk=workflow_id).exists():
        raise workflow_not_found()
    return _issue(user, _WORKFLOW, workflow_channel(user.tenant, workflow_id))


def end_subscription(user: User, lease: str) -> None:
    """Give the lease back; one that is unknown, lapsed or of another session is nothing to give back."""
    for kind in (_TASK, _WORKFLOW):
        seats().leave(_holder(session_key(user), kind), lease)


def renew_subscription(subject: str, channel: str, meta: object) -> datetime | None:
    """Until when the subscription lives on; None where the right or the lease is gone.

    `subject`, `channel` and `meta` come from Centrifugo, which has them from tokens of this service. Only an older
    token's `meta` can lack a member.
    """
    tenant, _, user_id = subject.partition("/")
    kind, _, rest = channel.partition(":")
    owner, _, object_id = rest.partition("/")
    visible = {_TASK: visible_tasks, _WORKFLOW: visible_workflows}.get(kind)
    session, projects, roles = _meta(meta)
    user = User(tenant, user_id, projects, roles, session_id="")
    if visible is None or owner != tenant or not visible(user).filter(pk=object_id).exists():
        return None
    if not session or not _take(session, kind, channel):
        return None
    return datetime.fromtimestamp(int(clock.unix_now()) + SUBSCRIPTION_SECONDS, UTC)


def _meta(meta: object) -> tuple[str, frozenset[str], frozenset[str]]:
    """The session's key, the projects and the roles that stood in the connection's token."""
    known: Mapping[str, Any] = meta if isinstance(meta, dict) else {}
    return str(known.get("session", "")), frozenset(known.get("projects", ())), frozenset(known.get("roles", ()))


def _issue(user: User, kind: str, channel: str) -> dict[str, Any]:
    key = session_key(user)
    if not _take(key, kind, channel):
        limit = settings.MAX_DETAIL_SUBSCRIPTIONS
        raise DomainError("DETAIL_SUBSCRIPTION_LIMIT", f"A session may have {limit} of these open; close one first.")
    token = subscription_token(user, channel)
    return {
        "channel": channel,
        "token": token.text,
        "expiresAt": format_utc_millis(token.expires_at),
        "lease": _lease(key, channel),
    }


def _take(session: str, kind: str, channel: str) -> bool:
    """Take or renew the place; tasks and workflows are counted apart, each up to the limit."""
    limit = settings.MAX_DETAIL_SUBSCRIPTIONS
    return seats().take(_holder(session, kind), _lease(session, channel), limit, LEASE_SECONDS)


def _holder(session: str, kind: str) -> str:
    return digest("subscriptions", session, kind)


def _lease(session: str, channel: str) -> str:
    """The same for the same channel: two tabs of a session that look at one task need one place."""
    return digest("lease", session, channel)
