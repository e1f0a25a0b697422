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
_SIGN_OF_LIFE = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


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

    def connect(self, port: int, connections: int) -> None:
        """Open so many more connections; each is taken by a worker when this returns."""
        self._ask("connect", port, connections)

    def send(self, port: int, requests: Sequence[Sequence[bytes]]) -> tuple[float, list[list[bytes]]]:
        """Send each list over a connection of its own; the seconds it took, and the bodies of all answers."""
        seconds, answers = self._ask("send", port, requests)
        return seconds, answers

    def _ask(self, *order: object) -> Any:  # noqa: ANN401 - what the method of that name returns
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(order, self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)  # noqa: S301 - our own child wrote it


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
    """Does what `Load` is asked for; keeps the connections to each port."""

    def __init__(self) -> None:
        self._connections: dict[int, list[Connection]] = {}

    def connect(self, port: int, connections: int) -> None:
        """Open more connections, and let each be answered once."""
        for _ in range(connections):
            connection = Connection(port)
            connection.send_all([_SIGN_OF_LIFE])
            self._connections.setdefault(port, []).append(connection)

    def send(self, port: int, requests: Sequence[Sequence[bytes]]) -> tuple[float, list[list[bytes]]]:
        """Send all lists at once."""
        kept = self._connections[port]
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
            name, *arguments = pickle.load(orders)  # noqa: S301 - our own parent wrote it
        except EOFError:
            return
        pickle.dump(getattr(sender, name)(*arguments), results)
        results.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
