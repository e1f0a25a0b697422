"""H04, H05: the beat of a STALE execution is judged by what it finds under the lock, not by what was read before."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from taskstatus.models import ExecutionLease
from tests.support.beats import beat, verdicts
from tests.support.reconciling import changed, health, health_log, silence
from tests.support.rival import after_first, meanwhile

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.accepts("H04", "H05"),
    pytest.mark.usefixtures("row_locks"),
]

READING = "SELECT `task_step`.`execution_id`"


@pytest.fixture
def workers(carol):
    """Three workers whose executions were found STALE."""
    runners = [carol.running() for _ in range(3)]
    silence()
    assert changed() == 3
    return runners


@pytest.mark.parametrize(("rivals", "verdict"), [(5, "DUPLICATE"), (6, "STALE_SEQUENCE"), (4, "ACCEPTED")])
def test_a_rivals_beat_that_comes_first_is_compared_with(workers, rivals, verdict):
    """Whoever is first makes it healthy; the other's number is judged after it, and nobody else's beat is."""
    overtake = partial(verdicts, beat(workers[0], rivals))
    with ThreadPoolExecutor(1) as pool, after_first(READING, lambda: meanwhile(pool, overtake)):
        assert verdicts(*(beat(worker, 5) for worker in workers)) == [verdict, "ACCEPTED", "ACCEPTED"]
    assert [[event.health for event in health_log(worker)] for worker in workers] == [["STALE", "HEALTHY"]] * 3
    assert [health(worker) for worker in workers] == [("HEALTHY", None)] * 3
    assert ExecutionLease.objects.get(pk=workers[0].context["executionId"]).heartbeat_seq == max(rivals, 5)


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        (lambda worker, _: worker.completed(), "TERMINAL_STATE"),
        (lambda worker, carol: carol.end(worker.context["taskId"], "TASK_FAILED"), "TERMINAL_STATE"),
        (lambda worker, carol: carol.worker(worker.context["taskId"], supersede=True), "STALE_EXECUTION"),
    ],
    ids=["completed", "its task ended", "replaced"],
)
def test_an_execution_that_ends_meanwhile_is_told_as_ended(carol, workers, end, verdict):
    """It is not brought back, and the others of the request are."""
    with ThreadPoolExecutor(1) as pool, after_first(READING, lambda: meanwhile(pool, partial(end, workers[0], carol))):
        beats = [beat(workers[0], 1), beat(workers[1]), beat(workers[0], 2), beat(workers[2])]
        assert verdicts(*beats) == [verdict, "ACCEPTED", verdict, "ACCEPTED"]
    assert not ExecutionLease.objects.filter(pk=workers[0].context["executionId"]).exists()
    assert [len(health_log(worker)) for worker in workers] == [1, 2, 2]


def test_a_report_that_comes_first_leaves_the_beat_its_lease(workers):
    """The report makes it healthy; the beat then renews as any other, and tells so."""
    with ThreadPoolExecutor(1) as pool, after_first(READING, lambda: meanwhile(pool, workers[0].progress)):
        assert verdicts(*map(beat, workers)) == ["ACCEPTED"] * 3
    assert [event.health for event in health_log(workers[0])] == ["STALE"]
    assert health(workers[0]) == ("HEALTHY", None)
    assert ExecutionLease.objects.get(pk=workers[0].context["executionId"]).heartbeat_seq == 1
