"""Withdraw all credentials of one execution."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from taskstatus.domain.errors import DomainError
from taskstatus.services.revoke_credentials import revoke_credentials


class Command(BaseCommand):
    """`manage.py revoke_credentials EXECUTION_ID`."""

    help = "Withdraw every token and handle of an execution; its coordinator or worker can ask for new ones."

    def add_arguments(self, parser: CommandParser) -> None:
        """One execution."""
        parser.add_argument("execution_id", help="the execution, as exe_…")
        parser.add_argument("--actor", default="operator", help="who withdraws them, for the audit")

    def handle(self, *args: Any, **options: Any) -> None:
        """Withdraw them and say so."""
        try:
            revoke_credentials(options["execution_id"], options["actor"])
        except DomainError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"The credentials of {options['execution_id']} no longer count.")
