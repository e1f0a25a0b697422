"""The service as it really runs: processes of its own on the suite's database, to be killed and started again."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection

from taskstatus.config.env import BASE_DIR
from tests.support.api import INTERNAL
from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_SECONDS, eventually

WEB = ("-m", "gunicorn", "-c", "python:taskstatus.config.gunicorn")
WHOLE_SERVICE = ("scripts/serve.py",)
START_SECONDS = 120
REQUEST_SECONDS = 60
# What a caller sees of a server that dies, is dead, or is not up yet.
BROKEN = (OSError, http.client.HTTPException)


class Server:
    """One instance on a free port; what it prints goes to a file in its folder. `settings` overrule the suite's."""

    def __init__(self, folder: Path, command: tuple[str, ...], settings: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        self._folder, self._command, self.settings = folder, command, settings or {}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the processes in a session of their own and wait until they can serve."""
        environment = {
            **os.environ,
            "DATABASE_URL": self.settings.get("DATABASE_URL") or database_url(),
            "DJANGO_SETTINGS_MODULE": "taskstatus.config.settings",
            "PORT": str(self.port),
            "PYTHONPATH": ".",
            "VAR_DIR": str(self._folder),
            "WEB_WORKERS": "2",
            **self.settings,
        }
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, *self._command],
                cwd=BASE_DIR,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        eventually(self._is_ready, START_SECONDS, "the start")

    def workers(self) -> list[int]:
        """The web workers of a server that was started by itself: the children of gunicorn's master."""
        return [pid for pid in self.processes() if pid != self.pid and b"gunicorn" in _command_line(pid)]

    @property
    def pid(self) -> int:
        """The process that was started: it leads the session."""
        assert self._process is not None
        return self._process.pid

    def processes(self) -> list[int]:
        """All living processes of the session."""
        return [pid for pid, (_parent, session) in _living().items() if session == self.pid]

    def kill_everything(self) -> None:
        """End all processes at once, as a power cut does, those in sessions of their own too."""
        everybody: set[int] = set()

        def has_ended() -> bool:
            # One that is being forked as the others are listed is found the next time.
            everybody.update(self.processes(), _descendants(self.pid))
            living = [pid for pid in everybody if _stat(pid)]
            for pid in living:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return not living

        eventually(has_ended, what="the end")
        if self._process is not None:
            self._process.wait(PATIENCE_SECONDS)

    def terminate(self) -> None:
        """Ask for the end."""
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, seconds: float) -> int:
        """The exit code; fails if the processes don't end in time."""
        assert self._process is not None
        return self._process.wait(seconds)

    def said(self) -> str:
        """What its processes have printed so far."""
        return (self._folder / "output").read_text(encoding="utf-8")

    def listens(self) -> bool:
        """Whether a new connection is taken."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def post(self, path: str, token: str | None, body: Any) -> tuple[int, Any]:
        """Send a request; the status and the body of the answer. Raises one of BROKEN where none came."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REQUEST_SECONDS)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        try:
            client.request("POST", INTERNAL + path, json.dumps(body), headers)
            response = client.getresponse()
            return response.status, json.loads(response.read())
        finally:
            client.close()

    def _is_ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.said()
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            client.request("GET", "/readyz", headers={"Host": "localhost"})
            return client.getresponse().status == 200
        except BROKEN:
            return False
        finally:
            client.close()


@contextmanager
def serving(folder: Path, command: tuple[str, ...] = WEB) -> Iterator[Server]:
    """A started server; none of its processes outlives the block."""
    server = Server(folder, command)
    try:
        server.start()
        yield server
    finally:
        server.kill_everything()


def database_url() -> str:
    """The URL of the database that this test run uses."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    return "mysql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(
        **{name: quote(str(values[name]), safe="") for name in ("USER", "PASSWORD", "HOST", "PORT", "NAME")}
    )


def _living() -> dict[int, tuple[int, int]]:
    """Parent and session of every living process."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208 - /proc changes meanwhile
    return {pid: stat for pid in pids if (stat := _stat(pid))}


def _descendants(pid: int) -> set[int]:
    """The process itself and all living ones that it and its children started."""
    living, found = _living(), {pid}
    while more := {child for child, (parent, _) in living.items() if parent in found} - found:
        found |= more
    return found


def _stat(pid: int) -> tuple[int, int] | None:
    """Parent and session of a living process; a zombie has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[1]), int(fields[3]))


def _command_line(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
