"""What the realtime paths take, answer and refuse (protocol 5)."""

from typing import Annotated, Final, Literal

from pydantic import Field

from taskstatus.api.openapi import examples, refusals
from taskstatus.api.openapi.answers import Answer, Decimal, Instant
from taskstatus.api.openapi.my_tasks import USER
from taskstatus.api.openapi.operation import Answers, Takes, in_header, in_path, operation, out_header
from taskstatus.commands.realtime import Subscribe, WatchTasks

TAG: Final = "Realtime"
_ENDS_AT: Final = "2026-09-21T07:20:24.000Z"
_TOKEN: Final = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY21lL2FsaWNlIn0.c2lnbmF0dXJl"  # noqa: S105 - of a story
_LEASE: Final = "6d1f0b4e5a0c4c1ea3f1d6f0c7b8a9e26d1f0b4e5a0c4c1ea3f1d6f0c7b8a9e2"
_FRAMES: Final = 'id: 1.4711.1790000000\nevent: message\ndata: {"kind":"task.summary","taskId":"…"}\n\n'


class Channels(Answer):
    """Where the session hears of what concerns its user."""

    user: Annotated[str, Field(description="Everything that the user may see.")]
    tenant: Annotated[str, Field(description="What everybody of the tenant is told.")]
    system: Annotated[str, Field(description="What everybody is told.")]
    projects: Annotated[list[str], Field(description="What the members of each of the user's projects are told.")]


class RealtimeLimits(Answer):
    """How much of it the session may have at once."""

    max_detail_subscriptions: Annotated[int, Field(description="Tasks, and workflows, subscribed to in detail.")]
    max_watched_tasks: Annotated[int, Field(description="Tasks in the watch set.")]


class RealtimeSession(Answer):
    """How the session gets its messages."""

    epoch: Decimal
    transport: Annotated[Literal["centrifugo", "sse"], Field(description="What to try first.")]
    endpoints: Annotated[
        dict[str, str],
        Field(description="stream is the native one. With Centrifugo also websocket, httpStream, sse and emulation."),
    ]
    token: Annotated[str, Field(description="Connects to Centrifugo and subscribes to these channels and no others.")]
    expires_at: Annotated[Instant, Field(description="When the token ends.")]
    channels: Annotated[Channels, Field(description="The channels that the token subscribes to.")]
    limits: Annotated[RealtimeLimits, Field(description="How much the session may have at once.")]


class Subscription(Answer):
    """Leave to subscribe to one channel."""

    channel: Annotated[str, Field(description="What to subscribe to.")]
    token: Annotated[str, Field(description="Subscribes this user's connections to this channel.")]
    expires_at: Annotated[Instant, Field(description="When the token ends; Centrifugo renews the subscription itself.")]
    lease: Annotated[str, Field(description="What to give back when the page is closed.")]


class WatchSet(Answer):
    """What the native stream carries details of."""

    task_ids: list[str]
    expires_at: Annotated[Instant | None, Field(description="When that ends, unless it is put again; null for none.")]


_WATCHED: Final = {"taskIds": [examples.TASK_ID], "expiresAt": _ENDS_AT}

get_session = operation(
    "getRealtimeSession",
    TAG,
    "Begin a realtime session",
    "Where to connect, which channels the session hears, and a token that lives for minutes. Ask again before it ends.",
    answers={
        200: Answers(
            "The session.",
            RealtimeSession,
            {
                "epoch": "1",
                "transport": "sse",
                "endpoints": {"stream": "/api/v1/me/task-stream"},
                "token": _TOKEN,
                "expiresAt": _ENDS_AT,
                "channels": {
                    "user": "task_user:acme/alice",
                    "tenant": "task_tenant:acme",
                    "system": "task_system:public",
                    "projects": ["task_project:acme/contracts"],
                },
                "limits": {"maxDetailSubscriptions": 20, "maxWatchedTasks": 20},
            },
        )
    },
    refuses=refusals.USER_READ,
    proved_by=USER,
)

subscribe = operation(
    "subscribe",
    TAG,
    "Subscribe to a task or a workflow",
    "Looks at the user's right to it again and counts it. The same task or workflow of a session counts once.",
    takes=Takes(Subscribe, {"taskId": examples.TASK_ID}),
    answers={
        200: Answers(
            "Leave to subscribe.",
            Subscription,
            {
                "channel": f"task_detail:acme/{examples.TASK_ID}",
                "token": _TOKEN,
                "expiresAt": _ENDS_AT,
                "lease": _LEASE,
            },
        )
    },
    refuses=(*refusals.USER_WRITE, "TASK_NOT_FOUND", "WORKFLOW_NOT_FOUND", "DETAIL_SUBSCRIPTION_LIMIT"),
    proved_by=USER,
)

end_subscription = operation(
    "endSubscription",
    TAG,
    "Give a subscription back",
    "Frees its place; a lease that is unknown, lapsed or another session's changes nothing.",
    parameters=[in_path("lease", "The lease that came with the token.")],
    answers={204: Answers("It is given back.")},
    refuses=(*refusals.USER_READ, "DATABASE_BUSY"),
    proved_by=USER,
)

get_watch_set = operation(
    "getWatchSet",
    TAG,
    "Read the watch set",
    "The tasks whose details the native stream of this session carries.",
    answers={200: Answers("The set.", WatchSet, _WATCHED)},
    refuses=refusals.USER_READ,
    proved_by=USER,
)

put_watch_set = operation(
    "putWatchSet",
    TAG,
    "Replace the watch set",
    "Holds for every stream of this session from now on, for some minutes; put it again before it ends. "
    "One task that is absent or unseen refuses the whole set.",
    takes=Takes(WatchTasks, {"taskIds": [examples.TASK_ID]}),
    answers={200: Answers("The set.", WatchSet, _WATCHED)},
    refuses=(*refusals.USER_WRITE, "TASK_NOT_FOUND", "WATCH_SET_LIMIT"),
    proved_by=USER,
)

stream = operation(
    "openTaskStream",
    TAG,
    "Listen",
    "A text/event-stream of `message` events with the channels' messages and the details of watched tasks, `heartbeat` "
    "events that only move the cursor, and a `reset` event where the snapshot has to be loaded. The server ends it "
    "after some minutes at most; come back with the last id.",
    parameters=[
        in_header("Last-Event-ID", "The id of the last event that was received; without it the stream starts now."),
        out_header("Cache-Control", "Never stored.", [200], const="no-store"),
    ],
    answers={200: Answers("The stream.", example=_FRAMES, media_type="text/event-stream")},
    refuses=(*refusals.USER_READ, "DATABASE_BUSY", "STREAM_LIMIT"),
    proved_by=USER,
)
