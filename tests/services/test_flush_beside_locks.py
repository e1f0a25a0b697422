"""Kept progress becomes a version in time, whoever holds another task (C33, ruling 35)."""

from datetime import timedelta

import pytest
from django.db.models import F

from taskstatus.models import Step
from taskstatus.services.flush_progress import flush_progress
from tests.support.cast import coordinator
from tests.support.crews import crew
from tests.support.definitions import define, operation
from tests.support.rival import rival

INTERVAL_SECONDS = 60


@pytest.mark.django_db(transaction=True)
@pytest.mark.accepts("C33")
@pytest.mark.usefixtures("impatient")
def test_a_task_that_somebody_holds_keeps_no_other_from_its_flush(caplog):
    """The others are flushed at once, in the same transaction; the held one is when it is free."""
    define(operations=[operation(progressMinIntervalSeconds=INTERVAL_SECONDS)])
    workers = crew(coordinator(), 3)
    for worker in workers:
        assert worker.progress(current=1)["reason"] is None
        assert worker.progress(current=2)["reason"] == "COALESCED"
    waiting = Step.objects.filter(pending_flush_at__isnull=False)
    waiting.update(pending_flush_at=F("pending_flush_at") - timedelta(seconds=INTERVAL_SECONDS))
    held = workers[1].context["taskId"]
    with rival() as other:
        other.lock_task(held)
        flush_progress()
        assert list(waiting.values_list("task_id", flat=True)) == [held]
    assert "use case met" not in caplog.text
    flush_progress()
    assert not waiting.exists()
