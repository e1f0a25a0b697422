"""The load: a process of its own whose keep-alive connections send ready requests, each after the last one's answer.

Talks raw HTTP/1.1: a client library would spend the time of the cores that the servers need.
"""

import pickle
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import IO, Any, Self

_BUFFER = 65_536
_PATIENCE_SECONDS = 60


class Load:
    """Sends from another process; one instance for a whole run."""

    def __enter__(self) -> Self:
        """Start the process."""
        command = [sys.executable, "-m", "bench.load"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_exception: object) -> None:
        """End it."""
        self._process.communicate()

    def send(self, port: int, requests: Sequence[Sequence[bytes]]) -> tuple[float, list[list[bytes]]]:
        """Send each list over a connection of its own; the seconds it took, and the bodies of all answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((port, requests), self._process.stdin)
        self._process.stdin.flush()
        seconds, answers = pickle.load(self._process.stdout)  # noqa: S301 - our own child wrote it
        return seconds, answers


class Connection:
    """One kept-alive connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send_all(self, requests: Sequence[bytes]) -> list[bytes]:
        """Send one after the other; the bodies of their answers."""
        return [self._send(request) for request in requests]

    def _send(self, request: bytes) -> bytes:
        self._socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, body = received.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"refused: {received[:2000]!r}")
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self._more()
        return body

    def _more(self) -> bytes:
        chunk = self._socket.recv(_BUFFER)
        if not chunk:
            raise RuntimeError("the server closed the connection")
        return chunk


class _Sender:
    """Keeps the connections to each port for the next job."""

    def __init__(self) -> None:
        self._connections: dict[int, list[Connection]] = {}

    def do(self, port: int, requests: Sequence[Sequence[bytes]]) -> tuple[float, list[list[bytes]]]:
        """One job: all lists at once."""
        kept = self._connections.setdefault(port, [])
        kept += [Connection(port) for _ in range(len(requests) - len(kept))]
        with ThreadPoolExecutor(len(requests)) as pool:
            begun = perf_counter()
            jobs = [pool.submit(one.send_all, mine) for one, mine in zip(kept, requests, strict=False)]
            answers = [job.result() for job in jobs]
            return perf_counter() - begun, answers


def serve(orders: IO[bytes], results: IO[bytes]) -> None:
    """Do jobs until there are no more."""
    sender = _Sender()
    while True:
        try:
            job: Any = pickle.load(orders)  # noqa: S301 - our own parent wrote it
        except EOFError:
            return
        pickle.dump(sender.do(*job), results)
        results.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
