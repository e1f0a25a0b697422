"""What the credential of each beat proves, before anything is asked of its execution (protocol 4.4)."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from taskstatus.commands.heartbeats import Heartbeat
from taskstatus.domain.beats import BeatReason
from taskstatus.domain.errors import DomainError
from taskstatus.identity import execution_tokens
from taskstatus.identity.handles import hash_handle
from taskstatus.identity.principals import Service
from taskstatus.queries.known_handles import KnownHandle, handles_of


class Credential(NamedTuple):
    """What a token and a handle have in common."""

    tenant: str
    scope: str
    execution_id: str
    producer_id: str
    generation: int


def prove_beats(beats: Sequence[Heartbeat], caller: Service) -> list[Credential | BeatReason]:
    """The credential of each beat, in the order given, or why it proves nothing; handles are looked up together."""
    hashes = [hash_handle(beat.execution_handle) if beat.execution_handle is not None else None for beat in beats]
    handles, now = handles_of({one for one in hashes if one is not None}), timezone.now()
    return [
        _proven(_credential(beat, handles.get(one) if one else None, now), beat, caller)
        for beat, one in zip(beats, hashes, strict=True)
    ]


def _credential(beat: Heartbeat, handle: KnownHandle | None, now: datetime) -> Credential | BeatReason:
    if beat.execution_token is not None:
        return _of_token(beat.execution_token)
    return BeatReason.TOKEN_INVALID if handle is None else _of_handle(handle, now)


def _of_token(token: str) -> Credential | BeatReason:
    try:
        claims = execution_tokens.verify(token)
    except DomainError as error:
        return BeatReason(error.code)
    return Credential(claims.tenant, claims.scope, claims.execution_id, claims.producer_id, claims.generation)


def _of_handle(handle: KnownHandle, now: datetime) -> Credential | BeatReason:
    if handle.expires_at <= now:
        return BeatReason.HANDLE_EXPIRED
    return Credential(
        handle.tenant_id, handle.authority_scope, handle.execution_id, handle.producer_id, handle.generation
    )


def _proven(credential: Credential | BeatReason, beat: Heartbeat, caller: Service) -> Credential | BeatReason:
    """The credential if it is the caller's own and of this execution; of another tenant or scope it proves nothing."""
    if isinstance(credential, BeatReason):
        return credential
    if (credential.tenant, credential.scope) != (caller.tenant, caller.scope):
        return BeatReason.TOKEN_INVALID
    if credential.execution_id != beat.execution_id:
        return BeatReason.EXECUTION_NOT_FOUND
    return credential if credential.producer_id == caller.producer_id else BeatReason.PRODUCER_MISMATCH
