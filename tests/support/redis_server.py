"""A Redis of a test's own, to be stopped and started again."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.support.ports import free_port
from tests.support.waiting import PATIENCE_SECONDS, eventually

BINARY = shutil.which("redis-server")


class RedisServer:
    """One redis-server process on a free loopback port that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait until it answers."""
        assert BINARY is not None
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [BINARY, *options], cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        eventually(self._answers, what="the start of Redis")

    def stop(self) -> None:
        """End the process; a second call does nothing."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE_SECONDS)
            self._process = None

    def _answers(self) -> bool:
        with Redis.from_url(self.url) as client:
            try:
                return bool(client.ping())
            except RedisError:
                return False


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    """Give a started server; skip the test where none is installed, and fail it there under CI."""
    if BINARY is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("redis-server is not installed")
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
