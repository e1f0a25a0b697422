"""The command line of ``scripts/stack``."""

import argparse
import os
import shlex
import signal
from collections.abc import Sequence
from itertools import takewhile

from stacklib.centrifugo import Centrifugo
from stacklib.command import leave, nothing, run_to_its_end, told
from stacklib.mariadb import MariaDB
from stacklib.mysql import MySQL
from stacklib.packages import say
from stacklib.redis import Redis
from stacklib.services import Service
from stacklib.state import Unavailable, exclusive

USAGE = """\
up      start what does not run yet; a server that can't be had is said, and with CI set fails
down    end the servers of this checkout, and nothing else
status  list the servers
env     print the settings that lead to the running servers, for a shell to evaluate
run     start what does not run, run what stands behind -- with those settings, end what this call started
"""


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks and return the exit code."""
    own, command = _split(arguments)
    options = _parser().parse_args(own)
    services = _services(mysql=options.mysql)
    match options.action:
        case "up":
            _, missing = start(services)
            return int(bool(missing) and _missing_fails())
        case "down":
            stop(_services(mysql=False) + _services(mysql=True)[:1])
        case "status":
            status(_services(mysql=False) + _services(mysql=True)[:1])
        case "env":
            for name, value in environment(services).items():
                print(f"export {name}={shlex.quote(value)}")
        case "run":
            return run(services, command)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/stack",
        description="The servers that tests and the full demo need.",
        epilog=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=["up", "down", "status", "env", "run"])
    parser.add_argument("--mysql", action="store_true", help="real MySQL in MariaDB's place")
    return parser


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what stands before ``--`` and what stands behind it: the command of ``run``, whole."""
    own = list(takewhile(lambda argument: argument != "--", arguments))
    return own, list(arguments[len(own) + 1 :])


def _services(*, mysql: bool) -> list[Service]:
    return [MySQL() if mysql else MariaDB(), Redis(), Centrifugo()]


def _missing_fails() -> bool:
    return bool(os.environ.get("CI"))


def start(services: Sequence[Service]) -> tuple[list[Service], dict[str, str]]:
    """Start what does not run; return what was started, and the reason for each that can't be had.

    Whoever breaks it off leaves none of them behind.
    """
    started: list[Service] = []
    missing: dict[str, str] = {}
    with exclusive():
        for service in services:
            if service.daemon.pid() is not None:
                continue
            try:
                service.start()
            except Unavailable as reason:
                missing[service.name] = str(reason)
                say(f"{service.name} can't be had: {reason}")
            except BaseException:
                for one in (service, *reversed(started)):
                    one.daemon.stop()
                raise
            else:
                started.append(service)
                say(f"{service.name} started")
    return started, missing


def stop(services: Sequence[Service]) -> None:
    """End those servers that this checkout started."""
    with exclusive():
        for service in reversed(services):
            if service.daemon.stop():
                say(f"{service.name} stopped")


def status(services: Sequence[Service]) -> None:
    """Print a line for each server."""
    for service in services:
        pid = service.daemon.pid()
        print(f"{service.name:<12}{f'runs, pid {pid}' if pid else 'does not run'}")


def environment(services: Sequence[Service]) -> dict[str, str]:
    """Return the settings that lead to the running servers."""
    running = [service for service in services if service.daemon.pid() is not None]
    return {name: value for service in running for name, value in service.environment().items()}


def run(services: Sequence[Service], command: Sequence[str]) -> int:
    """Run a command beside the servers and return its exit code; SIGTERM and Ctrl-C end all of it."""
    with told(signal.SIGTERM, leave):
        started, missing = start(services)
        try:
            if missing and _missing_fails():
                return 1
            reasons = "; ".join(f"{name}: {reason.splitlines()[0]}" for name, reason in missing.items())
            surroundings = {**os.environ, **environment(services), "STACK_MISSING": reasons}
            return run_to_its_end(command, surroundings)
        finally:
            with told(signal.SIGTERM, nothing), told(signal.SIGINT, nothing):
                stop(started)
