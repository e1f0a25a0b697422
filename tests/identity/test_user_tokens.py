"""A user token names a person, the memberships that grants speak of, and a session."""

import hashlib
from typing import Any

import pytest
from pytest_django import Settings

from taskstatus.identity.bearer import read_user
from taskstatus.identity.principals import User
from tests.identity.support import ABSENT, bearer, refused, service_claims, sign, user_claims
from tests.settings import USER_TOKEN_SECRET


def header(**changes: Any) -> str:
    return bearer(sign(user_claims(**changes), USER_TOKEN_SECRET))


def test_alice_is_read_with_her_projects_and_roles() -> None:
    alice = read_user(header(sid="session-1"))
    assert alice == User(
        tenant="acme",
        user_id="alice",
        projects=frozenset({"atlas", "borealis"}),
        roles=frozenset({"editor"}),
        session_id="session-1",
    )


def test_a_user_may_belong_to_nothing() -> None:
    loner = read_user(header(projects=[], roles=[]))
    assert loner.projects == loner.roles == frozenset()


def test_the_session_is_sid_then_jti_then_the_tokens_hash() -> None:
    assert read_user(header(sid="s", jti="j")).session_id == "s"
    assert read_user(header(jti="j")).session_id == "j"
    assert read_user(header(sid=None, jti="j")).session_id == "j"
    bare = header()
    assert read_user(bare).session_id == hashlib.sha256(bare.removeprefix("Bearer ").encode()).hexdigest()


def test_two_tokens_without_a_session_are_two_sessions() -> None:
    assert read_user(header(nonce=1)).session_id != read_user(header(nonce=2)).session_id


@pytest.mark.parametrize("claim", ["sid", "jti"])
@pytest.mark.parametrize("value", ["", "a b", "x" * 256, "\x00", "é", 7, ["s"], {"s": 1}, False])
def test_a_session_that_is_no_text_is_refused(claim: str, value: Any) -> None:
    with refused("TOKEN_INVALID"):
        read_user(header(**{claim: value}))


@pytest.mark.parametrize("claim", ["iss", "aud", "sub", "tenant", "projects", "roles", "exp"])
@pytest.mark.parametrize(
    "value", [ABSENT, None, "", {}, True, -1, [None], [["atlas"]], "x" * 4_000, [1], ["a/b"], ["x" * 65]]
)
def test_a_claim_that_is_missing_or_no_such_thing_is_refused(claim: str, value: Any) -> None:
    with refused("TOKEN_INVALID"):
        read_user(header(**{claim: value}))


def test_an_expired_token_says_so() -> None:
    with refused("TOKEN_EXPIRED"):
        read_user(header(exp=1))


def test_the_issuer_is_compared_where_one_is_set(settings: Settings) -> None:
    settings.USER_TOKEN_ISSUER = "https://login.example"
    assert read_user(header()).user_id == "alice"
    with refused("TOKEN_INVALID"):
        read_user(header(iss="https://elsewhere.example"))


def test_the_secret_of_services_makes_no_user() -> None:
    with refused("TOKEN_INVALID"):
        read_user(bearer(sign(user_claims())))
    with refused("TOKEN_INVALID"):
        read_user(bearer(sign(service_claims(aud="task-status-user"), USER_TOKEN_SECRET)))
