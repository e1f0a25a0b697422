"""A JWKS URL is fetched seldom, beside the requests, and its outage costs no call."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from pytest_django import Settings

from taskstatus.domain.errors import DomainError
from taskstatus.identity.bearer import read_service, read_user
from taskstatus.identity.key_sources import COOLDOWN_SECONDS, REFRESH_AFTER_SECONDS, REFRESH_THREAD
from tests.identity.conftest import Clock
from tests.identity.support import (
    JwksServer,
    bearer,
    ed_key,
    jwks,
    public_jwk,
    refused,
    service_claims,
    sign,
    user_claims,
)
from tests.support.waiting import PATIENCE_SECONDS, eventually


@pytest.fixture
def issuer(jwks_server: JwksServer, settings: Settings) -> JwksServer:
    """An issuer that has published key 0."""
    publish(jwks_server, 0)
    settings.SERVICE_TOKEN_JWKS = jwks_server.url
    settings.SERVICE_TOKEN_SECRET = ""
    return jwks_server


def publish(server: JwksServer, *numbers: int) -> None:
    server.document = jwks(*(public_jwk(ed_key(n), "EdDSA", kid=f"k{n}") for n in numbers))


def token(number: int) -> str:
    return bearer(sign(service_claims(), ed_key(number), "EdDSA", kid=f"k{number}"))


def logged(caplog: pytest.LogCaptureFixture, count: int) -> bool:
    return len(caplog.records) >= count


def fetches_ended() -> bool:
    """True once no refresh runs: only then has it set the date of the next one."""
    return all(thread.name != REFRESH_THREAD for thread in threading.enumerate())


def outcome(header: str) -> str:
    try:
        return read_service(header).tenant
    except DomainError as error:
        return error.code


def test_the_first_call_fetches_and_the_next_do_not(issuer: JwksServer) -> None:
    for _ in range(20):
        assert read_service(token(0)).tenant == "acme"
    assert issuer.hits == 1


def test_calls_that_come_together_share_the_first_fetch(issuer: JwksServer) -> None:
    start = threading.Barrier(8, timeout=PATIENCE_SECONDS)
    assert outcome("Bearer nonsense") == "TOKEN_INVALID"

    def call(_: int) -> str:
        start.wait()
        return outcome(token(0))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(8))) == ["acme"] * 8
    assert issuer.hits == 1


def test_an_unknown_key_id_is_looked_for_once_in_the_cooldown(issuer: JwksServer, moving_clock: Clock) -> None:
    assert read_service(token(0)).tenant == "acme"
    publish(issuer, 0, 1)
    with refused("TOKEN_INVALID"):
        read_service(token(1))
    moving_clock.forward(COOLDOWN_SECONDS)
    assert read_service(token(1)).tenant == "acme"
    for made_up in range(2, 12):
        with refused("TOKEN_INVALID"):
            read_service(token(made_up))
    assert issuer.hits == 2


def test_keys_are_refreshed_in_the_background_when_they_are_old(issuer: JwksServer, moving_clock: Clock) -> None:
    old = token(0)
    assert read_service(old).tenant == "acme"
    publish(issuer, 1)
    issuer.open.clear()
    moving_clock.forward(REFRESH_AFTER_SECONDS)
    for _ in range(20):
        assert read_service(old).tenant == "acme", "no call waits for the refresh"
    issuer.open.set()
    eventually(lambda: outcome(old) == "TOKEN_INVALID")
    assert read_service(token(1)).tenant == "acme"
    assert issuer.hits == 2


@pytest.mark.parametrize("trouble", ["stopped", "error", "redirect", "garbage", "empty"])
def test_an_outage_leaves_the_last_good_keys(
    issuer: JwksServer, moving_clock: Clock, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert read_service(token(0)).tenant == "acme"
    match trouble:
        case "stopped":
            issuer.stop()
        case "error":
            issuer.status = 503
        case "redirect":
            issuer.status = 302
        case "garbage":
            issuer.document = ["no", "key", "set"]
        case "empty":
            publish(issuer)
    for outages in (1, 2):
        eventually(fetches_ended)
        moving_clock.forward(REFRESH_AFTER_SECONDS)
        assert read_service(token(0)).tenant == "acme"
        eventually(partial(logged, caplog, outages))
    assert {record.levelname for record in caplog.records} == {"ERROR"}


def test_after_an_outage_the_keys_are_fetched_again(
    issuer: JwksServer, moving_clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    assert read_service(token(0)).tenant == "acme"
    issuer.status = 500
    moving_clock.forward(REFRESH_AFTER_SECONDS)
    assert read_service(token(0)).tenant == "acme"
    eventually(partial(logged, caplog, 1))
    eventually(fetches_ended)
    issuer.status = 200
    publish(issuer, 1)
    moving_clock.forward(COOLDOWN_SECONDS)
    eventually(lambda: outcome(token(1)) == "acme")


def test_an_issuer_that_is_down_from_the_start_is_asked_again_after_the_cooldown(
    issuer: JwksServer, moving_clock: Clock
) -> None:
    issuer.status = 500
    for _ in range(5):
        with refused("TOKEN_INVALID"):
            read_service(token(0))
    assert issuer.hits == 1
    issuer.status = 200
    moving_clock.forward(COOLDOWN_SECONDS)
    assert read_service(token(0)).tenant == "acme"


def test_an_unchanged_set_keeps_what_was_proven(
    issuer: JwksServer, moving_clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = token(0)
    assert read_service(good).tenant == "acme"
    moving_clock.forward(REFRESH_AFTER_SECONDS)
    assert read_service(good).tenant == "acme"
    eventually(lambda: issuer.hits == 2)
    eventually(fetches_ended)
    monkeypatch.setattr("jwt.PyJWS.decode_complete", None)
    assert read_service(good).tenant == "acme"


def test_an_algorithm_that_is_not_accepted_asks_nobody(issuer: JwksServer, moving_clock: Clock) -> None:
    assert read_service(token(0)).tenant == "acme"
    moving_clock.forward(COOLDOWN_SECONDS)
    with refused("TOKEN_INVALID"):
        read_service(bearer(sign(service_claims(), "x" * 64, "HS512", kid="made-up")))
    assert issuer.hits == 1


def test_users_have_an_issuer_of_their_own(issuer: JwksServer, settings: Settings) -> None:
    settings.USER_TOKEN_JWKS = issuer.url
    settings.USER_TOKEN_SECRET = ""
    assert read_user(bearer(sign(user_claims(), ed_key(0), "EdDSA", kid="k0"))).user_id == "alice"
