"""The Authorization header is read once, strictly, and names its principal by the token's audience."""

from collections.abc import Callable

import pytest

from taskstatus.domain.lifecycle import Role
from taskstatus.identity import execution_tokens
from taskstatus.identity.bearer import read_service, read_service_or_execution, read_user
from taskstatus.identity.principals import Service
from tests.identity.support import GARBAGE, bearer, execution, refused, service_claims, sign, user_claims
from tests.settings import USER_TOKEN_SECRET

READERS: list[Callable[[str | None], object]] = [read_service, read_service_or_execution, read_user]


def test_a_service_token_names_its_service() -> None:
    service = read_service(bearer(sign(service_claims(roles=["worker", "coordinator"]))))
    assert service == Service(
        tenant="acme",
        scope="content-platform",
        producer_id="document-parser",
        roles=frozenset({Role.WORKER, Role.COORDINATOR}),
    )


def test_the_audience_decides_between_service_and_execution() -> None:
    issued = execution()
    assert read_service_or_execution(bearer(execution_tokens.issue(issued))) == issued
    assert isinstance(read_service_or_execution(bearer(sign(service_claims()))), Service)


def test_an_execution_audience_with_a_services_signature_is_refused() -> None:
    with refused("TOKEN_INVALID"):
        read_service_or_execution(bearer(sign(service_claims(aud=execution_tokens.AUDIENCE))))


def test_an_execution_token_is_no_service_token() -> None:
    with refused("TOKEN_INVALID"):
        read_service(bearer(execution_tokens.issue(execution())))


def test_a_user_token_opens_no_service_door_and_the_other_way_round() -> None:
    user_token = bearer(sign(user_claims(), USER_TOKEN_SECRET))
    for read in (read_service, read_service_or_execution):
        with refused("TOKEN_INVALID"):
            read(user_token)
    with refused("TOKEN_INVALID"):
        read_user(bearer(sign(service_claims())))


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_the_scheme_is_read_in_any_case(scheme: str) -> None:
    assert read_service(f"  {scheme}   {sign(service_claims())} ").tenant == "acme"


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("header", [None, "", "   "])
def test_no_header_is_a_missing_token(read: Callable[[str | None], object], header: str | None) -> None:
    with refused("TOKEN_MISSING"):
        read(header)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("header", GARBAGE)
def test_garbage_is_an_invalid_token(read: Callable[[str | None], object], header: str) -> None:
    with refused("TOKEN_INVALID"):
        read(header)


def test_two_headers_folded_into_one_are_refused() -> None:
    token = sign(service_claims())
    with refused("TOKEN_INVALID"):
        read_service(f"Bearer {token}, Bearer {token}")


def test_the_longest_token_that_is_read_has_8_kib() -> None:
    padding = 8_192 - len(sign(service_claims(x="")))
    fits = sign(service_claims(x="x" * (padding * 3 // 4 - 3)))
    assert len(fits) <= 8_192
    assert read_service(bearer(fits)).tenant == "acme"
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(x="x" * padding))))


def test_a_service_needs_one_of_the_roles_asked_for() -> None:
    service = read_service(bearer(sign(service_claims(roles=["worker"]))))
    service.require(Role.COORDINATOR, Role.WORKER)
    with refused("ROLE_REQUIRED") as caught:
        service.require(Role.COORDINATOR, Role.BUSINESS)
    assert caught.value.detail == "This call needs the role coordinator or business."
