"""``manage.py export_definitions --tenant T --scope S``: write a scope's registries as YAML."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from registries.exchange.export import export_definitions


class Command(BaseCommand):
    """Writes YAML, and nothing else, to the standard output."""

    help = "Write the registries of one tenant and authority scope as a definitions file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and the scope."""
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--scope", required=True, help="the authority scope")

    def handle(self, *_args: object, **options: str) -> None:
        """Write the file."""
        self.stdout.write(export_definitions(options["tenant"], options["scope"]), ending="")
