"""After a commit: say that there is something to publish, without waiting and without failing (ruling 21)."""

import logging
import os
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Final

from celery import current_app

from outbox.bells import Bell, configured_bell

# However many commits there are in this time, the relay is told once: at its beginning or at its end.
WINDOW_SECONDS: Final = 0.05
DRAIN_TASK: Final = "outbox.tasks.drain"
# The schedule's next tick does the work of a message that waited longer.
EXPIRES_SECONDS: Final = 1
# A queue this long is emptied late or by nobody, and one message more would help nobody.
MAX_WAITING_MESSAGES: Final = 20

log = logging.getLogger(__name__)


class Nudger:
    """Calls `send` soon after it is asked to, from a thread of its own, once for all who ask within the window."""

    def __init__(self, send: Callable[[], object], window_seconds: float = WINDOW_SECONDS) -> None:
        self._send = send
        self._window_seconds = window_seconds
        self._is_failing = False
        self.renew()

    def renew(self) -> None:
        """Begin anew in a forked process, which inherits neither the thread nor a lock that works."""
        self._asked = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def nudge(self) -> None:
        """Ask for a call; returns at once."""
        self._asked.set()
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="outbox-nudge", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        while self._asked.wait():
            self._asked.clear()
            try:
                self._send()
            except Exception as error:  # noqa: BLE001 - the schedule's tick finds the work anyway
                self._note(error)
            else:
                self._is_failing = False
            time.sleep(self._window_seconds)

    def _note(self, error: Exception) -> None:
        if not self._is_failing:
            log.error("the relay can't be nudged (%s); it finds its work at its next tick", type(error).__name__)
        self._is_failing = True


def tell_a_relay() -> None:
    """Wake a relay that listens; where none does, ask a worker to drain."""
    if not _bell().ring():
        ask_a_worker()


def ask_a_worker() -> None:
    """Send a drain to the workers, unless their queue is long already."""
    with current_app.pool.acquire(block=True) as connection:
        queue = current_app.conf.task_default_queue
        if connection.default_channel.queue_declare(queue).message_count < MAX_WAITING_MESSAGES:
            current_app.send_task(
                DRAIN_TASK, connection=connection, retry=False, expires=EXPIRES_SECONDS, ignore_result=True
            )


@cache
def _bell() -> Bell:
    return configured_bell()


_nudger = Nudger(tell_a_relay)
os.register_at_fork(after_in_child=_nudger.renew)

nudge = _nudger.nudge
