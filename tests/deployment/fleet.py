"""Workers that beat for thousands of executions, and the service that runs as a whole on a database of its own."""

import http.client
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from taskstatus.config.env import BASE_DIR
from tests.support.api import INTERNAL, service_token
from tests.support.beats import PATH, beat
from tests.support.cast import Coordinator, Worker, step_body, task_body
from tests.support.http_api import HttpApi
from tests.support.own_database import OwnDatabase
from tests.support.server import BROKEN, WHOLE_SERVICE, Server

BEATS_A_REQUEST: Final = 500
TASKS_A_WORKFLOW: Final = 100


@dataclass
class Fleet:
    """Executions of one worker service; those in `beating` beat in every period, and no beat is ever sent again."""

    server: Server
    database: OwnDatabase
    workers: list[Worker] = field(default_factory=list)
    beating: Sequence[Worker] = ()
    answered: int = 0
    unanswered: int = 0
    refused: list[dict[str, Any]] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)

    def begin(self, number: int, timeout_seconds: int) -> None:
        """Create so many executions; when all are there, they begin together."""
        token = service_token("coordinator", "coordinator", "business")
        carol = Coordinator(HttpApi(self.server.port, token, INTERNAL))  # type: ignore[arg-type]
        body = step_body(heartbeatIntervalSeconds=timeout_seconds // 4, heartbeatTimeoutSeconds=timeout_seconds)
        for start in range(0, number, TASKS_A_WORKFLOW):
            tasks = [task_body(body) for _ in range(start, min(number, start + TASKS_A_WORKFLOW))]
            created = carol.workflow(*tasks)["tasks"]
            self.workers += [carol.worker(task["taskId"], handle=True) for task in created]
        for some in _portions(self.workers):
            events = [worker.event("STEP_STARTED") for worker in some]
            answer = self._caller().post("/task-events:batch", {"events": events}).ok()
            assert all(item["accepted"] for item in answer["results"])
        self.beating = self.workers

    @contextmanager
    def beats(self, period_seconds: float) -> Iterator[None]:
        """Beat through the block."""
        thread = threading.Thread(target=self._beat, args=[period_seconds], daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            thread.join(60)

    def stale(self) -> dict[str, int]:
        """How often each execution was told of as STALE, those that were."""
        rows = self.database.ask(
            "SELECT execution_id, COUNT(*) FROM task_event_log"
            " WHERE event_type = 'STEP_HEALTH_CHANGED' AND health = 'STALE' GROUP BY execution_id"
        )
        return {str(execution): int(str(number)) for execution, number in rows}

    def _beat(self, period_seconds: float) -> None:
        token = service_token("worker-a", "worker")
        for number in count(1):
            for some in _portions(self.beating):
                self._send(token, [beat(worker, number) for worker in some])
            if self._stopping.wait(period_seconds):
                return

    def _send(self, token: str, beats: list[dict[str, Any]]) -> None:
        try:
            status, answer = self.server.post(PATH, token, {"heartbeats": beats})
        except BROKEN:
            status, answer = http.client.SERVICE_UNAVAILABLE, {}
        if status != http.client.OK:
            self.unanswered += len(beats)
            return
        self.answered += len(beats)
        self.refused += [item for item in answer["results"] if not item["accepted"]]

    def _caller(self) -> HttpApi:
        return HttpApi(self.server.port, service_token("worker-a", "worker"), INTERNAL)


def _portions(workers: Sequence[Worker]) -> Iterator[Sequence[Worker]]:
    for start in range(0, len(workers), BEATS_A_REQUEST):
        yield workers[start : start + BEATS_A_REQUEST]


@contextmanager
def fleet_at_sea(folder: Path) -> Iterator[Fleet]:
    """Web server, relay, worker and beat as `make run` runs them, on a MariaDB of their own; all end with the block."""
    with ExitStack() as stack:
        database = OwnDatabase(folder / "database")
        stack.callback(database.kill)
        database.create()
        settings = {"DATABASE_URL": database.url, "VAR_DIR": str(folder), "REDIS_URL": ""}
        environment = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings"}
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
        subprocess.run(command, cwd=BASE_DIR, env=environment, check=True)
        server = Server(folder, WHOLE_SERVICE, settings)
        stack.callback(server.kill_everything)
        server.start()
        yield Fleet(server, database)
