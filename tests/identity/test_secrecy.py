"""No refusal, log line, repr or traceback of identity shows a token, a secret or a claim's value (S06)."""

import contextlib
import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from taskstatus.domain.errors import DomainError
from taskstatus.identity import execution_tokens
from taskstatus.identity.bearer import read_service, read_service_or_execution, read_user
from taskstatus.identity.keys import KeySet, secret_key
from taskstatus.identity.proofs import Proof
from tests.identity.support import GARBAGE, JwksServer, bearer, execution, rsa_key, service_claims, sign, user_claims
from tests.settings import EXECUTION_TOKEN_KEYS, SERVICE_TOKEN_SECRET, USER_TOKEN_SECRET

CANARY = "canary-7c1d"
SECRETS = [SERVICE_TOKEN_SECRET, USER_TOKEN_SECRET, EXECUTION_TOKEN_KEYS[0][1], "s" * 32, "u" * 32, "e" * 40]

BAD_TOKENS = {
    "forged": sign(service_claims(sub=CANARY), "x" * 40),
    "expired": sign(service_claims(sub=CANARY, exp=1)),
    "early": sign(service_claims(sub=CANARY, nbf=4_000_000_000)),
    "other audience": sign(service_claims(aud=CANARY)),
    "bad name": sign(service_claims(tenant=f"{CANARY} {CANARY}")),
    "bad role": sign(service_claims(roles=[CANARY])),
    "bad binding": sign(service_claims(cnf={"x5t#S256": CANARY})),
    "no certificate": sign(service_claims(cnf={"x5t#S256": "A" * 43})),
    "unknown key": sign(service_claims(), rsa_key(), "RS256", kid=CANARY),
    "execution": sign({**service_claims(), "aud": "task-status-execution", "sub": CANARY}),
    "user": sign(user_claims(sub=f"{CANARY}/"), USER_TOKEN_SECRET),
}


def refusal(read: Callable[[str], object], header: str) -> str:
    try:
        read(header)
    except DomainError as error:
        shown = "".join(traceback.format_exception(error))
        return f"{error} {error!r} {error.detail} {error.current} {error.errors} {shown}"
    return ""


@pytest.mark.parametrize("read", [read_service, read_service_or_execution, read_user])
@pytest.mark.parametrize("name", list(BAD_TOKENS))
def test_a_refusal_shows_nothing_of_the_token(
    read: Callable[[str], object], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = BAD_TOKENS[name]
    shown = refusal(read, bearer(token)) + caplog.text
    assert "TOKEN_" in shown
    for part in [*SECRETS, CANARY, token, *token.split(".")]:
        assert part not in shown


@pytest.mark.parametrize("header", [header for header in GARBAGE if len(header) > 12])
def test_a_refusal_shows_nothing_of_a_strange_header(header: str) -> None:
    shown = refusal(read_service_or_execution, header)
    assert "TOKEN_INVALID" in shown
    assert header not in shown
    assert header.split(" ", 1)[1] not in shown


def test_no_repr_holds_a_key_or_a_session() -> None:
    alice = read_user(bearer(sign(user_claims(sid=CANARY), USER_TOKEN_SECRET)))
    service = read_service(bearer(sign(service_claims())))
    keys = KeySet((secret_key(SERVICE_TOKEN_SECRET),))
    token = execution_tokens.issue(execution())
    shown = repr([alice, service, keys, Proof(alice, 1.0, keys), execution_tokens.verify(token)])
    for secret in [*SECRETS, CANARY, token]:
        assert secret not in shown


@pytest.mark.parametrize(
    "document",
    [
        {"keys": [{"kty": "RSA", "n": CANARY, "e": CANARY, "d": CANARY}]},
        {"keys": [{"kty": CANARY, "k": CANARY}]},
        {"keys": CANARY},
        [CANARY],
    ],
)
def test_a_bad_key_set_is_reported_without_its_content_or_address(
    document: Any, jwks_server: JwksServer, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    jwks_server.document = document
    settings.SERVICE_TOKEN_JWKS = f"{jwks_server.url}?key={CANARY}"
    with contextlib.suppress(DomainError):
        read_service(bearer(BAD_TOKENS["forged"]))
    assert "JWKS URL" in caplog.text
    assert CANARY not in caplog.text
