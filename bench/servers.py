"""Web servers with the project's own gunicorn configuration, and the memory of their workers."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

WORKERS = 2
SERVICE = "taskstatus.config.asgi:application"
REFERENCE = "bench.reference.app:application"
_START_SECONDS = 30
_END_SECONDS = 20
_CONFIG = "python:taskstatus.config.gunicorn"


@dataclass(frozen=True)
class Server:
    """A running gunicorn."""

    pid: int
    port: int

    def workers(self) -> list[int]:
        """The processes that serve; the master is not one of them."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in children.split()]

    @contextmanager
    def served_by(self, worker: int) -> Iterator[None]:
        """Let this worker alone take what comes, while the others stand still."""
        others = [pid for pid in self.workers() if pid != worker]
        for pid in others:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in others:
                os.kill(pid, signal.SIGCONT)


@contextmanager
def gunicorn(application: str, environment: Mapping[str, str]) -> Iterator[Server]:
    """Start gunicorn for a WSGI application, wait until it answers, and end it at the end."""
    port = _free_port()
    settings = {"PORT": str(port), "WEB_WORKERS": str(WORKERS), "BIND_ADDRESS": "127.0.0.1", **environment}
    command = [sys.executable, "-m", "gunicorn", "-c", _CONFIG, application]
    with tempfile.TemporaryFile() as log, _process(command, {**os.environ, **settings}, log) as process:
        try:
            server = Server(process.pid, port)
            _wait_until_it_answers(process, server)
            yield server
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read().decode())
            raise


@contextmanager
def _process(command: list[str], environment: Mapping[str, str], log: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(_END_SECONDS)


@dataclass(frozen=True)
class Memory:
    """Of one process, in MiB: resident, its proportional share of shared pages, and the highest resident."""

    rss: float
    pss: float
    peak: float


def memory_of(pid: int) -> Memory:
    """What the process holds now, and its peak since `forget_peak`."""
    rolled, status = _fields(pid, "smaps_rollup"), _fields(pid, "status")
    return Memory(rolled["Rss"] / 1024, rolled["Pss"] / 1024, status["VmHWM"] / 1024)


def forget_peak(pid: int) -> None:
    """Let the peak begin again at what is resident now."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


def _fields(pid: int, name: str) -> dict[str, int]:
    """The fields of a /proc file that count kB."""
    lines = Path(f"/proc/{pid}/{name}").read_text(encoding="ascii").splitlines()
    pairs = (line.split(":", 1) for line in lines if line.endswith("kB"))
    return {field: int(value.split()[0]) for field, value in pairs}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", server: Server) -> None:
    """Wait for all of its workers to be there, and for one of them to answer."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"gunicorn ended with exit code {process.returncode}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/healthz", timeout=1)
            if len(server.workers()) == WORKERS:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError("gunicorn doesn't answer")
