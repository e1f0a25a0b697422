"""How `make run` and `make demo` run processes: the service's own, and any others beside them."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Final

import honcho.manager

ROOT: Final = Path(__file__).resolve().parents[1]
# Longer than gunicorn's own patience with running requests, shorter than a supervisor's with us.
KILL_AFTER_SECONDS: Final = 18
WEB: Final = "gunicorn -c python:taskstatus.config.gunicorn"
RELAY: Final = "manage relay"
# Threads, not child processes: a SIGTERM to the group lets a running task finish.
WORKER: Final = (
    "celery -A taskstatus.config.celery:app worker --beat --pool threads --concurrency 4"
    " --without-gossip --without-mingle --without-heartbeat"
)
SERVICE: Final = {"web": WEB, "relay": RELAY, "worker": WORKER}


def manage(*arguments: str) -> None:
    """Run a management command; end this process with its exit code where it fails."""
    code = subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)


def require_free_port(port: int) -> None:
    """End this process, saying what to do, if somebody listens on the port already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            sys.exit(f"Port {port} of 127.0.0.1 is taken. Choose another: PORT=8001 make …")


def run_all(commands: Mapping[str, str], environments: Mapping[str, Mapping[str, str]] | None = None) -> int:
    """Run Python modules side by side until the first of them, or a signal, ends all; return the exit code.

    `environments` holds what single processes are told beside our own environment.
    """
    os.environ["PYTHONUNBUFFERED"] = "1"
    honcho.manager.KILL_WAIT = KILL_AFTER_SECONDS
    manager = honcho.manager.Manager()
    for name, command in commands.items():
        told = (environments or {}).get(name, {})
        # exec: the signal reaches the process and not a shell before it.
        manager.add_process(name, f"exec {sys.executable} -m {command}", cwd=str(ROOT), env={**os.environ, **told})
    manager.loop()
    asked_to_end = {128 + signal.SIGTERM, 128 + signal.SIGINT}
    return 0 if manager.returncode in asked_to_end else manager.returncode


def end(_signal: int, _frame: FrameType | None) -> None:
    """End quietly while nothing but a preparation runs."""
    sys.exit(0)
