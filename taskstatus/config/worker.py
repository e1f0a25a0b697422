"""Gunicorn's worker: uvicorn on an event loop, for ASGI applications and, in threads, for WSGI ones."""

import logging
import os
import signal
from types import FrameType
from typing import Any, ClassVar

from uvicorn_worker import UvicornWorker

from taskstatus.config.bridge import in_threads, is_asgi

# How often a worker tells its master that it lives, and looks whether there is one.
_NOTIFY_SECONDS = 1
# Before gunicorn's own patience ends, so that what is left is cancelled and not killed.
_BEFORE_THE_KILL_SECONDS = 1


class StreamingWorker(UvicornWorker):  # type: ignore[misc]
    """Holds many connections open, and runs WSGI code in as many threads as gunicorn's setting says."""

    wsgi: object
    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": "httptools",
        "ws": "none",
        "lifespan": "on",
        # What a proxy says is believed where the settings say so, by Django.
        "proxy_headers": False,
        "server_header": False,
        "timeout_notify": _NOTIFY_SECONDS,
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Uvicorn's troubles go where gunicorn's go, which tells of starts and ends itself.
        logging.getLogger("uvicorn.error").propagate = True
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        logging.getLogger("uvicorn.access").propagate = self.log.access_log.isEnabledFor(logging.INFO)
        self.config.timeout_graceful_shutdown = self.cfg.graceful_timeout - _BEFORE_THE_KILL_SECONDS

    def load_wsgi(self) -> None:
        """Load the application, and put a WSGI one behind a bridge."""
        super().load_wsgi()
        if not is_asgi(self.wsgi):
            self.wsgi = in_threads(self.wsgi, self.cfg.threads)

    async def callback_notify(self) -> None:
        """End with the master: one that was killed tells nobody, and its port would stay taken."""
        await super().callback_notify()
        if os.getppid() != self.ppid:
            self.log.error("The master is gone; this worker ends too.")
            os.kill(os.getpid(), signal.SIGTERM)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Gunicorn's quick end (SIGQUIT): uvicorn knows none, so it is asked for its own."""
        super().handle_exit(sig, frame)
        os.kill(os.getpid(), signal.SIGTERM)
