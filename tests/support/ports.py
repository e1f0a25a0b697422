"""Ports for servers that are started after their address is known."""

import os
import random
import socket
from collections.abc import Iterator
from typing import Final

# Below the ports that the system itself gives to connections: nothing takes one of these before the server does,
# nor while a test has it stopped. Each process of a parallel run has a share of its own.
_FIRST: Final = 20_000
_SHARE: Final = 600
_SHARES: Final = 20


def _own_share() -> Iterator[int]:
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SHARES
    ports = list(range(_FIRST + number * _SHARE, _FIRST + (number + 1) * _SHARE))
    random.shuffle(ports)
    while True:
        yield from ports


_ports: Final = _own_share()


def free_port() -> int:
    """A loopback port that nobody listens on, and that is given to no other test for a long time."""
    return next(port for port in _ports if _is_free(port))


def _is_free(port: int) -> bool:
    try:
        with socket.create_server(("127.0.0.1", port)):
            return True
    except OSError:
        return False
