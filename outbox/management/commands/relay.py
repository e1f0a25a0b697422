"""`manage.py relay [--once]`."""

import logging
import math
import signal
import threading
from types import FrameType

from django.core.management.base import BaseCommand, CommandError, CommandParser

from outbox import relay
from outbox.bells import configured_bell
from outbox.relay.loop import Loop

log = logging.getLogger(__name__)


class Command(BaseCommand):
    """Publishes what is committed, with the shortest delay; run as many as you like."""

    help = "Publish messages from the outbox as they are committed. SIGTERM or Ctrl-C finishes the batch and ends."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take --once."""
        parser.add_argument("--once", action="store_true", help="publish what is due now, and end")

    def handle(self, *args: object, once: bool, **options: object) -> None:
        """Drain once, or until a signal; with --once, fail where the publisher can't be used."""
        if once:
            self._drain_once()
            return
        stopping = threading.Event()

        def stop(_signal: int, _frame: FrameType | None) -> None:
            stopping.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        with configured_bell().listening() as listener:
            log.info("the relay begins")
            Loop(relay.configured_relay(), listener, stopping.is_set).run()
        log.info("the relay ends")

    def _drain_once(self) -> None:
        report = relay.drain(math.inf)
        self.stdout.write(
            f"published {report.published}, superseded {report.superseded}, to be retried {report.retried},"
            f" dead {report.dead}"
        )
        if report.outage:
            raise CommandError(f"publishing stopped: {report.outage}")
