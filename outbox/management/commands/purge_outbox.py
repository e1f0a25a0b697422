"""`manage.py purge_outbox`."""

import math

from django.core.management.base import BaseCommand

from outbox.purge import purge_settled


class Command(BaseCommand):
    """Deletes settled messages after their retention; the schedule does the same by itself."""

    help = "Delete published and superseded messages older than RETENTION_OUTBOX, in bounded batches."

    def handle(self, *args: object, **options: object) -> None:
        """Purge and say how many rows went."""
        self.stdout.write(f"deleted {purge_settled(math.inf)} messages")
