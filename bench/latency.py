"""Measures how long a fact is under way: `python -m bench.latency`, on the stack's servers (README.md).

From a task's commit to its publication, and to its row on the board in a real Chromium; idle, and while others report
LATENCY_RATE events a second (100); over the native stream and over Centrifugo. LATENCY_SECONDS is the time of each of
the four (30). It prints and judges nothing.
"""

import itertools
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import F
from playwright.sync_api import Browser, sync_playwright

from bench.background import Background
from bench.board import Board, Version, viewer
from bench.environment import scratch_database
from bench.probe import Probe
from bench.servers import SERVICE, gunicorn
from outbox.models import OutboxMessage

TRANSPORTS = {"native stream": "sse", "Centrifugo": "centrifugo"}
OWNER = "bob"
TASKS = 20
WARM_UP = 20
PAUSE_SECONDS = (0.05, 0.15)
PATIENCE_SECONDS = 30
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@dataclass(frozen=True)
class Delays:
    """Milliseconds from the commit: to the end of the relay's work, and to the row on the page."""

    publish: Sequence[float]
    visible: Sequence[float]


def main() -> None:
    """Measure all four, and tell the figures."""
    seconds, rate = (
        int(os.environ.get(f"LATENCY_{name}", text)) for name, text in (("SECONDS", "30"), ("RATE", "100"))
    )
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    lines = [f"{'ms from the commit':<34}{'publish p50':>12}{'p99':>6}{'visible p50':>14}{'p99':>6}"]
    with scratch_database() as url, chromium() as browser:
        for name, transport in TRANSPORTS.items():
            with served(url, transport) as port, Board(browser, port, viewer(OWNER)) as board:
                probes = Probe.started(port, TASKS, OWNER)
                board.wait_for(probe.task_id for probe in probes)
                for load in (0, rate):
                    print(f"{name}, {load} events/s beside it: {seconds} s", file=sys.stderr, flush=True)
                    delays = measured(port, board, probes, seconds, load)
                    lines.append(row(f"{name}, {f'{load} events/s' if load else 'idle'}", delays, transport))
    print("\n".join(lines), flush=True)


def measured(port: int, board: Board, probes: Sequence[Probe], seconds: int, load: int) -> Delays:
    """Let the probes report by turns for so long; what each report took to arrive."""
    committed: dict[Version, float] = {}
    with Background(port, load, seconds):
        end = time.monotonic() + seconds
        for probe in itertools.cycle(probes):
            version, at = probe.report(port)
            committed[version] = at
            board.listen(random.uniform(*PAUSE_SECONDS))
            if time.monotonic() > end:
                break
        board.wait_for_versions({probe.version for probe in probes if probe.version in committed}, PATIENCE_SECONDS)
    later = dict(list(committed.items())[WARM_UP:])
    seen = board.seen()
    return Delays(published(later), [seen[version] - at for version, at in later.items() if version in seen])


def published(versions: Container[Version]) -> list[float]:
    """What the relay took for the summaries of these versions, settling included, by the database's clock."""
    rows = OutboxMessage.objects.filter(
        channel__endswith=f"/{OWNER}", aggregate_type="TASK", published_at__isnull=False
    ).annotate(delay=F("published_at") - F("created_at"))
    found = rows.values_list("aggregate_id", "aggregate_version", "delay")
    return [delay.total_seconds() * 1000 for task, version, delay in found if (task, str(version)) in versions]


def row(name: str, delays: Delays, transport: str) -> str:
    """A line of the table; the native stream has no publication of its own."""
    told = [f"{percentile(values, part):.0f}" for values in (delays.publish, delays.visible) for part in (50, 99)]
    first, second = ("-", "-") if transport == "sse" else told[:2]
    return f"{name:<34}{first:>12}{second:>6}{told[2]:>14}{told[3]:>6}"


def percentile(values: Sequence[float], part: int) -> float:
    """The value that this part in a hundred does not exceed."""
    return sorted(values)[max(0, -(-len(values) * part // 100) - 1)]


@contextmanager
def served(database_url: str, transport: str) -> Iterator[int]:
    """The web server's port, with a relay beside it."""
    environment = {"DATABASE_URL": database_url, "REALTIME_TRANSPORT": transport}
    command = [sys.executable, "manage.py", "relay"]
    relay = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        with gunicorn(SERVICE, environment) as server:
            yield server.port
    finally:
        relay.terminate()
        relay.wait(20)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium."""
    path = shutil.which("chromium")
    if path is None:
        sys.exit("bench: Chromium is missing (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
