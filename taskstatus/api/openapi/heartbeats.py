"""What the path of heartbeats takes, answers and refuses (protocol 4.4)."""

from typing import Annotated, Final

from pydantic import Field

from taskstatus.api.openapi import examples, refusals
from taskstatus.api.openapi.answers import Answer, Decimal, Instant
from taskstatus.api.openapi.operation import Answers, Takes, in_header, operation
from taskstatus.commands.heartbeats import HeartbeatBatch
from taskstatus.domain.beats import BeatReason
from taskstatus.domain.lifecycle import Health

TAG: Final = "Events"


class HeartbeatResult(Answer):
    """What became of one beat, and what its worker should know."""

    execution_id: str
    accepted: bool
    duplicate: bool
    health: Health | None
    reason: BeatReason | None
    lease_until: Instant | None
    next_interval_seconds: Annotated[int, Field(ge=1)] | None
    cancel_requested: bool | None
    superseded: bool | None


class HeartbeatResults(Answer):
    """What became of every beat, in the order sent."""

    results: Annotated[list[HeartbeatResult], Field(description="One entry for each beat.")]
    received_at: Instant
    epoch: Decimal


renew_leases = operation(
    "renewLeases",
    TAG,
    "Show that executions are alive",
    "A beat renews its execution's lease and changes nothing else. The answer tells the worker until when it is "
    "believed, when to beat again, and whether it was asked to cancel or was superseded. The same heartbeatSeq again "
    "is a duplicate, a lower one is stale. What is wrong in the list refuses all of it; after that each beat is judged "
    "by itself, and a refusal explains: by itself it never means that the work should stop. Needs the role worker.",
    parameters=[
        in_header("Content-Encoding", "gzip for a packed body, of at most 8 MiB unpacked.", enum=["gzip", "identity"])
    ],
    takes=Takes(HeartbeatBatch, examples.HEARTBEATS),
    answers={200: Answers("What became of every beat.", HeartbeatResults, examples.HEARTBEAT_RESULTS)},
    refuses=(*refusals.WRITE, "RATE_LIMITED", "BATCH_TOO_LARGE"),
)
