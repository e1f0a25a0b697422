"""H06: after an outage of the service or its database healthy executions don't turn STALE together (ruling 45)."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from taskstatus.models import ExecutionLease, ServiceOutage, ServicePulse
from taskstatus.services.reconcile_health import reconcile_health
from taskstatus.services.watch_outages import give_sign
from tests.support.beats import beat, verdicts
from tests.support.cast import step_body
from tests.support.reconciling import (
    UNHURRIED_SCAN_SECONDS,
    changed,
    health,
    outage,
    reconciled,
    sign,
    silence,
    time_passes,
)
from tests.support.unchanged import stored

pytestmark = pytest.mark.usefixtures("unhurried")

RECONCILER, WEB = ServicePulse.RECONCILER, ServicePulse.WEB
FINE, SILENT = ("HEALTHY", None), ("STALE", "NO_HEARTBEAT")
TIMEOUT = 6_000


@pytest.fixture
def worker(carol):
    """A worker that has begun; its timeout is so long that no test comes near it by being slow."""
    runner = carol.worker(carol.task(step_body(heartbeatTimeoutSeconds=TIMEOUT))["taskId"])
    runner.started()
    return runner


def lease():
    """The only lease."""
    return ExecutionLease.objects.get()


def away(reconciler=0, web=0):
    """Let the service's parts have been away for so many seconds, as they find when they come by now."""
    sign(RECONCILER, reconciler)
    sign(WEB, web)


@pytest.mark.accepts("H06")
def test_after_the_reconciler_was_away_all_leases_are_good_for_their_timeout_from_now(worker):
    """Nobody knows what it missed: what came due meanwhile is due at restart + its own timeout."""
    time_passes(TIMEOUT + 1)
    away(reconciler=4_000)
    with_grace = reconcile_health()
    assert (with_grace.changed, with_grace.graced) == (0, 1)
    end = ServiceOutage.objects.get().ended_at
    assert lease().deadline_at == end + timedelta(seconds=TIMEOUT)
    assert health(worker) == FINE
    after = stored()
    assert reconciled().changed == 0
    assert stored() == after


@pytest.mark.accepts("H03", "H06")
def test_a_late_reconciler_finds_silence_where_the_web_took_beats_all_the_while(worker):
    """What it missed was heard: its own absence excuses nobody, and one that is always late finds silence still."""
    time_passes(TIMEOUT + 1)
    away(reconciler=4_000)
    ServicePulse.objects.filter(pk=WEB).update(steady_since=Now() - timedelta(seconds=5_000))
    late = reconcile_health()
    assert (late.changed, late.graced) == (1, 0)
    assert not ServiceOutage.objects.exists()
    assert health(worker) == SILENT


@pytest.mark.accepts("H06")
def test_the_webs_signs_are_steady_until_one_is_missing(db):
    """The first sign begins the time without a gap, a missing one ends it, and the next begins it anew."""
    give_sign(WEB)
    first = ServicePulse.objects.get(pk=WEB)
    give_sign(WEB)
    assert ServicePulse.objects.get(pk=WEB).steady_since == first.steady_since
    missing = timedelta(seconds=3 * UNHURRIED_SCAN_SECONDS)
    ServicePulse.objects.update(seen_at=F("seen_at") - missing, steady_since=F("steady_since") - missing)
    give_sign(WEB)
    again = ServicePulse.objects.get(pk=WEB)
    assert again.steady_since == again.seen_at >= first.steady_since


@pytest.mark.accepts("H03")
def test_a_beat_that_left_the_deadline_as_it_was_counts_in_full(worker):
    """The stored deadline lags by less than half an interval: it is moved when it comes due, and nobody turns STALE."""
    time_passes(TIMEOUT + 1)
    away()
    ExecutionLease.objects.update(last_heartbeat_at=F("last_heartbeat_at") + timedelta(seconds=5))
    beaten = lease().last_heartbeat_at
    done = reconcile_health()
    assert (done.changed, done.graced) == (0, 0)
    assert lease().deadline_at == beaten + timedelta(seconds=TIMEOUT)
    time_passes(TIMEOUT)
    assert changed() == 1
    assert health(worker) == SILENT


@pytest.mark.accepts("H06")
def test_after_both_were_away_the_outage_lasts_until_both_are_back(worker):
    """As after a stop of the database: whoever is back first waits for the other, and no beat is missed."""
    time_passes(TIMEOUT + 1)
    away(reconciler=4_000, web=800)
    assert reconcile_health().is_deaf
    sign(WEB)
    done = reconcile_health()
    assert (done.is_deaf, done.changed, done.graced) == (False, 0, 1)
    row = ServiceOutage.objects.get()
    assert row.ended_at - row.began_at >= timedelta(seconds=4_000)
    assert health(worker) == FINE


@pytest.mark.accepts("H06")
def test_who_does_not_beat_after_the_outage_either_is_silent_in_the_end(worker):
    """The grace is given once, and is no longer than the timeout."""
    time_passes(TIMEOUT + 1)
    away(reconciler=4_000)
    assert reconcile_health().graced == 1
    time_passes(TIMEOUT - 600)
    shift_outages(TIMEOUT - 600)
    assert (changed(), health(worker)) == (0, FINE)
    time_passes(601)
    shift_outages(601)
    done = reconciled()
    assert (done.changed, done.graced) == (1, 0)
    assert health(worker) == SILENT


def shift_outages(seconds):
    """Let the outages lie further back."""
    for row in ServiceOutage.objects.all():
        row.began_at -= timedelta(seconds=seconds)
        row.ended_at -= timedelta(seconds=seconds)
        row.save()


@pytest.mark.accepts("H06")
def test_who_beats_after_the_outage_and_then_falls_silent_has_no_grace(worker):
    """Ruling 45: later leases have none; the two requirements H03 and H06 hold together."""
    outage(2 * TIMEOUT, 1.5 * TIMEOUT)
    time_passes(TIMEOUT + 1)  # its last sign is younger than the end of the outage
    done = reconciled()
    assert (done.changed, done.graced) == (1, 0)
    assert health(worker) == SILENT


@pytest.mark.accepts("H06")
def test_a_beat_after_the_outage_counts_as_any_other(worker):
    """It moves the deadline that the grace gave, once that lags."""
    time_passes(TIMEOUT + 1)
    away(reconciler=4_000)
    assert reconcile_health().graced == 1
    time_passes(3_000)
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert lease().deadline_at == lease().last_heartbeat_at + timedelta(seconds=TIMEOUT)


@pytest.mark.accepts("H06")
def test_while_nobody_takes_beats_nobody_is_judged(worker):
    """The web's processes are away and the reconciler is not: it waits, and gives the grace when they are back."""
    time_passes(TIMEOUT + 1)
    sign(WEB, 800)
    first = reconciled()
    assert (first.is_deaf, first.changed, first.looked_at) == (True, 0, 0)
    assert ServiceOutage.objects.get().ended_at is None
    ServiceOutage.objects.update(began_at=ServiceOutage.objects.get().began_at - timedelta(seconds=2_000))
    assert reconciled().is_deaf
    sign(WEB)
    back = reconciled()
    assert (back.is_deaf, back.changed, back.graced) == (False, 0, 1)
    assert ServiceOutage.objects.get().ended_at is not None
    assert health(worker) == FINE
    time_passes(TIMEOUT)
    shift_outages(TIMEOUT)
    assert changed() == 1


@pytest.mark.accepts("H06")
def test_a_sign_that_has_been_missing_for_long_is_no_outage(worker):
    """Whoever ends all web processes for good does not switch the reconciler off."""
    sign(WEB, 16 * 60)
    time_passes(TIMEOUT + 1)
    assert changed() == 1


@pytest.mark.accepts("H06")
@pytest.mark.parametrize(
    ("length", "graced"), [(3, 0), (TIMEOUT / 3 - 60, 0), (TIMEOUT / 3 + 60, 1)], ids=["3 s", "a beat", "two beats"]
)
def test_a_hiccup_excuses_nobody_who_had_all_his_other_beats(worker, length, graced):
    """Only an outage that can have cost one of the three beats of its timeout gives a lease a grace."""
    outage(length + 100, 100)
    time_passes(TIMEOUT + 1)
    done = reconciled()
    assert (done.graced, done.changed) == (graced, 1 - graced)


@pytest.mark.accepts("H06")
def test_of_one_outage_each_lease_gets_what_its_own_timeout_says(carol):
    """Short timeouts come due soon after it, long ones were never in danger."""
    for seconds in (60, 600, TIMEOUT):
        carol.worker(carol.task(step_body(heartbeatTimeoutSeconds=seconds))["taskId"]).started()
    time_passes(TIMEOUT + 1)
    away(reconciler=1_000)
    done = reconcile_health()
    assert (done.graced, done.changed) == (2, 1)
    end = ServiceOutage.objects.get().ended_at
    graced = ExecutionLease.objects.exclude(deadline_at=None).order_by("timeout_seconds")
    assert [row.deadline_at - end for row in graced] == [timedelta(seconds=60), timedelta(seconds=600)]


@pytest.mark.accepts("H06")
def test_an_execution_that_was_silent_before_the_outage_stays_so(worker):
    """Grace is for those who were believed; a beat brings the others back as ever."""
    time_passes(TIMEOUT + 1)
    assert changed() == 1
    away(reconciler=4_000)
    done = reconcile_health()
    assert (done.changed, done.graced) == (0, 0)
    assert health(worker) == SILENT
    assert verdicts(beat(worker)) == ["ACCEPTED"]
    assert health(worker) == FINE


@pytest.mark.accepts("H06")
def test_the_first_pass_of_all_misses_nobody(carol):
    """A reconciler that never was there before was not away."""
    carol.running()
    silence()
    assert reconcile_health().changed == 1
    assert not ServiceOutage.objects.exists()
