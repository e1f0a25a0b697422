"""`manage.py mint_token` prints one token that the service accepts, while developing only."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from taskstatus.domain.lifecycle import Role
from taskstatus.identity.bearer import read_service, read_user
from taskstatus.identity.minting import mint_service
from tests.identity.conftest import Clock
from tests.identity.support import bearer, refused

SERVICE = [
    "service",
    "--tenant=acme",
    "--scope=content-platform",
    "--producer=document-parser",
    "--roles=worker",
]
USER = ["user", "--tenant=acme", "--user=alice"]


@pytest.fixture(autouse=True)
def developing(settings: Settings) -> None:
    settings.DEBUG = True


def mint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command; its output must be one line, the token."""
    call_command("mint_token", *arguments)
    printed, complaints = capsys.readouterr()
    assert complaints == ""
    assert printed.count("\n") == 1
    return bearer(printed.strip())


def test_a_service_token_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    service = read_service(mint(capsys, *SERVICE[:-1], "--roles", "worker, coordinator", "--ttl", "3600"))
    assert (service.tenant, service.scope, service.producer_id) == (
        "acme",
        "content-platform",
        "document-parser",
    )
    assert service.roles == {Role.WORKER, Role.COORDINATOR}


def test_a_user_token_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    alice = read_user(mint(capsys, *USER, "--projects", "p1,p2", "--roles", "r1"))
    assert (alice.tenant, alice.user_id) == ("acme", "alice")
    assert alice.projects == {"p1", "p2"}
    assert alice.roles == {"r1"}
    assert read_user(mint(capsys, *USER)).projects == frozenset()


def test_the_token_lives_as_long_as_asked(capsys: pytest.CaptureFixture[str], moving_clock: Clock) -> None:
    token = mint(capsys, *SERVICE, "--ttl", "60")
    moving_clock.forward(58)
    assert read_service(token).tenant == "acme"
    moving_clock.forward(2)
    with refused("TOKEN_EXPIRED"):
        read_service(token)


def test_the_token_names_the_issuer_that_is_expected(capsys: pytest.CaptureFixture[str], settings: Settings) -> None:
    settings.SERVICE_TOKEN_ISSUER = "https://issuer.example"
    assert read_service(mint(capsys, *SERVICE)).tenant == "acme"


@pytest.mark.parametrize("arguments", [SERVICE, USER])
def test_it_is_refused_in_production_unless_forced(
    arguments: list[str], capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG is off"):
        call_command("mint_token", *arguments)
    assert capsys.readouterr().out == ""
    assert mint(capsys, *arguments, "--force")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["robot"],
        ["service"],
        SERVICE[:-1],
        [*SERVICE[:-1], "--roles=root"],
        [*SERVICE[:-1], "--roles=worker,Worker"],
        [*SERVICE[:-1], "--roles=,"],
        [*SERVICE, "--tenant=a/b"],
        [*SERVICE, "--tenant="],
        [*SERVICE, "--scope=" + "s" * 65],
        [*SERVICE, "--producer=é"],
        [*SERVICE, "--ttl=0"],
        [*SERVICE, "--ttl=-5"],
        [*SERVICE, "--ttl=soon"],
        [*SERVICE, "--ttl=" + "9" * 30],
        ["user", "--tenant=acme"],
        [*USER, "--user=a b"],
        [*USER, "--projects=p/1"],
        [*USER, "--roles=r\n1"],
        [*USER, "--projects=" + ",".join(f"project-{n}" for n in range(1_000))],
    ],
)
def test_a_bad_argument_is_named_and_mints_nothing(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("mint_token", *arguments)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("arguments", "setting"), [(SERVICE, "SERVICE_TOKEN_SECRET"), (USER, "USER_TOKEN_SECRET")])
def test_a_key_set_alone_can_not_sign(arguments: list[str], setting: str, settings: Any) -> None:
    setattr(settings, setting, "")
    setattr(settings, setting.replace("SECRET", "JWKS"), "https://issuer.example/jwks.json")
    with pytest.raises(CommandError, match=setting):
        call_command("mint_token", *arguments)


def test_a_token_that_the_service_would_refuse_is_not_handed_out() -> None:
    with refused("TOKEN_INVALID"):
        mint_service(tenant="acme", scope="s", producer_id="p", roles=["root"], ttl_seconds=60)
