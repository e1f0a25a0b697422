"""A pass of the reconciler has bounds: of what it reads, of what it waits for, and of what one task can spoil (H03)."""

import pytest

from taskstatus.domain.errors import DomainError
from taskstatus.services import reconcile_health as reconciler
from taskstatus.services.reconcile_health import reconcile_tasks
from tests.support.cast import Coordinator, coordinator
from tests.support.crews import crew
from tests.support.reconciling import reconciled, silence
from tests.support.rival import rival

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H03")]


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def test_a_pass_reads_again_while_there_is_more(carol, monkeypatch):
    """Reading by reading, each bounded, until nothing is left."""
    silence(*crew(carol, 7))
    monkeypatch.setattr(reconciler, "READ_AT_ONCE", 2)
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", 1)
    assert reconciled().changed == 7


def test_a_pass_ends_though_there_is_more(carol, monkeypatch):
    """It leaves to the next one what is too much for it."""
    silence(*crew(carol, 5))
    monkeypatch.setattr(reconciler, "READ_AT_ONCE", 2)
    monkeypatch.setattr(reconciler, "MAX_READINGS", 2)
    assert [reconciled().changed for _ in range(3)] == [4, 1, 0]


@pytest.mark.usefixtures("impatient")
def test_tasks_that_somebody_holds_are_left_to_the_next_pass_and_nobody_waits(carol, caplog):
    """The others are judged all the same, in the same transaction: a pass that waited would be away for all of them."""
    workers = crew(carol, 3)
    silence()
    with rival() as other:
        other.lock_task(workers[1].context["taskId"])
        assert [reconciled().changed for _ in range(2)] == [2, 0]
    assert "use case met" not in caplog.text
    assert reconciled().changed == 1


@pytest.mark.usefixtures("impatient")
def test_a_task_that_an_operator_names_is_waited_for_within_bounds(carol):
    """Somebody asked about this one: it is tried as every use case is, and then they hear that it was not judged."""
    worker = crew(carol, 1)[0]
    silence()
    with rival() as other:
        other.lock_task(worker.context["taskId"])
        with pytest.raises(DomainError) as refusal:
            reconcile_tasks([worker.context["taskId"]])
    assert refusal.value.code == "DATABASE_BUSY"
    assert reconciled().changed == 1


def test_a_task_that_cannot_be_judged_stops_no_other(carol, monkeypatch, caplog):
    """It stands in the log, pass by pass, and is judged as soon as that can be."""
    workers = crew(carol, 4)
    silence()
    ill = workers[1].context["taskId"]
    lease_of = reconciler.lease_of

    def lease_unless_ill(step):
        if step.task_id == ill:
            raise ArithmeticError
        return lease_of(step)

    monkeypatch.setattr(reconciler, "lease_of", lease_unless_ill)
    passes = [reconciled(), reconciled()]
    assert [(one.changed, one.failed, one.looked_at) for one in passes] == [(3, 1, 4), (0, 1, 1)]
    assert [record.taskId for record in caplog.records if record.levelname == "ERROR"] == [ill] * 2
    monkeypatch.undo()
    assert reconciled().changed == 1
