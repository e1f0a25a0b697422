"""Heartbeats: signs of life of many executions in one request (protocol 4.4)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from taskstatus.commands.base import Command, Part, objects_in, wrong
from taskstatus.commands.fields import Attempt, Handle, Instant, Label, Sequence63, StepId, Token
from taskstatus.domain.errors import FieldError

MAX_HEARTBEATS = 1_000


class Heartbeat(Part):
    """A sign of life of one execution, proven by its token or its handle."""

    execution_id: Label
    heartbeat_seq: Sequence63
    observed_at: Instant | None = None
    execution_token: Token | None = None
    execution_handle: Handle | None = None
    task_id: Label | None = None
    step_id: StepId | None = None
    step_attempt: Attempt | None = None


class HeartbeatBatch(Command):
    """Many beats in one request. Its shape is judged as a whole, then each beat by itself."""

    heartbeats: Annotated[list[Heartbeat], Field(min_length=1, max_length=MAX_HEARTBEATS)]

    @classmethod
    def cross_check(cls, raw: Mapping[str, Any], pointer: str) -> Iterator[FieldError]:
        """Each beat is proven by exactly one of token and handle."""
        for where, beat in objects_in(raw, "heartbeats", pointer):
            sent = [name for name in ("executionToken", "executionHandle") if beat.get(name) is not None]
            if len(sent) != 1:
                yield wrong(f"{where}/{(sent or ['executionToken'])[-1]}", "Send either a token or a handle.")
