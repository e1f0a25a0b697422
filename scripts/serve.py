"""Runs the whole service in the foreground: migrations, then the web server, the relay, the worker with its beat.

SIGTERM or Ctrl-C, to this process or to its group, ends all of it; so does the end of any of them.
"""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

import honcho.manager
import yaml

from taskstatus.config.env import load_env

ROOT = Path(__file__).resolve().parents[1]
DEMO_DEFINITIONS = ROOT / "examples" / "definitions" / "worked_example.yaml"
# Longer than gunicorn's own patience with running requests, shorter than a supervisor's with us.
KILL_AFTER_SECONDS = 18
WEB = "gunicorn -c python:taskstatus.config.gunicorn taskstatus.config.wsgi:application"
RELAY = "manage relay"
# Threads, not child processes: a SIGTERM to the group lets a running task finish.
WORKER = (
    "celery -A taskstatus.config.celery:app worker --beat --pool threads --concurrency 4"
    " --without-gossip --without-mingle --without-heartbeat"
)

DEMO_GREETING = """
The service answers at http://127.0.0.1:{port}/ (API pages: /api/docs/) with the worked example's definitions.
Tokens for an hour, printed by:
  {mint} --producer coordinator --roles business,coordinator
  {mint} --producer {worker} --roles worker
"""


def manage(*arguments: str) -> None:
    """Run a management command; end this process with its exit code where it fails."""
    code = subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=False).returncode
    if code:
        sys.exit(code)


def greeting() -> str:
    """Say where the demo answers and how to get tokens that its definitions know."""
    definitions = yaml.safe_load(DEMO_DEFINITIONS.read_text(encoding="utf-8"))
    tenant, scope = definitions["tenant"], definitions["authorityScope"]
    mint = f".venv/bin/python manage.py mint_token service --tenant {tenant} --scope {scope} --ttl 3600"
    worker = next(operation["producerPattern"] for operation in definitions["operations"])
    return DEMO_GREETING.format(port=load_env().port, mint=mint, worker=worker)


def serve() -> int:
    """Run the processes until the first of them, or a signal, ends all; return the exit code."""
    honcho.manager.KILL_WAIT = KILL_AFTER_SECONDS
    manager = honcho.manager.Manager()
    for name, command in (("web", WEB), ("relay", RELAY), ("worker", WORKER)):
        # exec: the signal reaches the process and not a shell before it.
        manager.add_process(name, f"exec {sys.executable} -m {command}", cwd=str(ROOT))
    manager.loop()
    asked_to_end = {128 + signal.SIGTERM, 128 + signal.SIGINT}
    return 0 if manager.returncode in asked_to_end else manager.returncode


def end(_signal: int, _frame: FrameType | None) -> None:
    """End quietly while nothing but a preparation runs."""
    sys.exit(0)


def main() -> int:
    """Prepare the database, then serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", action="store_true", help="load the definitions of the worked example")
    demo = parser.parse_args().demo
    signal.signal(signal.SIGTERM, end)
    os.environ["PYTHONUNBUFFERED"] = "1"
    manage("migrate", "--no-input", "--verbosity", "0")
    if demo:
        manage("load_definitions", str(DEMO_DEFINITIONS))
        print(greeting(), flush=True)
    return serve()


if __name__ == "__main__":
    sys.exit(main())
