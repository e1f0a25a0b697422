"""Gets programs onto the machine: Debian's packages by apt, Centrifugo by go install."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from stacklib.state import Unavailable

# Where Debian keeps servers, and not always in a user's PATH.
SYSTEM_FOLDERS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/usr/local/go/bin")


def find_program(*names: str) -> str | None:
    """Return the full path of the first of ``names`` that is installed."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *SYSTEM_FOLDERS])
    return next((found for name in names if (found := shutil.which(name, path=path))), None)


def program(names: Sequence[str], *packages: str) -> str:
    """Return the path of a program, installing Debian's ``packages`` where it is missing."""
    found = find_program(*names)
    if found is None:
        apt_install(*packages)
        found = find_program(*names)
    if found is None:
        raise Unavailable(f"{' and '.join(packages)} brought no {' or '.join(names)}")
    return found


def as_root(command: Sequence[str]) -> list[str]:
    """Return ``command`` in a form that runs as root; raise ``Unavailable`` where that needs a person."""
    if os.geteuid() == 0:
        return list(command)
    sudo = find_program("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n", *command]
    raise Unavailable(f"this needs root: run `{' '.join(command)}` once by hand")


def apt_install(*packages: str) -> None:
    """Install Debian packages without starting their services; raise ``Unavailable`` where that fails."""
    apt = find_program("apt-get")
    if apt is None:
        raise Unavailable(f"install {', '.join(packages)} with this system's own package manager")
    install = [apt, "install", "-y", "-q", "--no-install-recommends", *packages]
    # The policy keeps Debian from starting a server of its own beside ours.
    prefix = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1"]
    _refresh_package_lists(apt)
    say(f"installing {', '.join(packages)} by apt")
    run_quietly(as_root([*prefix, *install]), f"apt-get could not install {', '.join(packages)}")


@cache
def _refresh_package_lists(apt: str) -> None:
    run_quietly(as_root([apt, "update", "-q"]), "apt-get update failed")


def go_install(module: str, folder: Path) -> None:
    """Build a Go program into ``folder``; raise ``Unavailable`` where Go is missing or fails."""
    go = find_program("go")
    if go is None:
        raise Unavailable("it is built with Go, which is not installed")
    say(f"building {module} (a few minutes the first time)")
    folder.mkdir(parents=True, exist_ok=True)
    run_quietly(["env", f"GOBIN={folder}", go, "install", module], f"go install {module} failed")


def run_quietly(command: Sequence[str], complaint: str) -> None:
    """Run a command; show the end of its output only where it fails, as ``Unavailable``."""
    answer = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if answer.returncode:
        end = "\n".join((answer.stdout + answer.stderr).splitlines()[-8:])
        raise Unavailable(f"{complaint}:\n{end}")


def say(text: str) -> None:
    """Tell the person what is happening, apart from what a shell evaluates."""
    print(f"stack: {text}", file=sys.stderr, flush=True)
