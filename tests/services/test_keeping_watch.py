"""The reconciler keeps watch over the service itself, all through a pass (H06)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.db import DatabaseError
from django.db.models import F

from taskstatus.models import ExecutionLease, ServiceOutage, ServicePulse, Step
from taskstatus.services import reconcile_health as reconciler
from taskstatus.services import watch_outages
from taskstatus.services.reconcile_health import reconcile_health
from taskstatus.services.watch_outages import give_sign, keep_watch
from tests.support.beats import beat, verdicts
from tests.support.cast import Coordinator, coordinator
from tests.support.crews import crew
from tests.support.crowd import together
from tests.support.faults import failing_at
from tests.support.reconciling import outage, reconciled, sign, silence, time_passes
from tests.support.rival import after_first, meanwhile

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.accepts("H06"), pytest.mark.usefixtures("unhurried")]

RECONCILER, WEB = ServicePulse.RECONCILER, ServicePulse.WEB
LONG = 4_000
READING_ROWS = "FROM `task_execution_lease` WHERE `task_execution_lease`.`execution_id` IN"


@pytest.fixture
def carol() -> Coordinator:
    return coordinator()


def healths() -> set[str]:
    """What executions are like."""
    return set(Step.objects.values_list("health", flat=True))


def test_a_verdict_by_a_look_that_an_outage_may_have_followed_is_none(carol, monkeypatch):
    """Machine or database stood still between the look and the lock: nothing is judged, and the next look tells why."""
    silence(*crew(carol, 2))
    monkeypatch.setattr(reconciler, "keep_watch", looking_long_ago)
    assert (reconcile_health().changed, healths()) == (0, {"HEALTHY"})
    monkeypatch.undo()
    ServicePulse.objects.update(seen_at=F("seen_at") - timedelta(seconds=LONG))
    done = reconcile_health()
    assert (done.changed, done.graced) == (0, 2)


def looking_long_ago():
    """A look after which the process stood still."""
    watch = keep_watch()
    return replace(watch, now=watch.now - timedelta(seconds=LONG))


def test_an_outage_in_the_middle_of_a_pass_is_seen_before_the_next_verdict(carol, monkeypatch):
    """Who was found before it is STALE; the others have their grace."""
    silence(*crew(carol, 5))
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", 1)
    judge = reconciler._judge

    def judge_and_stand_still(*arguments, **named):
        found = judge(*arguments, **named)
        if not ServiceOutage.objects.exists():
            sign(RECONCILER, LONG)
        return found

    monkeypatch.setattr(reconciler, "_judge", judge_and_stand_still)
    assert reconcile_health().changed == 1
    assert ServiceOutage.objects.count() == 1
    done = reconciled()
    assert (done.changed, done.graced) == (0, 4)


def test_a_long_pass_is_no_absence(carol, monkeypatch):
    """A sign is given before each transaction, so that the pass after it finds no gap."""
    silence(*crew(carol, 6))
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", 2)
    looks = []

    def look():
        looks.append(keep_watch())
        return looks[-1]

    monkeypatch.setattr(reconciler, "keep_watch", look)
    assert reconcile_health().changed == 6
    assert len(looks) == 1 + 3
    assert ServicePulse.objects.get(pk=RECONCILER).seen_at == looks[-1].now


def test_the_web_may_go_away_in_the_middle_of_a_pass(carol, monkeypatch):
    """From then on nobody is judged, until it is back."""
    silence(*crew(carol, 3))
    sign(WEB)
    monkeypatch.setattr(reconciler, "TASKS_A_TRANSACTION", 1)
    judge = reconciler._judge

    def judge_and_lose_the_web(*arguments, **named):
        found = judge(*arguments, **named)
        sign(WEB, 300)
        return found

    monkeypatch.setattr(reconciler, "_judge", judge_and_lose_the_web)
    done = reconciled()
    assert (done.changed, done.is_deaf) == (1, True)
    monkeypatch.undo()
    give_sign(WEB)
    back = reconciled()
    assert (back.changed, back.graced) == (0, 2)


def test_two_reconcilers_that_come_back_together_find_one_outage(carol):
    """Whoever is second knows it; nobody is judged by either."""
    silence(*crew(carol, 20))
    sign(RECONCILER, LONG)
    passes = together([reconcile_health] * 2)
    assert ServiceOutage.objects.count() == 1
    assert [sum(values) for values in zip(*((one.changed, one.graced) for one in passes), strict=True)] == [0, 20]
    assert healths() == {"HEALTHY"}


@pytest.mark.usefixtures("row_locks")
def test_a_beat_between_reading_and_postponing_is_not_undone(carol):
    """A lease is given its later deadline only while it has the one that was read."""
    workers = crew(carol, 2)
    silence()
    outage(LONG, 1)
    beats = partial(verdicts, beat(workers[0]))
    with ThreadPoolExecutor(1) as pool, after_first(READING_ROWS, lambda: meanwhile(pool, beats)):
        assert reconciled().graced == 1
    renewed = ExecutionLease.objects.get(pk=workers[0].context["executionId"])
    assert renewed.deadline_at == renewed.last_heartbeat_at + timedelta(seconds=renewed.timeout_seconds)
    assert healths() == {"HEALTHY"}


@pytest.mark.parametrize("before", [[], [RECONCILER], [RECONCILER, WEB]], ids=["never", "alone", "both"])
def test_nothing_is_left_of_a_look_that_fails_at_any_statement(before):
    """Sign and outage are written together or not at all."""
    for name in before:
        sign(name, 800)

    def own():
        return list(ServicePulse.objects.values()), list(ServiceOutage.objects.values())

    was = own()
    for place in range(1, 20):
        with failing_at(place) as fault:
            try:
                keep_watch()
            except DatabaseError:
                assert own() == was, fault.hit
        if fault.hit is None:
            break
    assert own() != was
    assert ServiceOutage.objects.count() == bool(before)


def test_of_very_many_outages_the_oldest_are_forgotten(monkeypatch):
    """A service that stutters for days fills no table; what is kept is the newest."""
    monkeypatch.setattr(watch_outages, "KEPT_OUTAGES", 3)
    for _ in range(5):
        sign(RECONCILER, LONG)
        keep_watch()
    kept = list(ServiceOutage.objects.order_by("pk").values_list("pk", flat=True))
    assert kept == list(range(kept[-1] - 2, kept[-1] + 1))


def test_signs_are_given_by_many_at_once():
    """The first one makes the row, the others write it; none fails."""
    together([partial(give_sign, WEB), partial(give_sign, WEB), keep_watch_only, keep_watch_only])
    assert set(ServicePulse.objects.values_list("name", flat=True)) == {RECONCILER, WEB}


def keep_watch_only() -> None:
    """Keep watch, whatever is seen."""
    keep_watch()


def test_who_comes_due_again_after_the_grace_is_judged_at_once(carol):
    """A grace that is over already is not given first, which would cost another look."""
    silence(*crew(carol, 1))
    outage(LONG, 90)
    time_passes(100)
    done = reconciled()
    assert (done.changed, done.graced) == (1, 0)
