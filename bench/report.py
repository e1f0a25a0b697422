"""What is told at the end: a table for people, a file for machines."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from bench.contest import Rates, Spread, ratios


class Ratio(NamedTuple):
    """One of our rates by a reference's, and what is to be reached."""

    name: str
    ours: str
    reference: str
    target: float


RATIOS = (
    Ratio("core_vs_raw_single", "core_single", "raw_single", 0.5),
    Ratio("core_vs_raw_batch", "core_batch", "raw_batch", 0.4),
    Ratio("http_single_vs_drf", "http_single", "drf_view", 0.25),
    Ratio("http_batch50_vs_single", "http_batch50", "http_single", 2.5),
)
MEMORY_LIMITS = {"web_process_rss": 150, "web_process_pss": 150, "batch_500_adds": 40}


def table(rates: Rates, memory: Mapping[str, float]) -> str:
    """The figures as text, each with its spread over the rounds."""
    lines = [f"{'events/s':<26}{'median':>9}{'min':>9}{'max':>9}"]
    lines += [_row(name, Spread.of(values), "9.0f") for name, values in rates.items()]
    lines += ["", f"{'ratio, round by round':<26}{'median':>9}{'min':>9}{'max':>9}   to reach"]
    lines += [f"{_row(one.name, ratios(rates, one.ours, one.reference), '9.2f')}   >= {one.target}" for one in RATIOS]
    lines += ["", f"{'MiB':<26}"]
    lines += [f"{name:<26}{value:>9.1f}   <= {MEMORY_LIMITS[name]}" for name, value in memory.items()]
    return "\n".join(lines)


def write_json(path: Path, rates: Rates, memory: Mapping[str, float]) -> None:
    """The same figures as JSON."""
    document = {one.name: asdict(ratios(rates, one.ours, one.reference)) for one in RATIOS}
    spreads = {name: asdict(Spread.of(values)) for name, values in rates.items()}
    content = {**document, "rates": spreads, "memory_mib": dict(memory)}
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _row(name: str, spread: Spread, form: str) -> str:
    figures = "".join(format(value, form) for value in (spread.median, spread.min, spread.max))
    return f"{name:<26}{figures}"
