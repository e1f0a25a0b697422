"""How work reaches a service, and its outcome the one who asked: JSON over HTTP on loopback."""

import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import requests

from examples.document_pipeline.status_client import pause

Work = dict[str, Any]
log = logging.getLogger(__name__)


class WorkServer(ThreadingHTTPServer):
    """Accepts `POST /` with a JSON object and hands it to `receive` in a pool of threads."""

    daemon_threads = True

    def __init__(self, port: int, receive: Callable[[Work], None], threads: int = 4) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.receive = receive
        self.pool = ThreadPoolExecutor(threads)

    def start(self) -> None:
        """Serve in the background."""
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    """Answers 202 as soon as the work is taken."""

    server: WorkServer

    def do_POST(self) -> None:
        work = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.pool.submit(_guarded, self.server.receive, work)
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        log.debug(format, *args)


def _guarded(receive: Callable[[Work], None], work: Work) -> None:
    try:
        receive(work)
    except Exception:
        log.exception("work was lost")


def send_work(address: str, work: Work, tries: int = 20) -> None:
    """Hand work to a service, which may not be up yet."""
    for attempt in range(1, tries + 1):
        try:
            requests.post(address, json=work, timeout=10).raise_for_status()
        except requests.RequestException:
            if attempt == tries:
                raise
            pause(attempt)
        else:
            return
