"""A Centrifugo of a test's own, with the namespaces of the deployment and clocks that a test can wait for."""

import json
import os
import secrets
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from stacklib.centrifugo import CONFIG, Centrifugo
from stacklib.packages import find_program
from tests.conftest import unavailable
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_SECONDS, eventually


@dataclass(frozen=True)
class OwnCentrifugo:
    """Where it is, and the keys that it shares with the service."""

    port: int
    api_key: str = field(default_factory=lambda: secrets.token_hex(24))
    token_secret: str = field(default_factory=lambda: secrets.token_hex(24))
    subscription_token_secret: str = field(default_factory=lambda: secrets.token_hex(24))

    @property
    def websocket(self):
        return f"ws://127.0.0.1:{self.port}/connection/websocket"

    @property
    def settings(self):
        """The service's settings for it."""
        return {
            "REALTIME_TRANSPORT": "centrifugo",
            "CENTRIFUGO_API_URL": f"http://127.0.0.1:{self.port}/api",
            "CENTRIFUGO_API_KEY": self.api_key,
            "CENTRIFUGO_PUBLIC_URL": self.websocket,
            "CENTRIFUGO_TOKEN_SECRET": self.token_secret,
            "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET": self.subscription_token_secret,
        }

    def answers(self):
        """Whether it is up."""
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/health", timeout=5).ok
        except requests.RequestException:
            return False

    def environment(self, service_port):
        """Centrifugo's own; it looks for expired subscriptions each second, and waits for the service's answer."""
        headers = {"X-API-Key": self.api_key}
        endpoint = f"http://127.0.0.1:{service_port}/internal/v1/centrifugo/sub-refresh"
        return {
            "CENTRIFUGO_HTTP_API_KEY": self.api_key,
            "CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY": self.token_secret,
            "CENTRIFUGO_CLIENT_SUBSCRIPTION_TOKEN_HMAC_SECRET_KEY": self.subscription_token_secret,
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_ENDPOINT": endpoint,
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_HTTP_STATIC_HEADERS": json.dumps(headers),
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_TIMEOUT": "60s",
            "CENTRIFUGO_CLIENT_PRESENCE_UPDATE_INTERVAL": "1s",
            "CENTRIFUGO_CLIENT_EXPIRED_SUB_CLOSE_DELAY": "1s",
        }


def program() -> str:
    """The server's program, as the stack keeps it."""
    kept = Centrifugo().program
    return str(kept) if kept.exists() else find_program("centrifugo") or unavailable("Centrifugo")


@contextmanager
def running(folder: Path, service_port: int = 1):
    """A started server; `service_port` is where it finds the service."""
    server = OwnCentrifugo(free_port())
    command = [program(), "--config", str(CONFIG), "--http_server.address=127.0.0.1"]
    with (folder / "centrifugo.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, f"--http_server.port={server.port}"],
            env={**os.environ, **server.environment(service_port)},
            stdout=log,
            stderr=log,
        )
    try:
        eventually(server.answers, what="Centrifugo's start")
        yield server
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
