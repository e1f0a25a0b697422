"""`make run`'s process: it brings the service up, and a SIGTERM takes all of it down."""

import contextlib
import os
import signal
import socket
import subprocess
import sys

import pytest

from taskstatus.config.env import BASE_DIR
from tests.support.ports import free_port
from tests.support.waiting import eventually

START_SECONDS = 120
END_SECONDS = 60


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def processes_of(var_dir):
    """Return the processes whose environment names this test's own folder."""
    mark = f"VAR_DIR={var_dir}".encode()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - /proc changes while it is read
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:  # noqa: PTH123
                if mark in environ.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for left-over processes in /proc")  # noqa: PTH112
@pytest.mark.parametrize("whom", ["process", "group"])
def test_sigterm_ends_the_web_server_and_the_worker(tmp_path, whom):
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "VAR_DIR": str(tmp_path),
        "PORT": str(port),
    }
    with (tmp_path / "output").open("wb") as output:
        service = subprocess.Popen(
            [sys.executable, "scripts/serve.py"],
            cwd=BASE_DIR,
            env=environment | {"DJANGO_SETTINGS_MODULE": "taskstatus.config.settings", "PYTHONPATH": "."},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            eventually(lambda: listens(port) or service.poll() is not None, START_SECONDS)
            assert listens(port), (tmp_path / "output").read_text()
            (os.killpg if whom == "group" else os.kill)(service.pid, signal.SIGTERM)
            assert service.wait(END_SECONDS) == 0
            eventually(lambda: processes_of(tmp_path) == [])
        finally:
            for pid in processes_of(tmp_path):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            service.wait()
