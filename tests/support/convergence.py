"""The proof of conventions 18: however messages arrive, a screen ends in what a fresh one shows.

`prove` takes a use case and shows it for its outbox: drained by the relay, doubled, shuffled, with some lost.
"""

import json
import random
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from outbox.models import OutboxMessage
from outbox.models.message import Status
from outbox.publishers import Delivery
from outbox.relay import Relay, Terms
from tests.support.screen import Json, Reader, Screen

SEEDS = range(1, 13)
LOSS = 0.4
_TERMS = Terms(batch_size=500, lease_seconds=30, publish_deadline_seconds=10)


@dataclass
class Wire:
    """A publisher that keeps what it is given."""

    messages: list[tuple[str, Json]] = field(default_factory=list)

    def publish(self, deliveries: Sequence[Delivery], timeout_seconds: float) -> list[None]:  # noqa: ARG002 - a protocol
        self.messages += [(delivery.channel, json.loads(delivery.payload)) for delivery in deliveries]
        return [None] * len(deliveries)

    def heard(self, channels: Iterable[str]) -> list[Json]:
        """The messages of these channels."""
        wanted = set(channels)
        return [body for channel, body in self.messages if channel in wanted]


@dataclass(frozen=True)
class Case:
    """What a reader had before, what a relay that comes late and one that is quick send them, and what is true now."""

    before: Screen
    messages: list[Json]
    all_messages: list[Json]
    fresh: Screen


def drained() -> Wire:
    """All that a relay publishes of what is due, superseded states left out."""
    wire = Wire()
    report = Relay(wire, "convergence", _TERMS).drain(60)
    assert report.published == len(wire.messages)
    return wire


def _written() -> Wire:
    """All that is in the outbox and was not published before, as a relay would send it that follows every commit."""
    rows = OutboxMessage.objects.exclude(status__in=[Status.PUBLISHED, Status.SUPERSEDED]).order_by("pk")
    return Wire([(row.channel, json.loads(row.payload)) for row in rows])


def observe(reader: Reader, user: str, act: Callable[[], Any], tenant: str = "acme") -> Case:
    """Let something happen under the eyes of a reader who has everything open."""
    before = Screen.of(reader)
    act()
    every, wire, fresh = _written(), drained(), Screen.of(reader)
    shown = {*before.view()["details"], *fresh.view()["details"]}
    channels = [f"task_user:{tenant}/{user}", *(f"task_detail:{tenant}/{task}" for task in shown)]
    return Case(before, wire.heard(channels), every.heard(channels), fresh)


def prove(reader: Reader, case: Case) -> None:
    """Every message however it comes; with old ones lost; with any lost, and one reading at any moment."""
    truth = case.fresh.view()
    for seed in SEEDS:
        dice = random.Random(seed)
        for messages in (case.messages, case.all_messages):
            assert _merged(case, mangled(messages, dice)).view() == truth, f"all of them, seed {seed}"
        kept = [m for m in case.messages if is_newest(m, case.messages) or dice.random() > LOSS]
        assert _merged(case, mangled(kept, dice)).view() == truth, f"old ones lost, seed {seed}"
    prove_with_a_reading(reader, case)


def prove_with_a_reading(reader: Reader, case: Case) -> None:
    """Any of the messages lost, the others however they come, and all that is shown read again at any moment."""
    truth = case.fresh.view()
    for seed in SEEDS:
        dice = random.Random(seed)
        lossy = mangled([m for m in case.all_messages if dice.random() > LOSS], dice)
        moment = dice.randint(0, len(lossy))
        assert _merged(case, lossy, moment, reader).view() == truth, f"any lost, seed {seed}"


def mangled(messages: Sequence[Json], dice: random.Random) -> list[Json]:
    """The messages in any order, some of them twice."""
    twice = [message for message in messages if dice.random() < 0.5]
    return dice.sample([*messages, *twice], len(messages) + len(twice))


def is_newest(message: Json, messages: Iterable[Json]) -> bool:
    """Whether no other of its kind and object is newer."""
    return all(_place(other) <= _place(message) for other in messages if _subject(other) == _subject(message))


def _merged(case: Case, messages: Sequence[Json], moment: int = 0, reader: Reader | None = None) -> Screen:
    """The old screen after these messages; with a reader, all is read again after so many of them."""
    screen = copy(case.before)
    for message in messages[:moment]:
        screen.accept(message)
    if reader is not None:
        screen.load(reader)
    for message in messages[moment:]:
        screen.accept(message)
    return screen


def _subject(message: Json) -> tuple[str, str]:
    return message["kind"], message.get("taskId") or message["workflowId"]


def _place(message: Json) -> tuple[int, int]:
    return int(message["epoch"]), int(message.get("taskVersion") or message["workflowVersion"])
