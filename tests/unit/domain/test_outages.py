"""How an outage of the service itself shows, and which leases it gives a grace (ruling 45)."""

from datetime import datetime, timedelta

import pytest

from taskstatus.domain.outages import Outage, Signs, graced_deadline, outage_now
from tests.support.plain import NOW


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("reconciler", "web", "lasting", "found"),
    [
        (1, 1, None, None),
        (2.5, 2.5, None, None),
        (60, 1, None, (60, 0)),  # nobody judged
        (1, 60, None, (60, None)),  # nobody takes beats: it lasts
        (60, 61, None, (61, None)),
        (1, 1, 70, (70, 0)),  # whoever was away is back
        (1, 60, 70, (70, None)),
        (1, None, None, None),  # nobody ever said that it takes beats
        (1, 15 * 60 + 1, None, None),  # the sign is what is missing
        (1, 15 * 60 + 1, 16 * 60, (16 * 60, 0)),
        (None, None, None, None),
    ],
)
def test_a_gap_is_an_outage_and_lasts_while_nobody_takes_beats(reconciler, web, lasting, found):
    signs = Signs(*(None if seconds is None else ago(seconds) for seconds in (reconciler, web)))
    outage = outage_now(signs, None if lasting is None else Outage(ago(lasting)), NOW, scan_seconds=1)
    began, ended = found or (None, None)
    expected = None if found is None else Outage(ago(began), None if ended is None else ago(ended))
    assert outage == expected


@pytest.mark.parametrize(
    ("reconciler", "web", "web_since", "is_outage"),
    [
        (60, 1, 61, False),  # beats were taken all the while: a late reconciler excuses nobody
        (60, 1, 60, False),
        (60, 1, 59, True),  # the web was away too, and came back first
        (60, 3, 61, True),  # and may be away now
    ],
)
def test_a_late_reconciler_is_no_outage_where_the_web_gave_signs_all_the_while(reconciler, web, web_since, is_outage):
    found = outage_now(Signs(ago(reconciler), ago(web), ago(web_since)), None, NOW, scan_seconds=1)
    assert (found is not None) is is_outage


@pytest.mark.parametrize(
    ("last_beat", "timeout", "graced"),
    [
        (61, 60, True),  # older than the outage
        (59, 60, True),  # fell into its first second
        (29, 60, False),  # heard after it was over
        (100, 90, True),
        (100, 91, False),  # more than two thirds of its beats had their chance
    ],
)
def test_a_lease_older_than_the_end_of_an_outage_that_may_have_cost_it_is_believed_anew(last_beat, timeout, graced):
    outage = Outage(ago(60), ago(30))
    until = graced_deadline(ago(last_beat), timeout, [outage])
    assert until == (ago(30) + timedelta(seconds=timeout) if graced else None)


def test_of_several_outages_the_one_that_gives_most_counts():
    outages = [Outage(ago(200), ago(100)), Outage(ago(60), ago(30)), Outage(ago(20), ago(18)), Outage(ago(5))]
    assert graced_deadline(ago(300), 60, outages) == ago(30) + timedelta(seconds=60)
    assert graced_deadline(ago(300), 60, outages[2:]) is None


def test_short_outages_since_the_last_beat_add_up():
    flapping = [Outage(ago(begin), ago(begin - 8)) for begin in (10, 20, 30, 40)]
    assert graced_deadline(ago(55), 60, flapping) == ago(12) + timedelta(seconds=60)
    assert graced_deadline(ago(55), 60, flapping[:2]) is None
    assert graced_deadline(ago(25), 60, flapping) is None  # to the second of them it lost 3 s
