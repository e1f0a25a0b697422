"""Others who report meanwhile: a process of its own that sends ready requests at an even rate."""

import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from bench.load import Connection

WIDTH = 100
CONNECTIONS = 4


class Background:
    """Within the block so many reports a second arrive beside those of the block; none at a rate of 0."""

    def __init__(self, port: int, rate: int, seconds: int) -> None:
        """Make the requests ready."""
        from bench.fleet import Fleet  # noqa: PLC0415 - the child needs no Django
        from bench.over_http import request  # noqa: PLC0415 - the same

        reports = Fleet(WIDTH).take(rate * seconds) if rate else []
        requests = [request("/task-events", execution.token, body) for execution, body in reports]
        self._errand = pickle.dumps((port, rate, requests))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Begin."""
        self._process = subprocess.Popen([sys.executable, "-m", "bench.background"], stdin=subprocess.PIPE)
        assert self._process.stdin is not None
        self._process.stdin.write(self._errand)
        self._process.stdin.close()
        return self

    def __exit__(self, *_exception: object) -> None:
        """Wait until the last one was sent."""
        assert self._process is not None
        assert self._process.wait() == 0


def main() -> None:
    """Send what the parent has made ready."""
    port, rate, requests = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own parent wrote it
    begin = time.monotonic()

    def send(lane: int) -> None:
        connection = Connection(port)
        for number in range(lane, len(requests), CONNECTIONS):
            time.sleep(max(0.0, begin + number / rate - time.monotonic()))
            connection.send_all([requests[number]])

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(send, range(CONNECTIONS if requests else 0)))


if __name__ == "__main__":
    main()
