"""The benchmark runs, however briefly, and writes the figures that the outside reads (spec: running)."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import unavailable

RATIOS = {"core_vs_raw_single", "core_vs_raw_batch", "http_single_vs_drf", "http_batch50_vs_single"}
BRIEFLY = {"BENCH_SECONDS": "1", "BENCH_ROUNDS": "1"}


@pytest.mark.timeout(900)
def test_it_measures_every_contestant_and_writes_ratios_with_their_spread(tmp_path):
    if not os.environ.get("DATABASE_URL", "").startswith("mysql://"):
        unavailable("MariaDB")
    file = tmp_path / "figures.json"
    environment = os.environ | BRIEFLY | {"BENCH_JSON": str(file), "REDIS_URL": os.environ["STACK_REDIS_URL"]}
    run = subprocess.run(
        [sys.executable, "-m", "bench.write_path"], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert figures.keys() >= RATIOS
    for spread in (*(figures[name] for name in RATIOS), *figures["rates"].values()):
        assert 0 < spread["min"] <= spread["median"] <= spread["max"]
    assert len(figures["rates"]) == 7
    assert all(name in run.stdout for name in RATIOS)
    assert 0 < figures["memory_mib"]["web_process_pss"] <= figures["memory_mib"]["web_process_rss"]


@pytest.mark.timeout(900)
def test_it_measures_heartbeats_and_that_the_reconciler_reads_only_what_is_due():
    if not os.environ.get("DATABASE_URL", "").startswith("mysql://"):
        unavailable("MariaDB")
    command = [sys.executable, "-m", "bench.heartbeats"]
    environment = os.environ | BRIEFLY | {"BENCH_LEASES": "10000"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert all(name in run.stdout for name in ("beat_rows", "beat_batch100", "ratio, to reach 10"))
    for due, read in zip((0, 100, 500), rows_read(run.stdout, "due_stored"), strict=True):
        assert due < read <= 2 * due + 10  # the entry of the index, and the row
    assert all(read > 9_000 for read in rows_read(run.stdout, "due_computed"))


def rows_read(printed: str, name: str) -> list[int]:
    """The figures of that line of the table."""
    (line,) = [line for line in printed.splitlines() if line.startswith(f"{name}: rows read")]
    return [int(figure) for figure in line.split()[3:]]
