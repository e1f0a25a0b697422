"""A web process says every second that it takes reports and beats: without that, silence proves nothing (ruling 45)."""

import logging
import threading

from django.db import Error, close_old_connections, connection

from taskstatus.domain.errors import DomainError
from taskstatus.models import ServicePulse
from taskstatus.services.watch_outages import give_sign

log = logging.getLogger(__name__)


class Pulse:
    """A thread that gives the web's sign from `start` until `stop`."""

    def __init__(self, interval_seconds: float) -> None:
        self._interval_seconds = interval_seconds
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)

    def start(self) -> None:
        """Begin; the first sign is given at once."""
        self._thread.start()

    def stop(self) -> None:
        """End it, and wait for a sign that is being given."""
        self._stopped.set()
        self._thread.join(timeout=self._interval_seconds)

    def _beat(self) -> None:
        while not self._stopped.is_set():
            self._sign()
            self._stopped.wait(self._interval_seconds)
        connection.close()

    def _sign(self) -> None:
        """Give one sign. One that the database does not take is missing there, which is what it would have said."""
        try:
            close_old_connections()
            give_sign(ServicePulse.WEB)
        except (DomainError, Error):
            log.warning("the database does not take the web's sign of life")
            connection.close()
