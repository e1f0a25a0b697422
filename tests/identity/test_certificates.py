"""A service token that is bound to a client certificate works only beside that certificate (RFC 8705)."""

import base64
import hashlib
from typing import Any

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from taskstatus.identity import execution_tokens
from taskstatus.identity.bearer import read_service, read_service_or_execution
from taskstatus.identity.certificates import presented_thumbprint
from tests.identity.support import bearer, execution, refused, service_claims, sign

DIGEST = hashlib.sha256(b"the certificate of document-parser").digest()
OTHER = hashlib.sha256(b"another certificate").digest()


def base64url(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


BOUND = bearer(sign(service_claims(cnf={"x5t#S256": base64url(DIGEST)})))


@pytest.mark.parametrize(
    "presented",
    [
        base64url(DIGEST),
        base64url(DIGEST) + "=",
        DIGEST.hex(),
        DIGEST.hex().upper(),
        DIGEST.hex(":"),
        f" {DIGEST.hex()} ",
    ],
)
def test_its_certificate_in_either_spelling_opens_the_door(presented: str) -> None:
    assert read_service(BOUND, presented).tenant == "acme"
    assert read_service_or_execution(BOUND, presented) == read_service(BOUND, presented)


@pytest.mark.parametrize(
    "presented",
    [
        None,
        "",
        " ",
        OTHER.hex(),
        base64url(OTHER),
        DIGEST.hex()[:-1],
        DIGEST.hex() + "," + DIGEST.hex(),
        "é",
        "\x00",
    ],
)
def test_without_its_certificate_it_proves_nothing(presented: str | None) -> None:
    with refused("TOKEN_INVALID"):
        read_service(BOUND, presented)
    with refused("TOKEN_INVALID"):
        read_service_or_execution(BOUND, presented)


def test_a_token_proven_once_is_still_asked_for_its_certificate() -> None:
    assert read_service(BOUND, DIGEST.hex()).tenant == "acme"
    with refused("TOKEN_INVALID"):
        read_service(BOUND, OTHER.hex())
    with refused("TOKEN_INVALID"):
        read_service(BOUND)


def test_a_token_without_a_binding_needs_no_certificate() -> None:
    token = bearer(sign(service_claims()))
    for presented in (None, DIGEST.hex(), "nonsense"):
        assert read_service(token, presented).tenant == "acme"


@pytest.mark.parametrize(
    "confirmation",
    [
        {},
        [],
        "x",
        0,
        False,
        {"jkt": "x"},
        {"x5t#S256": None},
        {"x5t#S256": 7},
        {"x5t#S256": "short"},
        {"x5t": DIGEST.hex()},
    ],
)
def test_a_binding_that_is_not_understood_is_refused(confirmation: Any) -> None:
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(cnf=confirmation))), DIGEST.hex())


def test_the_thumbprint_is_taken_from_the_header_that_a_setting_names(settings: Settings) -> None:
    request = RequestFactory().get("/", headers={"X-Client-Cert-SHA256": DIGEST.hex()})
    assert presented_thumbprint(request.headers) is None
    settings.CLIENT_CERTIFICATE_HEADER = "X-Client-Cert-SHA256"
    assert read_service(BOUND, presented_thumbprint(request.headers)).tenant == "acme"
    assert presented_thumbprint({"x-client-cert-sha256": DIGEST.hex()}) == DIGEST.hex()
    assert presented_thumbprint(RequestFactory().get("/").headers) is None


def test_an_execution_token_is_bound_to_its_execution_only() -> None:
    issued = execution()
    assert read_service_or_execution(bearer(execution_tokens.issue(issued)), OTHER.hex()) == issued
