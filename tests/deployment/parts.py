"""A deployment of a test's own: every part of it is a process that can be killed.

MariaDB, Redis, Centrifugo over that Redis, the web server and two relays.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from taskstatus.config.env import BASE_DIR
from tests.browser.centrifugo import Centrifugo
from tests.support.api import INTERNAL, service_token, user_api
from tests.support.cast import ALICE, Coordinator
from tests.support.http_api import HttpApi
from tests.support.own_database import OwnDatabase
from tests.support.redis_server import RedisServer, running
from tests.support.server import WEB, Server


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
