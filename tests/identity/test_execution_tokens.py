"""The service's own tokens say exactly what they were issued with, until they expire or their key goes."""

import dataclasses
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import jwt
import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from taskstatus.domain.lifecycle import EventType
from taskstatus.identity.execution_tokens import AUDIENCE, ISSUER, issue, verify
from taskstatus.identity.principals import ExecutionClaims
from tests.identity.conftest import Clock
from tests.identity.support import execution, refused, sign, unhurried

OLD, NEW = ("2026a", "o" * 40), ("2026b", "n" * 40)

NAME = st.from_regex(r"[A-Za-z0-9._-]{1,64}", fullmatch=True)
KEY = st.from_regex(r"[A-Za-z0-9._:-]{1,128}", fullmatch=True)
SOON = datetime.now(UTC) + timedelta(hours=1)
CLAIMS = st.builds(
    ExecutionClaims,
    tenant=NAME,
    scope=NAME,
    workflow_id=KEY,
    task_id=KEY,
    task_attempt=st.integers(1, 2**31),
    step_id=KEY,
    step_attempt=st.integers(1, 2**31),
    execution_id=KEY,
    operation_code=st.from_regex(r"[A-Z][A-Z0-9_.]{0,127}", fullmatch=True),
    producer_id=NAME,
    allowed_event_types=st.frozensets(st.sampled_from(EventType)),
    generation=st.integers(0, 2**63 - 1),
    expires_at=st.timedeltas(timedelta(0), timedelta(days=355_000)).map(SOON.__add__),
)


@unhurried
@given(CLAIMS)
def test_what_was_issued_is_what_is_read(claims: ExecutionClaims) -> None:
    milliseconds = claims.expires_at.microsecond // 1_000
    rounded = claims.expires_at.replace(microsecond=milliseconds * 1_000)
    assert verify(issue(claims)) == dataclasses.replace(claims, expires_at=rounded)


def test_a_batch_of_beats_has_room_for_a_token_each() -> None:
    assert len(issue(execution())) < 800


def test_the_first_key_signs_and_is_named(settings: Settings) -> None:
    settings.EXECUTION_TOKEN_KEYS = (NEW, OLD)
    assert jwt.get_unverified_header(issue(execution())) == {"alg": "HS256", "typ": "JWT", "kid": "2026b"}


def test_a_rotation_keeps_the_old_tokens_until_their_key_is_taken_away(settings: Settings) -> None:
    settings.EXECUTION_TOKEN_KEYS = (OLD,)
    token = issue(execution())
    assert verify(token).tenant == "acme"
    settings.EXECUTION_TOKEN_KEYS = (NEW, OLD)
    assert verify(token).tenant == verify(issue(execution())).tenant == "acme"
    settings.EXECUTION_TOKEN_KEYS = (NEW,)
    with refused("TOKEN_INVALID"):
        verify(token)


def test_a_kid_must_be_its_keys_own(settings: Settings) -> None:
    settings.EXECUTION_TOKEN_KEYS = (NEW, OLD)
    payload = jwt.decode(issue(execution()), options={"verify_signature": False})
    for kid, secret in [("2026a", NEW[1]), ("2026b", OLD[1]), ("unknown", NEW[1]), (None, NEW[1])]:
        with refused("TOKEN_INVALID"):
            verify(sign(payload, secret, kid=kid))


def test_exp_is_kept_to_the_millisecond(moving_clock: Clock) -> None:
    expires_at = datetime.fromtimestamp(moving_clock.now + 60.5, UTC)
    token = issue(dataclasses.replace(execution(), expires_at=expires_at))
    moving_clock.forward(60.375)
    assert verify(token).tenant == "acme"
    moving_clock.forward(0.125)
    with refused("TOKEN_EXPIRED"):
        verify(token)


def test_any_zone_of_expires_at_is_one_moment() -> None:
    claims = execution()
    elsewhere = claims.expires_at.astimezone(timezone(timedelta(hours=8)))
    assert verify(issue(dataclasses.replace(claims, expires_at=elsewhere))).expires_at == claims.expires_at


GOOD = {
    "iss": ISSUER,
    "aud": AUDIENCE,
    "exp": 4_000_000_000,
    "sub": "document-parser",
    "tenant": "acme",
    "scope": "content-platform",
    "workflow": "w",
    "task": "t",
    "taskAttempt": 1,
    "step": "s",
    "stepAttempt": 1,
    "execution": "e",
    "operation": "DOCUMENT.PARSE",
    "events": ["STEP_STARTED"],
    "generation": 1,
}


def sign_ours(claims: dict[str, Any], settings: Any) -> str:
    kid, secret = settings.EXECUTION_TOKEN_KEYS[0]
    return sign(claims, secret, kid=kid)


def test_the_claims_are_what_the_service_signs(settings: Settings) -> None:
    assert verify(sign_ours(GOOD, settings)).step_id == "s"
    assert set(jwt.decode(issue(execution()), options={"verify_signature": False})) == set(GOOD)


WRONG: list[Any] = [None, "", {}, True, -1, [None], "x" * 4_000, ["TASK_EXPLODED"]]
# A time alone may have a fraction.
WRONG_CLAIMS = [(claim, value) for claim in GOOD for value in [*WRONG, 1.5] if (claim, value) != ("exp", 1.5)]


@pytest.mark.parametrize(("claim", "value"), WRONG_CLAIMS)
def test_a_claim_that_is_missing_or_no_such_thing_is_refused(claim: str, value: Any, settings: Settings) -> None:
    with refused("TOKEN_INVALID"):
        verify(sign_ours(GOOD | {claim: value}, settings))


@pytest.mark.parametrize("token", ["", "a", "a.b.c", "\x00", "\ud800", "x" * 10_000, "é.é.é"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with refused("TOKEN_INVALID"):
        verify(token)


def test_without_a_key_nothing_is_issued_and_nothing_believed(settings: Settings) -> None:
    token = issue(execution())
    settings.EXECUTION_TOKEN_KEYS = ()
    with pytest.raises(ImproperlyConfigured, match="EXECUTION_TOKEN_KEYS"):
        issue(execution())
    with refused("TOKEN_INVALID"):
        verify(token)
