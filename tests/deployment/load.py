"""Load on a deployment, and a record of what it acknowledged."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.deployment.parts import Deployment
from tests.support.api import INTERNAL, fresh
from tests.support.cast import Coordinator, Worker, step_body, task_body
from tests.support.http_api import HttpApi
from tests.support.screen import Json
from tests.support.waiting import eventually

PAUSE_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 90
TASKS: Final = 5
# All tasks of a module's restarts together fit on the list's first page.
OTHERS: Final = 8


@dataclass
class Load:
    """Workers that report without end, and a coordinator that starts and ends one task after the other."""

    deployment: Deployment
    task_ids: list[str] = field(default_factory=list)
    acknowledged: list[tuple[str, Json]] = field(default_factory=list)
    _callers: list[HttpApi] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)
    _faults: list[BaseException] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def unanswered(self) -> int:
        """How many requests got no answer, or 503, so far."""
        return sum(caller.unanswered for caller in self._callers)

    def begin(self) -> None:
        """Create the tasks, and let a worker report on each, and one more thread create others."""
        bodies = [task_body(step_body(), title=f"Paper {number}") for number in range(TASKS)]
        self.task_ids = [task["taskId"] for task in self._coordinator().workflow(*bodies)["tasks"]]
        for task_id in self.task_ids:
            self._spawn(self._work, task_id, self._stopping.is_set)
        self._spawn(self._create_others)

    def end(self) -> None:
        """Let every worker end its task; fails where anything was refused."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(2 * PATIENCE_SECONDS)
        assert not self._faults, self._faults
        assert not any(thread.is_alive() for thread in self._threads)

    def more(self, number: int) -> None:
        """Wait until so many more reports were acknowledged."""
        goal = len(self.acknowledged) + number
        eventually(lambda: len(self.acknowledged) >= goal or self._faults, PATIENCE_SECONDS, "the load")

    def suffer(self, number: int) -> None:
        """Wait until so many more requests were not answered."""
        goal = self.unanswered + number
        eventually(lambda: self.unanswered >= goal or self._faults, PATIENCE_SECONDS, "the outage")

    def _create_others(self) -> None:
        for number in range(OTHERS):
            if self._stopping.is_set():
                return
            task_id = self._coordinator().task(step_body(), title=f"Note {number}")["taskId"]
            self.task_ids.append(task_id)
            done = iter([False, False, True])
            self._work(task_id, lambda: next(done))  # noqa: B023 - called before the next one is made

    def _work(self, task_id: str, is_enough: Callable[[], bool]) -> None:
        carol = self._coordinator()
        worker = carol.worker(task_id, commandId=fresh())
        worker.api = self._caller(worker.context["executionToken"])  # type: ignore[assignment]
        self._report(worker, worker.event("STEP_STARTED"))
        number = 0
        while not is_enough():
            number += 1
            self._report(worker, worker.progress_event(number, None, phaseCode=f"PAGE_{number}"))  # type: ignore[arg-type]
            self._stopping.wait(PAUSE_SECONDS)
        self._report(worker, worker.event("STEP_COMPLETED"))
        body = {"eventId": fresh(), "eventType": "TASK_COMPLETED", "taskId": task_id, "taskAttempt": 1}
        self._keep(body, carol.api.post("/task-events", body).accepted())

    def _report(self, worker: Worker, body: Json) -> None:
        self._keep(body, worker.send(body).accepted())

    def _keep(self, body: Json, receipt: Json) -> None:
        assert receipt["reason"] is None, receipt
        self.acknowledged.append((body["eventId"], receipt))

    def _coordinator(self) -> Coordinator:
        carol = self.deployment.carol()
        self._callers.append(carol.api)  # type: ignore[arg-type]
        return carol

    def _caller(self, token: str) -> HttpApi:
        caller = HttpApi(self.deployment.server.port, token, INTERNAL)
        self._callers.append(caller)
        return caller

    def _spawn(self, work: Callable[..., None], *arguments: Any) -> None:
        def run() -> None:
            try:
                work(*arguments)
            except BaseException as fault:  # noqa: BLE001 - told by `end`
                self._faults.append(fault)

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()
