"""A screen before a deployment, fed by its native stream."""

import threading
from typing import Final

from tests.deployment.parts import Deployment
from tests.realtime.served import ServedStream
from tests.support.screen import Json, Screen
from tests.support.server import BROKEN

PAUSE_SECONDS: Final = 0.1


class StreamedScreen:
    """A client of the native stream: it comes back whenever it is cut off, resumes, and reads anew where it must."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment, self._api = deployment, deployment.alice()
        self._screen, self._lock = Screen(), threading.Lock()
        self._last_id: str | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def open(self, task_ids: list[str]) -> None:
        """Watch these tasks' details, and follow."""
        self._api.put("/me/task-watch-set", {"taskIds": task_ids}).ok()
        self._thread.start()

    def close(self) -> None:
        """Follow no more."""
        self._stopping.set()

    def view(self) -> Json:
        """What it shows now."""
        with self._lock:
            return self._screen.view()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._follow(ServedStream.open(self._deployment.server.port, self._api, self._last_id))
            except BROKEN:
                self._stopping.wait(PAUSE_SECONDS)

    def _follow(self, stream: ServedStream) -> None:
        try:
            if stream.response.status != 200:
                self._stopping.wait(PAUSE_SECONDS)
                return
            if self._last_id is None:
                self._load()
            while not self._stopping.is_set() and (event := stream.event()):
                self._take(event.name, event.body)
                self._last_id = event.id
        finally:
            stream.close()

    def _take(self, name: str, body: Json) -> None:
        if name == "reset":
            self._load()
        if name == "message":
            with self._lock:
                self._screen.accept(body)

    def _load(self) -> None:
        with self._lock:
            self._screen.load(self._api)
