"""A deployment of a test's own, load on it, and screens before it: what A06 is shown on.

MariaDB, Redis, Centrifugo over that Redis, the web server and two relays, each a process that can be killed.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taskstatus.config.env import BASE_DIR
from tests.browser.centrifugo import Centrifugo
from tests.identity.redis_server import RedisServer, running
from tests.realtime.served import ServedStream
from tests.support.api import INTERNAL, fresh, service_token, user_api
from tests.support.cast import ALICE, Coordinator, Worker, step_body, task_body
from tests.support.http_api import HttpApi
from tests.support.own_database import OwnDatabase
from tests.support.screen import Json, Screen
from tests.support.server import BROKEN, WEB, Server
from tests.support.waiting import eventually

PAUSE_SECONDS = 0.1
PATIENCE_SECONDS = 90
TASKS = 5
# All tasks of a module's restarts together fit on the list's first page.
OTHERS = 8


@dataclass
class Deployment:
    """Every part of it."""

    database: OwnDatabase
    redis: RedisServer
    centrifugo: Centrifugo
    server: Server
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def logs(self) -> list[Path]:
        """What the service's own processes print, the web server and the relays."""
        return [self.folder / "output", self.folder / "relay"]

    def alice(self) -> HttpApi:
        """Who looks."""
        return HttpApi(self.server.port, user_api(ALICE).token or "")

    def carol(self) -> Coordinator:
        """Who coordinates."""
        token = service_token("coordinator", "coordinator", "business")
        return Coordinator(HttpApi(self.server.port, token, INTERNAL))  # type: ignore[arg-type]

    def manage(self, *arguments: str) -> None:
        """Run a command of the service to its end."""
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=BASE_DIR, env=self.environment, check=True)

    def unsettled(self) -> list[tuple[object, ...]]:
        """What the outbox holds that is neither published nor superseded, by status."""
        settled = "'PUBLISHED', 'SUPERSEDED'"
        return self.database.ask(f"SELECT status, COUNT(*) FROM task_outbox WHERE status NOT IN ({settled}) GROUP BY 1")


@contextmanager
def deployed(folder: Path) -> Iterator[Deployment]:
    """Everything, running; none of it outlives the block."""
    with ExitStack() as stack:
        database = OwnDatabase(folder / "database")
        stack.callback(database.kill)
        database.create()
        redis = stack.enter_context(running(folder))
        server = Server(folder, WEB)
        centrifugo = Centrifugo(folder, server.port, redis.url)
        stack.callback(centrifugo.kill)
        centrifugo.start()
        deployment = Deployment(database, redis, centrifugo, server, folder)
        deployment.environment = _environment(folder, deployment)
        server.settings = deployment.environment
        deployment.manage("migrate", "--verbosity=0")
        for _ in range(2):
            stack.callback(_end, _relay(folder, deployment.environment))
        stack.callback(server.kill_everything)
        server.start()
        yield deployment


def _environment(folder: Path, deployment: Deployment) -> dict[str, str]:
    return {
        **os.environ,
        **deployment.centrifugo.settings,
        "DATABASE_URL": deployment.database.url,
        "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings",
        "REDIS_URL": deployment.redis.url,
        "VAR_DIR": str(folder),
        # What a relay held when the database died is taken over soon.
        "OUTBOX_LEASE_SECONDS": "6",
        "OUTBOX_PUBLISH_DEADLINE_SECONDS": "3",
    }


def _relay(folder: Path, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    with (folder / "relay").open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "manage.py", "relay"], cwd=BASE_DIR, env=environment, stdout=output, stderr=output
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait(10)


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


class StreamedScreen:
    """A client of the native stream: it comes back whenever it is cut off, resumes, and reads anew where it must."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment, self._api = deployment, deployment.alice()
        self._screen, self._lock = Screen(), threading.Lock()
        self._last_id: str | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.connections = 0

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
            self.connections += 1
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


def restart_centrifugo(deployment: Deployment, load: Load) -> None:
    """Reports are acknowledged while it is away."""
    deployment.centrifugo.kill()
    load.more(30)
    deployment.centrifugo.start()


def restart_redis(deployment: Deployment, load: Load) -> None:
    """It keeps nothing on disk, so Centrifugo's histories are gone with it; reports are acknowledged meanwhile."""
    deployment.redis.stop()
    load.more(30)
    deployment.redis.start()


def restart_the_database(deployment: Deployment, load: Load) -> None:
    """Nothing can be acknowledged while it is away; workers ask again and again."""
    deployment.database.kill()
    load.suffer(20)
    deployment.database.start()


RESTARTS = [restart_centrifugo, restart_redis, restart_the_database]
