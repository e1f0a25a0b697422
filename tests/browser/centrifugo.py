"""A Centrifugo, and a service with its relay that speak over it, each to be killed and started again."""

import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stacklib.centrifugo import BIN_DIR, CONFIG
from taskstatus.config.assets import centrifuge_files
from taskstatus.config.env import BASE_DIR
from tests.conftest import unavailable
from tests.support.server import WEB, Server, database_url
from tests.support.waiting import PATIENCE_SECONDS, eventually


class Centrifugo:
    """A server of its own. Its history is in memory, where a restart loses it, or in the Redis that is named."""

    def __init__(self, folder: Path, service_port: int, redis_url: str = "") -> None:
        self.port = Server(folder, ()).port
        self._folder = folder
        self._keys = {name: secrets.token_hex(16) for name in ("API", "TOKEN", "SUBSCRIPTION")}
        redis = {"CENTRIFUGO_ENGINE_TYPE": "redis", "CENTRIFUGO_ENGINE_REDIS_ADDRESS": redis_url}
        self._engine = redis if redis_url else {}
        self._service = f"http://127.0.0.1:{service_port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def settings(self) -> dict[str, str]:
        """What the service has to know of it."""
        return {
            "REALTIME_TRANSPORT": "centrifugo",
            "CENTRIFUGO_API_URL": f"http://127.0.0.1:{self.port}/api",
            "CENTRIFUGO_API_KEY": self._keys["API"],
            "CENTRIFUGO_PUBLIC_URL": f"ws://127.0.0.1:{self.port}/connection/websocket",
            "CENTRIFUGO_TOKEN_SECRET": self._keys["TOKEN"],
            "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET": self._keys["SUBSCRIPTION"],
        }

    def start(self) -> None:
        """Start it, or start it again."""
        address = ["--http_server.address=127.0.0.1", f"--http_server.port={self.port}"]
        environment = {
            "CENTRIFUGO_HTTP_API_KEY": self._keys["API"],
            "CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY": self._keys["TOKEN"],
            "CENTRIFUGO_CLIENT_SUBSCRIPTION_TOKEN_HMAC_SECRET_KEY": self._keys["SUBSCRIPTION"],
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_ENDPOINT": f"{self._service}/internal/v1/centrifugo/sub-refresh",
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_HTTP_STATIC_HEADERS": json.dumps({"X-API-Key": self._keys["API"]}),
            **self._engine,
        }
        with (self._folder / "centrifugo").open("ab") as output:
            self._process = subprocess.Popen(
                [_program(), "--config", str(CONFIG), *address],
                cwd=self._folder,
                env=environment,
                stdout=output,
                stderr=output,
            )
        eventually(self.answers, what="Centrifugo's start")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_SECONDS)

    def answers(self) -> bool:
        """Whether it takes connections."""
        probe = Server.__new__(Server)
        probe.port = self.port
        return probe.listens()


def _program() -> str:
    built = BIN_DIR / "centrifugo"
    found = str(built) if built.exists() else shutil.which("centrifugo")
    if found is None:
        unavailable("Centrifugo")
    return found


def need_the_client() -> None:
    """Skip the test, aloud, where pages would have to do without Centrifugo."""
    if not centrifuge_files(BASE_DIR):
        unavailable("centrifuge-js (make setup-js)")


@contextmanager
def realtime_service(folder: Path) -> Iterator[tuple[Server, Centrifugo]]:
    """The service, its relay and Centrifugo, all of them running."""
    need_the_client()
    server = Server(folder, WEB)
    centrifugo = Centrifugo(folder, server.port)
    server.settings = centrifugo.settings
    try:
        centrifugo.start()
        server.start()
        with _relay(folder, centrifugo):
            yield server, centrifugo
    finally:
        server.kill_everything()
        centrifugo.kill()


@contextmanager
def _relay(folder: Path, centrifugo: Centrifugo) -> Iterator[None]:
    environment = {
        **os.environ,
        **centrifugo.settings,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings",
        "VAR_DIR": str(folder),
    }
    with (folder / "relay").open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "relay"], cwd=BASE_DIR, env=environment, stdout=output, stderr=output
        )
    try:
        yield
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)
