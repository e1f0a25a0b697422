"""Beats find their rows by key, lock no other, wait for no report, and are decided again when a lease changed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.beats import beat, verdicts
from tests.support.cast import Coordinator, Worker, coordinator
from tests.support.plans import capturing
from tests.support.rival import after_first, meanwhile, rival

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H01"), pytest.mark.usefixtures("row_locks")]

RENEWAL = "UPDATE JSON_TABLE"
READING = "SELECT `task_step`.`execution_id`"


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def test_leases_are_found_by_their_key(carol):
    workers = [carol.running(), carol.running()]
    with capturing() as statements:
        assert verdicts(*map(beat, workers)) == ["ACCEPTED"] * 2
    (renewal,) = [statement for statement in statements if statement.sql.startswith(RENEWAL)]
    assert (renewal.access("t")["type"], renewal.access("t")["key"]) == ("eq_ref", "PRIMARY")
    assert [row["table"] for row in renewal.plan()] == ["j", "t"]


@pytest.mark.usefixtures("impatient")
def test_a_beat_waits_neither_for_its_task_nor_its_step_nor_other_leases(carol):
    workers = [carol.running() for _ in range(3)]
    stranger = workers.pop(1)
    with rival() as other:
        for worker in workers:
            other.lock_task(worker.context["taskId"])
            other.run("SELECT id FROM task_step WHERE execution_id = %s FOR UPDATE", worker.context["executionId"])
        other.run("SELECT * FROM task_execution_lease WHERE execution_id = %s FOR UPDATE", execution(stranger))
        assert verdicts(*map(beat, workers)) == ["ACCEPTED"] * 2


def test_nobody_waits_for_a_beat_but_who_wants_its_lease(carol):
    workers = [carol.running() for _ in range(3)]
    stranger = workers.pop(1)
    with rival() as other:
        other.run("SET SESSION innodb_lock_wait_timeout = 1")
        with after_first(RENEWAL, lambda: lock_all_but(other, workers, stranger)):
            assert verdicts(*map(beat, workers)) == ["ACCEPTED"] * 2


def lock_all_but(other, workers, stranger):
    """Lock tasks and steps of those that beat, and the lease of the one that doesn't: each at once, or it raises."""
    for worker in workers:
        other.lock_task(worker.context["taskId"])
        other.run("SELECT id FROM task_step WHERE execution_id = %s FOR UPDATE", worker.context["executionId"])
    other.run("SELECT * FROM task_execution_lease WHERE execution_id = %s FOR UPDATE", execution(stranger))


def execution(worker: Worker) -> str:
    """The worker's executionId."""
    found: str = worker.context["executionId"]
    return found


@pytest.mark.accepts("H02")
def test_an_end_between_reading_and_writing_is_told_as_one(carol, caplog):
    workers = [carol.running() for _ in range(2)]
    with ThreadPoolExecutor(1) as pool, after_first(READING, lambda: meanwhile(pool, workers[0].completed)):
        assert verdicts(*map(beat, workers)) == ["TERMINAL_STATE", "ACCEPTED"]
    assert "use case met CONFLICT" in caplog.text


@pytest.mark.accepts("H02")
@pytest.mark.parametrize(("rivals", "verdict"), [(5, "DUPLICATE"), (6, "STALE_SEQUENCE"), (4, "ACCEPTED")])
def test_a_beat_between_reading_and_writing_is_compared_with(carol, rivals, verdict):
    workers = [carol.running() for _ in range(2)]
    overtake = lambda: verdicts(beat(workers[0], rivals))  # noqa: E731 - said in the thread
    with ThreadPoolExecutor(1) as pool, after_first(READING, lambda: meanwhile(pool, overtake)):
        assert verdicts(*(beat(worker, 5) for worker in workers)) == [verdict, "ACCEPTED"]
