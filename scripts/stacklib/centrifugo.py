"""Centrifugo: the transport of pushed messages."""

import json
import os

from stacklib.packages import find_program, go_install
from stacklib.processes import Daemon
from stacklib.services import answers, port_for_start
from stacklib.state import ROOT, STACK_DIR, remembered_port, remembered_secret

MODULE = "github.com/centrifugal/centrifugo/v6@v6.9.1"
START_SECONDS = 15
CONFIG = ROOT / "deploy" / "centrifugo.json"
BIN_DIR = STACK_DIR / "bin"


class Centrifugo:
    """A Centrifugo server with the namespaces of ``deploy/centrifugo.json`` and keys of its own."""

    name = "centrifugo"

    def __init__(self) -> None:
        """Know the server by the program that the stack built for itself."""
        self.program = BIN_DIR / self.name
        self.daemon = Daemon(STACK_DIR / self.name, f"{self.program} --config")

    def start(self) -> None:
        """Build the server at the first start, then start it on loopback."""
        if not self.program.exists():
            self._bring()
        port = port_for_start(self.name)
        address = ["--http_server.address=127.0.0.1", f"--http_server.port={port}"]
        self.daemon.start([str(self.program), "--config", str(CONFIG), *address], self._environment())
        self.daemon.wait_until(lambda: answers(port), START_SECONDS)

    def environment(self) -> dict[str, str]:
        """Return its addresses and keys under the names of the service's settings."""
        port = remembered_port(self.name)
        return {
            "CENTRIFUGO_API_URL": f"http://127.0.0.1:{port}/api",
            "CENTRIFUGO_API_KEY": remembered_secret("centrifugo-api"),
            "CENTRIFUGO_PUBLIC_URL": f"ws://127.0.0.1:{port}/connection/websocket",
            "CENTRIFUGO_TOKEN_SECRET": remembered_secret("centrifugo-token"),
            "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET": remembered_secret("centrifugo-subscription"),
        }

    def _bring(self) -> None:
        installed = find_program(self.name)
        if installed is None:
            go_install(MODULE, BIN_DIR)
            return
        BIN_DIR.mkdir(parents=True, exist_ok=True)
        self.program.symlink_to(installed)

    def _environment(self) -> dict[str, str]:
        service = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"
        headers = {"X-API-Key": remembered_secret("centrifugo-api")}
        return {
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_ENDPOINT": f"{service}/internal/v1/centrifugo/sub-refresh",
            "CENTRIFUGO_CHANNEL_PROXY_SUB_REFRESH_HTTP_STATIC_HEADERS": json.dumps(headers),
            "CENTRIFUGO_HTTP_API_KEY": remembered_secret("centrifugo-api"),
            "CENTRIFUGO_CLIENT_TOKEN_HMAC_SECRET_KEY": remembered_secret("centrifugo-token"),
            "CENTRIFUGO_CLIENT_SUBSCRIPTION_TOKEN_HMAC_SECRET_KEY": remembered_secret("centrifugo-subscription"),
        }
