"""What a stack remembers between two calls: its folder, its ports, its passwords."""

import fcntl
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VAR_DIR = ROOT / os.environ.get("VAR_DIR", "var")
STACK_DIR = VAR_DIR / "stack"
MYSQL_ROOT = VAR_DIR / "mysql"


class Unavailable(RuntimeError):  # noqa: N818 - it names a state, not a mistake
    """A server can't be had on this machine; the text says why and what would help."""


@contextmanager
def exclusive() -> Iterator[None]:
    """Let one call at a time start or stop servers of this checkout."""
    STACK_DIR.mkdir(parents=True, exist_ok=True)
    with (STACK_DIR / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def remembered_secret(name: str) -> str:
    """Return the stack's own password or key of that name, made at the first call (mode 0600)."""
    path = STACK_DIR / "secrets" / name
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(24), encoding="ascii")
    return path.read_text(encoding="ascii")


def remembered_port(name: str) -> int:
    """Return the port that the server had before, or had reserved for it."""
    ports = _ports()
    if name not in ports:
        return fresh_port(name)
    return ports[name]


def fresh_port(name: str) -> int:
    """Choose a free loopback port for the server and remember it."""
    ports = _ports()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        ports[name] = probe.getsockname()[1]
    _ports_path().write_text(json.dumps(ports, indent=2), encoding="ascii")
    return ports[name]


def port_is_free(port: int) -> bool:
    """Tell whether a server could listen on that loopback port now."""
    try:
        with socket.create_server(("127.0.0.1", port)):
            return True
    except OSError:
        return False


def _ports_path() -> Path:
    return STACK_DIR / "ports.json"


def _ports() -> dict[str, int]:
    path = _ports_path()
    if not path.exists():
        return {}
    ports: dict[str, int] = json.loads(path.read_text(encoding="ascii"))
    return ports
