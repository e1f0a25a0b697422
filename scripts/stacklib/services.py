"""What all servers have in common, and what a caller may ask of each."""

import socket
from typing import Protocol

from stacklib.processes import Daemon
from stacklib.state import fresh_port, port_is_free, remembered_port

MYSQL_PROTOCOL_VERSION = 10
PACKET_HEADER_BYTES = 4


class Service(Protocol):
    """One server of the stack."""

    name: str
    daemon: Daemon

    def start(self) -> None:
        """Start the server, installing it where it is missing; raise ``Unavailable`` where that fails."""

    def environment(self) -> dict[str, str]:
        """Return the settings by which the service finds this server."""


def port_for_start(name: str) -> int:
    """Return the server's own port, or another where somebody else took it meanwhile."""
    port = remembered_port(name)
    return port if port_is_free(port) else fresh_port(name)


def greets(port: int) -> bool:
    """Tell whether a MySQL-family server on that port takes connections: such a server speaks first."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            greeting = connection.recv(PACKET_HEADER_BYTES + 1)
    except OSError:
        return False
    return greeting[PACKET_HEADER_BYTES:] == bytes([MYSQL_PROTOCOL_VERSION])


def answers(port: int) -> bool:
    """Tell whether anything listens on that loopback port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False
