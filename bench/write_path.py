"""Measures the write path: `python -m bench.write_path`, on the MariaDB server of DATABASE_URL (README.md).

BENCH_SECONDS is the time for all measured turns (150), BENCH_ROUNDS their number (6), BENCH_JSON a file for the
figures. It prints and judges nothing.
"""

import gc
import json
import os
from pathlib import Path
from time import monotonic

from bench.contest import Plan, Rates, hold
from bench.core import CoreBatch, CoreSingle
from bench.environment import scratch_database
from bench.fleet import Fleet
from bench.load import Load
from bench.over_http import CONNECTIONS, DrfView, HttpBatch, HttpSingle, batch_request, connect_evenly
from bench.raw_rows import connected
from bench.raw_sql import RawBatch, RawSingle
from bench.report import table, write_json
from bench.servers import REFERENCE, SERVICE, Server, forget_peak, gunicorn, memory_of
from taskstatus.models import EventDedup

SIZE = 50
LARGEST = 500
WIDTH = 100
CONTESTANTS = 7


def main() -> None:
    """Measure everything in one run and tell the figures."""
    plan = Plan.asked_for(CONTESTANTS, seconds="150")
    with scratch_database() as url:
        # As the web server does before it forks: what is loaded is no part of later collections.
        gc.collect()
        gc.freeze()
        rates, memory = measure(plan, url)
    print("\n" + table(rates, memory), flush=True)
    if file := os.environ.get("BENCH_JSON"):
        write_json(Path(file), rates, memory)


def measure(plan: Plan, database_url: str) -> tuple[Rates, dict[str, float]]:
    """The rates of every contestant, and the memory that the web server needed."""
    tell("core and hand-written SQL, one by one and in batches")
    with connected() as raw:
        rates = hold([RawSingle(raw, WIDTH), CoreSingle(WIDTH), RawBatch(raw, SIZE), CoreBatch(SIZE)], plan, tell)
    tell("HTTP, one by one and in batches, and a bare view")
    receipt = json.dumps(EventDedup.objects.latest("pk").result)
    bare = {"DJANGO_SETTINGS_MODULE": "bench.reference.settings", "BENCH_RECEIPT": receipt}
    with (
        Load() as load,
        gunicorn(SERVICE, {"DATABASE_URL": database_url}) as service,
        gunicorn(REFERENCE, bare) as reference,
    ):
        for server in (service, reference):
            connect_evenly(load, server)
        width = WIDTH // CONNECTIONS
        single, view = HttpSingle(load, service.port, width), DrfView(load, reference.port, width)
        rates |= hold([view, single, HttpBatch(load, service.port, SIZE)], plan, tell)
        return rates, _memory(service, load)


def _memory(service: Server, load: Load) -> dict[str, float]:
    """Of the larger worker, in MiB: after the run, and what its largest batch needs at its height beyond that."""
    request = batch_request(Fleet(LARGEST).take(LARGEST))
    before = {pid: memory_of(pid) for pid in service.workers()}
    for pid in before:
        forget_peak(pid)
    load.send(service.port, [[request]])
    return {
        "web_process_rss": max(memory.rss for memory in before.values()),
        "web_process_pss": max(memory.pss for memory in before.values()),
        "batch_500_adds": max(memory_of(pid).peak - memory.rss for pid, memory in before.items()),
    }


def tell(line: str) -> None:
    """Show that something goes on."""
    print(f"[{monotonic() - _BEGUN:4.0f} s] {line}", flush=True)


_BEGUN = monotonic()


if __name__ == "__main__":
    main()
