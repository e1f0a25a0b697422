"""Beats that come at the same moment as each other, as reports, and as the end of their execution."""

from collections import Counter
from functools import partial

import pytest

from taskstatus.models import ExecutionLease, Step, Task
from tests.support.api import service_api
from tests.support.beats import PATH, beat, verdicts
from tests.support.cast import Coordinator, Worker, coordinator
from tests.support.crowd import together

pytestmark = pytest.mark.django_db(transaction=True)

VERSION_OF_RUNNING = 3


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def numbers() -> list[int]:
    """The last number of every lease."""
    return list(ExecutionLease.objects.order_by("pk").values_list("heartbeat_seq", flat=True))


@pytest.mark.accepts("H02")
def test_of_eight_equal_beats_one_is_the_first_and_seven_are_duplicates(carol):
    worker = carol.running()
    found = together([partial(verdicts, beat(worker))] * 8)
    assert Counter(verdict for (verdict,) in found) == {"ACCEPTED": 1, "DUPLICATE": 7}
    assert numbers() == [1]


@pytest.mark.accepts("H02")
def test_the_highest_of_eight_numbers_counts_and_stays(carol):
    worker = carol.running()
    found = together([partial(verdicts, beat(worker, number)) for number in range(1, 9)])
    assert found[-1] == ["ACCEPTED"]
    assert {verdict for (verdict,) in found} <= {"ACCEPTED", "STALE_SEQUENCE"}
    assert numbers() == [8]


@pytest.mark.accepts("H01")
def test_batches_in_opposite_orders_beside_reports_are_all_accepted(carol):
    """Each of them writes the same leases; nobody gives up, and only the reports make versions."""
    workers = [carol.running() for _ in range(10)]
    reports = {"events": [by_handle(worker) for worker in reversed(workers)]}
    first, second = [beat(worker, 1) for worker in workers], [beat(worker, 2) for worker in reversed(workers)]
    report = partial(service_api("worker-a", "worker").post, "/task-events:batch", reports)
    found = together([partial(verdicts, *first), partial(verdicts, *second), lambda: report().ok()["results"]])
    assert set(found[0]) <= {"ACCEPTED", "STALE_SEQUENCE"}
    assert found[1] == ["ACCEPTED"] * 10
    assert [item["accepted"] for item in found[2]] == [True] * 10
    assert numbers() == [2] * 10
    assert set(Task.objects.values_list("version", flat=True)) == {VERSION_OF_RUNNING + 1}


def by_handle(worker: Worker) -> dict[str, object]:
    """The worker's next progress, proven by its handle."""
    return {**worker.progress_event(), "executionHandle": worker.context["executionHandle"]}


@pytest.mark.accepts("H02")
def test_a_beat_beside_the_end_of_its_step_leaves_it_ended(carol):
    workers = [carol.running() for _ in range(4)]
    ends = [partial(worker.send, worker.event("STEP_COMPLETED")) for worker in workers]
    beats = partial(service_api("worker-a", "worker").post, PATH, {"heartbeats": [beat(worker) for worker in workers]})
    *ended, answer = together([*ends, beats])
    assert all(end.ok()["accepted"] for end in ended)
    assert {item["reason"] for item in answer.ok()["results"]} <= {None, "TERMINAL_STATE"}
    assert numbers() == []
    assert set(Step.objects.values_list("lifecycle_status", flat=True)) == {"SUCCEEDED"}
    assert set(Task.objects.values_list("version", flat=True)) == {VERSION_OF_RUNNING + 1}
