"""Relays as they really run: `manage.py relay` in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from taskstatus.config.env import BASE_DIR
from tests.support.server import database_url
from tests.support.waiting import PATIENCE_SECONDS


@contextmanager
def relay_process(
    folder: Path, publisher: str, *arguments: str, **environment: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """A relay with a publisher of `process_publishers`, or of a dotted path; it does not outlive the block."""
    surroundings = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "tests.relay.process_settings",
        "RELAY_PUBLISHER": publisher if "." in publisher else f"tests.relay.process_publishers.{publisher}",
        "RELAY_RECORD": str(folder / "record"),
        "VAR_DIR": str(folder),
        **environment,
    }
    with (folder / "output").open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "manage", "relay", *arguments],
            cwd=BASE_DIR,
            env=surroundings,
            stdout=output,
            stderr=output,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait(PATIENCE_SECONDS)


def recorded(folder: Path) -> list[list[int]]:
    """The ids that recorders published, batch by batch."""
    record = folder / "record"
    lines = record.read_text(encoding="ascii").splitlines() if record.exists() else []
    return [[int(row_id) for row_id in line.split()] for line in lines]
