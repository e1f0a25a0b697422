"""Raise the data epoch after a restore."""

from typing import Any

from django.core.management.base import BaseCommand

from taskstatus.services.raise_epoch import raise_epoch


class Command(BaseCommand):
    """`manage.py raise_epoch`."""

    help = "Raise the data epoch, so that clients take the versions of restored data although they are lower."

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise it by one and print it."""
        self.stdout.write(str(raise_epoch()))
