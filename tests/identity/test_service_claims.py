"""Every claim of a service token is required, typed and bounded; its times are kept to the second."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.bearer import read_service
from tests.identity.conftest import Clock
from tests.identity.support import ABSENT, bearer, refused, service_claims, sign, unhurried

REQUIRED = ["iss", "aud", "sub", "tenant", "scope", "roles", "exp"]
NAMES = ["sub", "tenant", "scope"]


def read(**changes: Any) -> Any:
    return read_service(bearer(sign(service_claims(**changes))))


@pytest.mark.parametrize("claim", REQUIRED)
@pytest.mark.parametrize("value", [ABSENT, None, "", {}, True, -1, [None], [[]], "x" * 4_000, [1]])
def test_a_claim_that_is_missing_or_no_such_thing_is_refused(claim: str, value: Any) -> None:
    with refused("TOKEN_INVALID"):
        read(**{claim: value})


@pytest.mark.parametrize("claim", NAMES)
@pytest.mark.parametrize(
    "value",
    ["a" * 65, "a b", "a/b", "a:b", "a\n", "\na", "a\x00", "é", "a\u200b", "\uff11", "*", "a#b", 7, ["acme"]],
)
def test_a_name_keeps_to_its_64_characters(claim: str, value: Any) -> None:
    with refused("TOKEN_INVALID") as caught:
        read(**{claim: value})
    assert claim in caught.value.detail


@pytest.mark.parametrize("value", ["a", "a" * 64, "A.b_c-9", "-", "..."])
def test_a_name_of_the_allowed_characters_is_taken(value: str) -> None:
    service = read(sub=value, tenant=value, scope=value)
    assert (service.producer_id, service.tenant, service.scope) == (value, value, value)


@pytest.mark.parametrize("roles", [["admin"], ["worker", "root"], ["Worker"], ["worker "], "worker", {"worker": 1}])
def test_an_unknown_role_spoils_the_token(roles: Any) -> None:
    with refused("TOKEN_INVALID"):
        read(roles=roles)


def test_all_roles_are_known_and_none_is_a_service_without_rights() -> None:
    assert read(roles=[*Role, "worker"]).roles == frozenset(Role)
    service = read(roles=[])
    with refused("ROLE_REQUIRED"):
        service.require(*Role)


@pytest.mark.parametrize(
    "audience",
    [
        "task-status-user",
        "task-status-execution",
        "task-statu",
        "TASK-STATUS",
        ["other"],
        {"task-status": 1},
        1,
    ],
)
def test_a_token_for_somebody_else_is_refused(audience: Any) -> None:
    with refused("TOKEN_INVALID"):
        read(aud=audience)


def test_an_audience_may_be_a_list_that_names_us() -> None:
    assert read(aud=["billing", "task-status"]).tenant == "acme"


def test_the_issuer_is_compared_where_one_is_set(settings: Settings) -> None:
    assert read(iss="anyone").tenant == "acme"
    settings.SERVICE_TOKEN_ISSUER = "https://issuer.example"
    assert read(iss="https://issuer.example").tenant == "acme"
    for issuer in ("https://issuer.example/", "HTTPS://issuer.example", "anyone"):
        with refused("TOKEN_INVALID"):
            read(iss=issuer)


def test_exp_is_exact(moving_clock: Clock) -> None:
    token = bearer(sign(service_claims(exp=int(moving_clock.now) + 100)))
    moving_clock.forward(99.75)
    assert read_service(token).tenant == "acme"
    moving_clock.forward(0.25)
    with refused("TOKEN_EXPIRED"):
        read_service(token)


def test_a_fraction_of_a_second_is_a_time_too(moving_clock: Clock) -> None:
    assert read(exp=moving_clock.now + 0.25).tenant == "acme"
    with refused("TOKEN_EXPIRED"):
        read(exp=moving_clock.now - 0.25)


@pytest.mark.parametrize("value", [10**400, 1e300, 253_402_300_800, float("nan"), float("inf"), "1893456000", [9]])
def test_an_exp_out_of_this_world_is_refused(value: Any) -> None:
    with refused("TOKEN_INVALID"):
        read(exp=value)


@pytest.mark.parametrize("claim", ["nbf", "iat"])
def test_a_start_may_lie_five_seconds_ahead_and_no_more(claim: str, moving_clock: Clock) -> None:
    assert read(**{claim: moving_clock.now + 5}).tenant == "acme"
    assert read(**{claim: moving_clock.now - 10_000}).tenant == "acme"
    with refused("TOKEN_INVALID"):
        read(**{claim: moving_clock.now + 5.25})


@pytest.mark.parametrize("claim", ["nbf", "iat"])
@pytest.mark.parametrize("value", ["soon", True, [], -1, 10**400])
def test_a_start_that_is_no_time_is_refused(claim: str, value: Any) -> None:
    with refused("TOKEN_INVALID"):
        read(**{claim: value})


def test_a_token_that_is_wrong_and_expired_is_only_called_wrong() -> None:
    with refused("TOKEN_INVALID"):
        read(aud="other", exp=1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@unhurried
@given(st.dictionaries(st.sampled_from([*REQUIRED, "nbf", "iat", "cnf", "jti"]), JSON))
def test_whatever_a_signed_token_claims_it_is_read_or_refused(changes: dict[str, Any]) -> None:
    assert outcome(**changes) in {"read", "TOKEN_INVALID", "TOKEN_EXPIRED"}


def outcome(**changes: Any) -> str:
    try:
        read(**changes)
    except DomainError as error:
        return error.code
    return "read"
