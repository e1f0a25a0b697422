"""`manage.py mint_token`: a token for development (running.md)."""

import argparse
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser

from taskstatus.domain.errors import DomainError
from taskstatus.domain.lifecycle import Role
from taskstatus.identity.minting import mint_service, mint_user

DEFAULT_TTL_SECONDS = 3_600


class Command(BaseCommand):
    """Prints one service or user token, signed with the shared secret of the settings."""

    help = "Print a token for development. Refused while DEBUG is off, unless --force is given."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the two kinds of token."""
        kinds = parser.add_subparsers(dest="kind", required=True)
        service = kinds.add_parser("service", help="for a service that calls /internal/v1")
        service.add_argument("--scope", required=True, help="authorityScope")
        service.add_argument("--producer", required=True, help="producerId")
        service.add_argument("--roles", required=True, type=_roles, help=f"of {','.join(Role)}")
        user = kinds.add_parser("user", help="for a person who calls /api/v1")
        user.add_argument("--user", required=True, help="userId")
        user.add_argument("--projects", default=[], type=_names, help="project ids, with commas between")
        user.add_argument("--roles", default=[], type=_names, help="role names, with commas between")
        for kind in (service, user):
            kind.add_argument("--tenant", required=True, help="tenantId")
            kind.add_argument("--ttl", default=DEFAULT_TTL_SECONDS, type=_seconds, help="seconds (3600)")
            kind.add_argument("--force", action="store_true", help="also while DEBUG is off")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the token alone; raise CommandError with what to change."""
        if not (settings.DEBUG or options["force"]):
            raise CommandError("DEBUG is off: tokens come from your issuer. Add --force to mint one all the same.")
        try:
            self.stdout.write(_mint(options))
        except DomainError as error:
            raise CommandError(error.detail) from None
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None


def _mint(options: dict[str, Any]) -> str:
    common = {"tenant": options["tenant"], "roles": options["roles"], "ttl_seconds": options["ttl"]}
    if options["kind"] == "service":
        return mint_service(scope=options["scope"], producer_id=options["producer"], **common)
    return mint_user(user_id=options["user"], projects=options["projects"], **common)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _roles(text: str) -> list[str]:
    roles = _names(text)
    if not roles or not frozenset(roles) <= frozenset(Role):
        raise argparse.ArgumentTypeError(f"write one or more of {','.join(Role)}")
    return roles


def _seconds(text: str) -> int:
    seconds = int(text)
    if seconds < 1:
        raise argparse.ArgumentTypeError("must be at least 1 second")
    return seconds
