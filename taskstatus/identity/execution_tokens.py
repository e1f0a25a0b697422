"""Execution tokens: signed by this service for one execution, keys by EXECUTION_TOKEN_KEYS (protocol 2)."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

import jwt
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from taskstatus.domain.lifecycle import EventType
from taskstatus.identity.claims import Claims
from taskstatus.identity.key_sources import FixedKeys
from taskstatus.identity.keys import HMAC, secret_key
from taskstatus.identity.principals import ExecutionClaims
from taskstatus.identity.refusals import token_invalid
from taskstatus.identity.verifier import Verifier

AUDIENCE: Final = "task-status-execution"
ISSUER: Final = "task-status-service"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def issue(claims: ExecutionClaims) -> str:
    """Return a token for these claims, signed with the first key; `expires_at` is kept to the millisecond."""
    keys = settings.EXECUTION_TOKEN_KEYS
    if not keys:
        raise ImproperlyConfigured("EXECUTION_TOKEN_KEYS: set kid:secret, or no execution can be activated")
    kid, secret = keys[0]
    return jwt.encode(_to_payload(claims), secret, algorithm=HMAC, headers={"kid": kid})


def verify(token: str) -> ExecutionClaims:
    """Return the claims of a token that any configured key signed; raise TOKEN_INVALID or TOKEN_EXPIRED."""
    return _verifier(settings.EXECUTION_TOKEN_KEYS).verify(token)


@lru_cache(maxsize=2)
def _verifier(keys: tuple[tuple[str, str], ...]) -> Verifier[ExecutionClaims]:
    source = FixedKeys([secret_key(secret, kid) for kid, secret in keys])
    return Verifier(source, AUDIENCE, ISSUER, _read)


def _to_payload(claims: ExecutionClaims) -> dict[str, object]:
    return {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "exp": _to_seconds(claims.expires_at),
        "sub": claims.producer_id,
        "tenant": claims.tenant,
        "scope": claims.scope,
        "workflow": claims.workflow_id,
        "task": claims.task_id,
        "taskAttempt": claims.task_attempt,
        "step": claims.step_id,
        "stepAttempt": claims.step_attempt,
        "execution": claims.execution_id,
        "operation": claims.operation_code,
        "events": sorted(claims.allowed_event_types),
        "generation": claims.generation,
    }


def _read(claims: Claims, _digest: str) -> ExecutionClaims:
    return ExecutionClaims(
        tenant=claims.name("tenant"),
        scope=claims.name("scope"),
        workflow_id=claims.text("workflow"),
        task_id=claims.text("task"),
        task_attempt=claims.whole("taskAttempt"),
        step_id=claims.text("step"),
        step_attempt=claims.whole("stepAttempt"),
        execution_id=claims.text("execution"),
        operation_code=claims.text("operation"),
        producer_id=claims.name("sub"),
        allowed_event_types=_event_types(claims),
        generation=claims.whole("generation"),
        expires_at=_to_moment(claims.moment("exp") or 0),
    )


def _event_types(claims: Claims) -> frozenset[EventType]:
    try:
        return frozenset(map(EventType, claims.names("events")))
    except ValueError:
        raise token_invalid("Claim 'events' names an unknown event type.") from None


def _to_seconds(moment: datetime) -> float:
    # Rounded down: the token must not outlive what its issuer was told.
    return (moment - _EPOCH) // timedelta(milliseconds=1) / 1_000


def _to_moment(seconds: float) -> datetime:
    # By whole milliseconds, so that no binary fraction of a second is added.
    return _EPOCH + timedelta(milliseconds=round(seconds * 1_000))
