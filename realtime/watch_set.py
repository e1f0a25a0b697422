"""Which tasks a session watches in detail over the native stream (protocol 5, R13).

The set is asked at the moment of delivery, by all web workers: a change holds at once wherever the stream is, what has
lapsed needs no timer, and a right that was lost meanwhile delivers nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from realtime.models import WatchedTask
from realtime.sessions import session_key
from taskstatus.domain.errors import DomainError
from taskstatus.domain.timestamps import format_utc_millis
from taskstatus.identity.principals import User
from taskstatus.projections.channels import detail_channel
from taskstatus.queries.access import task_not_found, visible_tasks
from taskstatus.queries.clock import read_clock
from taskstatus.services.unit_of_work import use_case


@dataclass(frozen=True, slots=True)
class WatchSet:
    """Tasks, and until when they are watched; None without any."""

    task_ids: Sequence[str]
    expires_at: datetime | None

    def body(self) -> dict[str, Any]:
        """The set as the API shows it."""
        ends = None if self.expires_at is None else format_utc_millis(self.expires_at)
        return {"taskIds": list(self.task_ids), "expiresAt": ends}


@use_case
def put_watch_set(user: User, task_ids: Sequence[str]) -> WatchSet:
    """Watch these tasks and no others; raises WATCH_SET_LIMIT, and TASK_NOT_FOUND where one is absent or unseen."""
    wanted = list(dict.fromkeys(task_ids))
    if len(wanted) > settings.MAX_WATCHED_TASKS:
        raise DomainError("WATCH_SET_LIMIT", f"A session may watch {settings.MAX_WATCHED_TASKS} tasks.")
    if _visible(user, wanted) != set(wanted):
        raise task_not_found()
    now, _epoch = read_clock()
    key, ends = session_key(user), now + settings.WATCH_SET_TTL
    WatchedTask.objects.filter(session_key=key).delete()
    WatchedTask.objects.bulk_create(
        WatchedTask(session_key=key, task_id=task, channel=detail_channel(user.tenant, task), expires_at=ends)
        for task in wanted
    )
    return WatchSet(wanted, ends if wanted else None)


def read_watch_set(user: User) -> WatchSet:
    """What the session watches now."""
    rows = WatchedTask.objects.filter(session_key=session_key(user), expires_at__gt=Now()).order_by("pk")
    found = list(rows.values_list("task_id", "expires_at"))
    return WatchSet([task for task, _ in found], found[0][1] if found else None)


def watched_channels(user: User) -> list[str]:
    """The detail channels of what the session watches, and may still see."""
    watched = read_watch_set(user).task_ids
    seen = _visible(user, watched)
    return [detail_channel(user.tenant, task) for task in watched if task in seen]


def watchers(channels: Collection[str], sessions: Mapping[str, User]) -> dict[str, frozenset[str]]:
    """For each of these detail channels, those of the sessions that watch its task and may still see it.

    One query for the watchers, and one for the rights of each of them.
    """
    rows = WatchedTask.objects.filter(channel__in=channels, expires_at__gt=Now())
    watched: dict[str, dict[str, str]] = {}
    for key, task, channel in rows.values_list("session_key", "task_id", "channel"):
        if key in sessions:
            watched.setdefault(key, {})[task] = channel
    listening: dict[str, set[str]] = {}
    for key, channel_of in watched.items():
        for task in _visible(sessions[key], channel_of):
            listening.setdefault(channel_of[task], set()).add(key)
    return {channel: frozenset(keys) for channel, keys in listening.items()}


def _visible(user: User, task_ids: Collection[str]) -> set[str]:
    if not task_ids:
        return set()
    return set(visible_tasks(user).filter(pk__in=task_ids).values_list("pk", flat=True))
