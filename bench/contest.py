"""Contestants that run by turns in one go, so that a machine's moods meet all of them alike."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

TURNS_PER_ROUND = 3
_FIRST_COUNT = 100


class Contestant(Protocol):
    """Something that gets events done."""

    @property
    def name(self) -> str:
        """The name under which its rates are reported."""
        ...

    def prepare(self, count: int) -> int:
        """Make at least `count` events ready and return how many; this takes no measured time."""
        ...

    def run(self) -> float:
        """Get done what was prepared and return the seconds that it took."""
        ...


@dataclass(frozen=True)
class Plan:
    """How long to measure: rounds, each of a few turns of so many seconds for every contestant."""

    rounds: int
    turn_seconds: float

    @classmethod
    def asked_for(cls, contestants: int, seconds: str) -> "Plan":
        """The plan of BENCH_ROUNDS (6) and of BENCH_SECONDS for all turns, by default `seconds`."""
        rounds = int(os.environ.get("BENCH_ROUNDS", "6"))
        seconds_in_all = float(os.environ.get("BENCH_SECONDS", seconds))
        return cls(rounds, seconds_in_all / (rounds * TURNS_PER_ROUND * contestants))


@dataclass(frozen=True)
class Spread:
    """A figure over the rounds of a run."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))


Rates = dict[str, list[float]]


def hold(contestants: Sequence[Contestant], plan: Plan, progress: Callable[[str], None]) -> Rates:
    """The rates of each contestant in events per second, one for every round."""
    counts = {one.name: _warmed_up(one, plan.turn_seconds) for one in contestants}
    rates: Rates = {one.name: [] for one in contestants}
    for number in range(1, plan.rounds + 1):
        for name, rate in _round(contestants, counts).items():
            rates[name].append(rate)
            counts[name] = _count(rate, plan.turn_seconds)
        told = ", ".join(f"{name} {values[-1]:.0f}/s" for name, values in rates.items())
        progress(f"round {number} of {plan.rounds}: {told}")
    return rates


def ratios(rates: Rates, ours: str, reference: str) -> Spread:
    """Our rate by the reference's, round by round."""
    return Spread.of([a / b for a, b in zip(rates[ours], rates[reference], strict=True)])


def _round(contestants: Sequence[Contestant], counts: dict[str, int]) -> dict[str, float]:
    done = dict.fromkeys(counts, 0)
    seconds = dict.fromkeys(counts, 0.0)
    for turn in range(TURNS_PER_ROUND):
        # There and back, so that none always follows the same other.
        for one in contestants if turn % 2 == 0 else reversed(contestants):
            done[one.name] += one.prepare(counts[one.name])
            seconds[one.name] += one.run()
    return {name: done[name] / seconds[name] for name in counts}


def _warmed_up(one: Contestant, turn_seconds: float) -> int:
    """How many events fill a turn, after one that opens connections and fills caches."""
    one.prepare(_FIRST_COUNT)
    one.run()
    done = one.prepare(_FIRST_COUNT)
    return _count(done / one.run(), turn_seconds)


def _count(rate: float, turn_seconds: float) -> int:
    return max(1, round(rate * turn_seconds))
