"""kill -9 of a reconciler in mid-batch: it leaves nothing half done, and another one finishes (A01, H07)."""

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection, connections

from taskstatus.models import Step, Task, TaskEvent
from taskstatus.services import reconcile_health as reconciler
from tests.support.cast import Coordinator, coordinator
from tests.support.crews import crew
from tests.support.reconciling import reconciled, silence

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("A01", "H07")]

CREW, AT_ONCE, DONE = 25, 5, 2
PATIENCE_SECONDS = 120
# What the reconciler has just done in the transaction in which it dies.
MOMENTS = {"locked": "FROM {task}", "changed": " SET ", "logged": "INSERT INTO {task_event_log}"}


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


@pytest.mark.parametrize("words", MOMENTS.values(), ids=MOMENTS)
def test_what_a_killed_reconciler_began_is_done_by_the_next_and_each_silence_is_told_of_once(carol, monkeypatch, words):
    workers = crew(carol, CREW)
    silence()
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", AT_ONCE)
    assert exit_code_of(lambda: reconcile_and_die(quoted(words))) == -signal.SIGKILL
    assert stale() == DONE * AT_ONCE
    assert reconciled().changed == CREW - DONE * AT_ONCE
    assert stale() == CREW
    told = TaskEvent.objects.filter(event_type="STEP_HEALTH_CHANGED").values_list("execution_id", flat=True)
    assert Counter(told) == {worker.context["executionId"]: 1 for worker in workers}
    assert set(Task.objects.values_list("version", flat=True)) == {4}


def stale() -> int:
    """How many executions are STALE."""
    return Step.objects.filter(health="STALE").count()


def quoted(words: str) -> str:
    """The words with the names of tables as this database writes them."""
    return words.format(**{name: connection.ops.quote_name(name) for name in ("task", "task_event_log")})


def exit_code_of(call: Callable[[], object]) -> int | None:
    """How a process of its own that makes this call ends."""
    connections.close_all()  # a socket that two processes share mixes answers
    process = multiprocessing.get_context("fork").Process(target=call, daemon=True)
    process.start()
    process.join(PATIENCE_SECONDS)
    process.kill()
    return process.exitcode


def reconcile_and_die(words: str) -> None:
    """Judge, and get killed in the transaction after DONE others, by the first statement in it with these words."""
    commits, is_judging = 0, False

    def wrapper(execute, sql, params, many, context):
        nonlocal commits, is_judging
        result = execute(sql, params, many, context)
        is_judging = is_judging or quoted("FROM {task}") in sql
        if commits == DONE and is_judging and words in sql:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    judge = reconciler._judge

    def counted(*arguments, **named):
        nonlocal commits, is_judging
        done = judge(*arguments, **named)
        commits, is_judging = commits + 1, False
        return done

    reconciler._judge = counted
    with connection.execute_wrapper(wrapper):
        reconciled()
